#include "rewrites/recipes/walk_reading.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/stencil/window_reach.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kLanes = stencil::Walk::kLanes;

}  // namespace

struct WalkReading::Redirect : nest::Rebuilder<Redirect> {
  WalkReading& reading;
  const WalkedPoint& point;
  const std::vector<Name>& values;

  Redirect(WalkReading& reading, const WalkedPoint& point, const std::vector<Name>& values)
      : reading(reading), point(point), values(values) {}
  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (!load) return;
    std::vector<const WalkedRows*> planes;
    for (const WalkedRows& rows : reading.rows_) {
      if (rows.array == load->buffer) planes.push_back(&rows);
    }
    if (!planes.empty()) e = reading.chosen(planes, point, load->index, 0);
  }
  void stmts(const nest::Stmt& s, nest::Block& out) {
    Rebuilder::stmts(s, out);
    const auto* store = std::get_if<nest::Store>(&out.back()->node);
    if (!store) return;
    const std::vector<Name>& results = reading.stages_[point.stage]->results;
    auto result = std::ranges::find(results, store->buffer);
    if (result == results.end()) return;
    const auto k = static_cast<size_t>(result - results.begin());
    out.back() = nest::stmt(nest::Store{values[k], {i64(point.number)}, store->value});
  }
};

nest::Block WalkReading::of_point(const nest::Block& work, const WalkedPoint& point, const std::vector<Name>& values) {
  const StageCode& stage = *stages_[point.stage];
  nest::Block code;
  for (size_t d = 0; d < point.indices.size(); ++d)
    code.push_back(nest::stmt(nest::Let{stage.indices[d].name, point.indices[d]}));
  code.insert(code.end(), work.begin(), work.end());
  code = nest::renamed(code, nest::bound_in(code), names_);
  own_.clear();
  for (size_t d = 0; d < point.indices.size(); ++d)
    own_.push_back(nest::var(std::get<nest::Let>(code[d]->node).name, Type::I64));
  lets_.clear();
  nest::for_each_stmt(code, [&](const nest::Stmt& s) {
    if (const auto* l = std::get_if<nest::Let>(&s->node)) lets_.insert_or_assign(l->name, l->value);
  });
  Redirect(*this, point, values).body(code);
  return code;
}

// How far a place is from the point's, where that is known. Of points that do not exist, what they read does not matter.
std::optional<int64_t> WalkReading::distance(const Expr& place, const Expr& own) const {
  const nest::Definitions definitions = [&](const Name& n) {
    auto found = lets_.find(n);
    return found == lets_.end() ? nullptr : found->second;
  };
  const auto a = nest::from_expr(place, definitions), b = nest::from_expr(own, definitions);
  if (!a || !b) return std::nullopt;
  const auto difference = (*a - *b).as_constant();
  return difference ? std::optional<int64_t>(*difference) : std::nullopt;
}

// Where it is not known which element it is, one of the window's.
Expr WalkReading::among(const stencil::Window& window, const Expr& place, const Expr& own,
                        const std::function<Expr(int64_t)>& element) const {
  if (const auto known = distance(place, own)) return element(*known);
  Expr value = element(window.hi);
  for (int64_t k = window.hi; k-- > window.lo;)
    value = nest::select(equal_to(place, nest::add(own, i64(k))), element(k), value);
  return value;
}

// The element at that place, of planes that agree in the dimensions before `dim`.
Expr WalkReading::chosen(const std::vector<const WalkedRows*>& planes, const WalkedPoint& p,
                         const std::vector<Expr>& place, size_t dim) {
  const WalkedRows& first = *planes.front();
  const auto& windows =
      std::ranges::find(stages_[p.stage]->reads, first.array, &recognize::WindowedRead::buffer)->windows;
  if (dim + 2 < windows.size()) {
    auto there = [&](int64_t at) {
      std::vector<const WalkedRows*> those;
      for (const WalkedRows* rows : planes) {
        if (rows->layer.empty() || rows->layer[dim] == stencil::LayerPlace{windows[dim].follows, at})
          those.push_back(rows);
      }
      return chosen(those, p, place, dim + 1);
    };
    return windows[dim].follows ? there(0) : among(windows[dim], place[dim], i64(0), there);
  }
  const size_t row = p.indices.size() - 2;
  return among(stencil::with_exchanged(windows[dim]), place[dim], own_[row], [&](int64_t down) {
    return among(stencil::with_exchanged(windows[dim + 1]), place[dim + 1], own_[row + 1],
                 [&](int64_t across) { return element(first, p, down, p.number + across); });
  });
}

// `column`: counted from the lane's first.
Expr WalkReading::element(const WalkedRows& rows, const WalkedPoint& p, int64_t down, int64_t column) {
  const int64_t ahead = walk_.stages[p.stage].ahead + down;
  const int64_t row = rows.kept.rows - 1 - (rows.kept.ahead - ahead);
  const int64_t columns = walk_.columns_of_lane;
  const int64_t lanes = stencil::floor_div(column, columns);
  Expr own = nest::load(rows.buffer, rows.elem, {i64(row), i64(column - lanes * columns)});
  if (lanes == 0) return own;
  auto [it, is_new] = received_.try_emplace({rows.buffer, row, column}, Name());
  if (is_new) {
    it->second = names_.fresh("received");
    const Expr other = nest::operation(prim::Op(prim::Family::And, Type::I64),
                                       {nest::add(var(lane_), i64(kLanes + lanes)), i64(kLanes - 1)});
    before_.push_back(nest::stmt(nest::Shuffle{it->second, own, other}));
  }
  return nest::var(it->second, rows.elem);
}

}  // namespace heddle::lower
