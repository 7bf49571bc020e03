// Which elements stand for those beyond an image's border, where a point reads in windows: what of a stage is computed alike at borders and far from
// them, if what it reads goes on beyond its borders.
//
//   b[y] := a[max(y - 2, 0)] + a[min(y + 1, h - 1)] + c[y < 1 ? -y : y - 1]            0 <= y < h, sizes of a: h, of c: n
//
// is  b[y] := a[p - 2] + a[p + 1] + c[p - 1]  with p = y, where a's elements beyond are Clamp's and c's are MirrorOn's.
#pragma once

#include "rewrites/recognize/windows.h"

namespace heddle::recognize {

// Of a place beyond 0 .. n-1, the one whose element stands there. Places may be so far beyond that a mirror has none for them.
enum class Exchange {
  Clamp,     // -1 is 0, -2 is 0; n is n-1
  MirrorAt,  // -1 is 0, -2 is 1; n is n-1: the border is between two elements
  MirrorOn,  // -1 is 1, -2 is 2; n is n-2: it is an element
  Wrap       // -1 is n-1, -2 is n-2; n is 0: a torus
};

// Of places that are no further beyond than the image is wide.
nest::Expr exchanged(Exchange by, const nest::Expr& place, const nest::Expr& extent);

// A dimension of an array that is read beyond its border.
struct ExchangedDim {
  Name buffer;
  size_t dim;
  nest::Expr extent;
  Exchange by;
  int64_t most = 0;  // how far beyond a point's place at most, where that is known to be little; else 0
};

struct Beyond {
  nest::Block work;          // with indices over `places` instead of exchanged ones
  std::vector<Name> places;  // by index of the point; where work is to do what it did, these are the indices
  std::vector<ExchangedDim> dims;
};

// The work of a point that reads these arrays in windows; what is not proved to be an exchange stays as it is. `facts` hold where the work begins,
// those about the indices included.
Beyond beyond_borders(const std::vector<Index>& indices, const nest::Block& work,
                      const std::vector<WindowedRead>& reads, const std::vector<nest::Buffer>& buffers,
                      nest::Facts& facts, NameSource& names);

// The work where arrays go on beyond borders in those dimensions alone that `goes_on` tells; in others, places are exchanged. `is_torus`: of which
// indices places stand for points at the other end, where what does not go on is read.
nest::Block exchanged_but(const Beyond& beyond, const std::vector<Index>& indices,
                          const std::function<bool(const Name& buffer, size_t dim)>& goes_on,
                          const std::function<bool(size_t index)>& is_torus);

}  // namespace heddle::recognize
