// What the points of stages read of rows that the lanes of a walking warp keep in registers (walk.h): a lane's own columns, or those of others by
// shuffles.
//
//   b[y][x] := a[y-1][x] + a[y][x-1]       the lane's first of two columns, of rows a_rows: register [2][2]
//
//     shuffle left = a_rows[1][1] of lane - 1
//     b_now[0] := a_rows[0][0] + left
#pragma once

#include <array>
#include <map>
#include <tuple>

#include "ir/nest/traverse.h"
#include "rewrites/recipes/group_parts.h"
#include "rewrites/stencil/walk.h"

namespace heddle::lower {

// Rows that a lane keeps, of a plane of an image or of a result of a stage.
struct WalkedRows {
  Name array;                              // as stages call it
  std::vector<stencil::LayerPlace> layer;  // of an image's plane, else none
  Name buffer;                             // [rows][columns of a lane], the newest row last
  stencil::RowsWalked kept;
  prim::Type elem;
};

// A lane's point, as the code of a stage has it. At borders it stands for the nearest that exists.
struct WalkedPoint {
  size_t stage;
  std::vector<nest::Expr> indices;
  int64_t number;  // of its column in the lane
};

// The code of a row of points. `before`: what lanes hand each other for it.
class WalkReading {
 public:
  WalkReading(const Stages& stages, const std::vector<WalkedRows>& rows, const stencil::Walk& walk, Name lane,
              NameSource& names)
      : stages_(stages), rows_(rows), walk_(walk), lane_(std::move(lane)), names_(names) {}

  // `values`: buffers of so many columns for the stage's results.
  nest::Block of_point(const nest::Block& work, const WalkedPoint& point, const std::vector<Name>& values);

  const nest::Block& before() const { return before_; }

 private:
  struct Redirect;

  std::optional<int64_t> distance(const nest::Expr& place, const nest::Expr& own) const;
  nest::Expr among(const stencil::Window& window, const nest::Expr& place, const nest::Expr& own,
                   const std::function<nest::Expr(int64_t)>& element) const;
  nest::Expr chosen(const std::vector<const WalkedRows*>& planes, const WalkedPoint& p,
                    const std::vector<nest::Expr>& place, size_t dim);
  nest::Expr element(const WalkedRows& rows, const WalkedPoint& p, int64_t down, int64_t column);

  const Stages& stages_;
  const std::vector<WalkedRows>& rows_;
  const stencil::Walk& walk_;
  Name lane_;
  NameSource& names_;
  std::vector<nest::Expr> own_;  // the point's indices in its code
  nest::Substitution lets_;
  nest::Block before_;
  std::map<std::tuple<Name, int64_t, int64_t>, Name> received_;
};

}  // namespace heddle::lower
