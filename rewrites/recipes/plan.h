// Plans: how an operation of a program is carried out, with the kernels and all that the host needs to launch them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rewrites/contraction/geometry.h"
#include "rewrites/points/launch.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::lower {

struct Temporary {
  prim::Type elem;
  nest::Expr num_elems;  // over host scalars
};

// A copy by the runtime, of the elements that two buffers of the same dimensions show, into a temporary.
struct Pack {
  BufferArg from;
  TemporaryArray to;
  std::vector<nest::Expr> shape, from_strides, to_strides;  // over `scalars`, in elements
  std::vector<nest::ScalarParam> scalars;
  std::vector<ScalarArg> scalar_args;  // one per scalar
};

// A number of parts into which the runtime splits a reduction; a host scalar that only the seg op's launches know.
struct Parts {
  Name name;
  nest::Expr points, extent, depth;  // over host scalars: results, the indices that are split, and steps for each
};

// Whether the runtime thinks that it pays to write other arrays than there are (1) or not (0); a host scalar like the one above.
struct Detour {
  Name pays;
  // Over host scalars: steps of the reduction that are saved, bytes that are moved for it, by how many kernels, and bytes of these arrays.
  nest::Expr saved, moved, kernels, room;
};

// A faster way to compute a seg op, for which a kernel is compiled at run time once the sizes are known.
struct Specialized {
  std::string name;              // apart from the seg op's other ways; empty for the last
  recognize::Contraction match;  // as the kernel computes it
  contraction::Tiling tiling;
  contraction::Geometry geometry;  // of the kernel
  std::vector<Temporary> temporaries;
  std::vector<Pack> before;
  std::vector<Launch> first;  // behind `before`
  std::vector<Launch> after;
  Launch launch;  // the kernel's constants are those of the tiling, then `fixed`
  // Scalars that are constants of the kernel, too, and their values over host scalars: window extents, strides.
  std::vector<std::pair<Name, nest::Expr>> fixed;
  nest::Expr guard{};  // over host scalars: where it is false this way is not open; null: it always is
  std::optional<Parts> parts{};
  std::optional<Detour> detour{};
  // The temporary that holds an i32, 0 behind all launches unless they have found that this way does not do. Then they have changed nothing
  // but temporaries, and another way is taken.
  std::optional<int> doubt{};
};

// Arrays in threads of whose sizes only these know: there is room for `room` elements in each, a host scalar that only the
// operation's launches know. The host finds it by launching `sizes`, which computes all sizes and changes nothing else, with room for
// more and more elements (`tried`) until they suffice: the launch's first temporary, an i64 that is 0 before, is then 0 behind it,
// else how many are wanted by an array that lacked room.
struct Rooms {
  Launch sizes;
  Name tried, room;
};

// What each element of a result in fresh memory is before the launches where this holds, both over host scalars; elsewhere it is undefined.
struct Filled {
  int result;
  nest::Expr value, where;
};

// A recipe that has been asked.
struct Considered {
  std::string recipe;
  std::string why_not;  // empty: this is the one whose proposal was taken
};

// One seg op (or GpuBody) of the host program: where its results go, and the kernels that compute them, in order.
struct Plan {
  std::vector<ResultPlace> results;
  std::vector<Temporary> temporaries{};  // of `launches`
  std::optional<Rooms> rooms{};          // of `launches`
  std::vector<Filled> filled{};          // for `launches`
  std::optional<Name>
      block_memory{};  // bytes that a block of threads may share; a host scalar that only `launches` know
  std::vector<Launch> launches;
  std::string recipe;  // how it was compiled, for `heddle explain`: "direct", ...
  std::optional<recognize::Contraction> match;
  std::string why_not;                   // where there is no match
  std::vector<Specialized> specialized;  // in order of preference: the first that is open and suits the device is taken
  std::vector<Name> looked_through;      // arrays that are not read, but gathered again
  std::vector<Name> also_makes{};        // results of statements before that these launches fill; those have none
  bool finishes_contractions = false;    // it does what was left when sums were taken out of it
  std::vector<Considered> considered{};  // in the order of asking
  std::optional<nest::Expr>
      team_bytes{};  // of the arrays of a block of threads, where only the host knows whether they fit into shared memory
};

// Calls f(launch) for all launches of whichever way is taken.
template <class F>
void for_each_launch(const Plan& plan, F f) {
  if (plan.rooms) f(plan.rooms->sizes);
  for (const Launch& l : plan.launches) f(l);
  for (const Specialized& way : plan.specialized) {
    for (const Launch& l : way.first) f(l);
    f(way.launch);
    for (const Launch& l : way.after) f(l);
  }
}

// Calls f(buffer_args, scalar_args) for all that the seg op does, whichever way is taken.
template <class F>
void for_each_arguments(const Plan& plan, F f) {
  for_each_launch(plan, [&](const Launch& l) { f(l.buffer_args, l.scalar_args); });
  for (const Specialized& way : plan.specialized) {
    for (const Pack& r : way.before) f(std::vector<BufferArg>{r.from}, r.scalar_args);
  }
}

}  // namespace heddle::lower
