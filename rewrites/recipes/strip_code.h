// Several points of a stage computed by one thread: all are computed before any is stored, since what was read before a store cannot
// be kept in registers behind it.
//
//   b[y][x] := a[y-1][x] + a[y+1][x]     as a strip of 4 rows from y0 on
//
//   alloc b: register [4]
//   for row in 4 (unrolled) { let y = y0 + row; b[row] := a[y-1][x] + a[y+1][x] }          a[y0+1][x] is read once
//   for row in 4 (unrolled) { b[y0 + row][x] := b[row] }
#pragma once

#include <functional>

#include "rewrites/recipes/stage.h"

namespace heddle::lower {

struct Element {
  Name buffer;
  std::vector<nest::Expr> index;
  std::optional<nest::Expr> only_if = {};
};

// A dimension of a tile that goes on beyond the image's border, where the elements of its other end stand (stencil::Halo::wraps).
struct Torus {
  nest::Expr extent;     // of the image
  int64_t room;          // of the tile
  nest::NameSet places;  // indices that mention any of these are places of the tile; others are points of the image
};

// The rows of a result that a buffer keeps for a while, over its last two dimensions: row `first_row` and those below it, in order, in
// the columns from `first_column` on. Where the buffer is a thread's it has one column, the thread's; else it is as many rows, a power
// of two, in which the rows below take turns.
struct RowsKept {
  nest::Expr first_row, first_column;  // the latter null where the buffer has one column
  int64_t rows = 0;
};

// Where a result of a stage is, for those who store and read it.
struct Place {
  Name buffer;
  std::vector<nest::Expr> base = {};  // the result's element that is the buffer's first
  std::optional<std::vector<nest::Expr>> fixed =
      {};                                       // in registers: where the thread's point is, whichever is asked for
  std::vector<std::optional<Torus>> tori = {};  // by dimension; or none
  std::vector<nest::Expr> before = {};  // the buffer's first indices, where it holds several such parts of the result
  bool is_of_layers = false;            // in registers: all layers at the thread's point
  std::optional<RowsKept> kept = {};    // some of its rows
};

// A row and a column of a result in a buffer that keeps some.
std::vector<nest::Expr> index_in(const RowsKept& kept, const nest::Expr& row, const nest::Expr& column);

using Places = std::unordered_map<Name, Place>;

// The code with what it stores and reads of these buffers elsewhere.
nest::Block redirected(const nest::Block& code, const Places& places);

// Of a strip: no more than so many, and fewer where points have much to do.
int64_t most_rows(const StageCode& stage, int64_t most);

prim::Type element_type(const StageCode& stage, size_t result);

// `compute`: the code of the point in a row, whose results are to go to these places. `where`: the elements in which result `k` of
// that point belongs. `is_stored`: whether that point's results are stored; all are without it.
nest::Block computed_and_stored(const StageCode& stage, int64_t rows,
                                const std::function<nest::Block(const nest::Expr& row, const Places& values)>& compute,
                                const std::function<std::vector<Element>(size_t k, const nest::Expr& row)>& where,
                                NameSource& names,
                                const std::function<nest::Expr(const nest::Expr& row)>& is_stored = nullptr);

// The same where each row has so many points, as many as there are layers (layers.h). What belongs to a row and not to a point is done
// before `each_layer` of them, once.
using EachLayer =
    std::function<nest::Stmt(const std::function<nest::Block(const nest::Expr& layer, const Places& values)>&)>;
nest::Block computed_and_stored(
    const StageCode& stage, int64_t rows, int64_t layers,
    const std::function<nest::Block(const nest::Expr& row, const EachLayer& each_layer)>& compute,
    const std::function<std::vector<Element>(size_t k, const nest::Expr& row, const nest::Expr& layer)>& where,
    NameSource& names, const std::function<nest::Expr(const nest::Expr& row)>& is_stored = nullptr);

// The same where the points of a row lie beside each other, and their results are stored at once.
nest::Block computed_and_stored_at_once(
    const StageCode& stage, int64_t rows, int64_t columns,
    const std::function<nest::Block(const nest::Expr& row, const EachLayer& each_column)>& compute,
    const std::function<Element(size_t k, const nest::Expr& row, const nest::Expr& column)>& where, NameSource& names);

}  // namespace heddle::lower
