#include "rewrites/recognize/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ir/nest/printer.h"

namespace heddle::recognize {

using nest::Expr;
using stencil::Window;

namespace {

// Shifts of whole windows: more than any image has rows or columns.
constexpr int64_t kMostShift = int64_t{1} << 20;

// Rates at which one image's index follows another's: what pyramids and mosaics sample at.
constexpr std::array<int64_t, 4> kRates = {1, 2, 4, 8};

// The least k in -kFarthest..kFarthest for which `holds`, which is so for all greater ones, too.
template <class F>
std::optional<int64_t> least(F holds) {
  int64_t fails = -kFarthest - 1, works = kFarthest;
  if (!holds(works)) return std::nullopt;
  while (works - fails > 1) {
    int64_t middle = fails + (works - fails) / 2;
    (holds(middle) ? works : fails) = middle;
  }
  return works;
}

class Finder : public nest::Walker<Finder> {
 public:
  Finder(const std::vector<Index>& indices, const std::vector<nest::Buffer>& buffers, nest::Facts& facts)
      : indices_(indices), buffers_(buffers), facts_(facts) {}

  Reads found;

  void run(const nest::Block& work) {
    find_ranges(work);
    body(work);
    std::erase_if(found.windowed, [&](const WindowedRead& r) { return is_other(r.buffer); });
  }

  void expr(const Expr& e) {
    if (const auto* choice = std::get_if<nest::Select>(&e->node)) {
      expr(choice->condition);
      under(choice->condition, true, [&] { expr(choice->if_true); });
      return under(choice->condition, false, [&] { expr(choice->if_false); });
    }
    if (const auto* load = std::get_if<nest::Load>(&e->node)) read(*load);
    Walker::expr(e);
  }

  void stmt(const nest::Stmt& s) {
    if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      expr(branch->condition);
      under(branch->condition, true, [&] { body(branch->then_body); });
      return under(branch->condition, false, [&] { body(branch->else_body); });
    }
    if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      expr(loop->extent);
      return facts_.scope([&] {
        facts_.index(loop->index, loop->extent);
        body(loop->body);
      });
    }
    Walker::stmt(s);
    if (const auto* let = std::get_if<nest::Let>(&s->node)) define(*let);
  }

 private:
  struct Range {
    int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  };

  // Registers in which branches leave one of several constants: what lies between them.
  void find_ranges(const nest::Block& work) {
    nest::NameSet others;
    nest::for_each_stmt(work, [&](const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (!store || !store->index.empty()) return;
      auto value = nest::int_constant(store->value);
      if (!value) return void(others.insert(store->buffer));
      Range& r = ranges_[store->buffer];
      r.least = std::min(r.least, *value);
      r.most = std::max(r.most, *value);
    });
    for (const Name& n : others) ranges_.erase(n);
  }

  void define(const nest::Let& let) {
    facts_.define(let.name, let.value);
    definitions_.insert_or_assign(let.name, let.value);
    const auto* load = std::get_if<nest::Load>(&let.value->node);
    auto range = load ? ranges_.find(load->buffer) : ranges_.end();
    if (range == ranges_.end()) return;
    Expr value = nest::var(let.name, let.value->type);
    auto constant = [&](int64_t c) { return nest::constant(prim::Value::of_int(let.value->type, c)); };
    auto at_most = [&](const Expr& a, const Expr& b) {
      return nest::operation(prim::Op(prim::Family::Sle, let.value->type), {a, b});
    };
    facts_.assume(at_most(constant(range->second.least), value));
    facts_.assume(at_most(value, constant(range->second.most)));
  }

  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
  }

  bool is_other(const Name& buffer) const {
    return std::ranges::find(found.others, buffer, &OtherRead::buffer) != found.others.end();
  }

  void read(const nest::Load& load) {
    auto buffer = std::ranges::find(buffers_, load.buffer, &nest::Buffer::name);
    if (buffer == buffers_.end() || is_other(load.buffer)) return;
    std::vector<Window> windows;
    for (size_t d = 0; d < load.index.size(); ++d) {
      std::optional<Window> w = window(load.index[d], buffer->dims[d], d);
      if (!w) {
        found.others.push_back(
            {load.buffer, fmt::format("{} is read at {}, which is not known to lie near the point's own place",
                                      load.buffer.text(), nest::to_text(load.index[d]))});
        return;
      }
      windows.push_back(*w);
    }
    auto known = std::ranges::find(found.windowed, load.buffer, &WindowedRead::buffer);
    if (known == found.windowed.end()) return found.windowed.push_back({load.buffer, std::move(windows)});
    for (size_t d = 0; d < windows.size(); ++d) {
      std::optional<Window> both = hull(known->windows[d], windows[d]);
      if (!both) both = whole(buffer->dims[d]);
      if (!both) {
        found.others.push_back(
            {load.buffer, fmt::format("{} is read at places that follow different indices", load.buffer.text())});
        return;
      }
      known->windows[d] = *both;
    }
  }

  static std::optional<Window> hull(Window a, const Window& b) {
    if (a.follows != b.follows || a.num != b.num || a.den != b.den) return std::nullopt;
    a.lo = std::min(a.lo, b.lo);
    a.hi = std::max(a.hi, b.hi);
    if (b.border == stencil::Border::Wrap) a.border = b.border;
    return a;
  }

  static std::optional<Window> whole(const Expr& extent) {
    auto n = nest::int_constant(extent);
    return n && *n <= kFarthest ? std::optional(Window{{}, 0, *n - 1}) : std::nullopt;
  }

  // Indices in the same place are the likeliest.
  std::optional<Window> window(const Expr& at, const Expr& extent, size_t dim) {
    if (auto c = nest::int_constant(at)) return Window{{}, *c, *c};
    std::vector<size_t> order = {std::min(dim, indices_.size() - 1)};
    for (size_t k = 0; k < indices_.size(); ++k) {
      if (k != order[0]) order.push_back(k);
    }
    for (size_t k : order) {
      if (auto w = following(at, k, 1, 1)) return w;
    }
    for (size_t k : order) {
      for (int64_t rate : kRates) {
        if (rate == 1) continue;
        if (auto w = following(at, k, rate, 1)) return w;
        if (auto w = following(at, k, 1, rate)) return w;
      }
    }
    if (auto w = whole(extent)) return w;
    for (size_t k : order) {
      if (auto w = wrapped(at, extent, k)) return w;
    }
    return std::nullopt;
  }

  // lo <= den * at - num * index <= hi as proved; at == floor((num * index + o) / den) for an o in lo + den - 1 .. hi.
  std::optional<Window> following(const Expr& at, size_t k, int64_t num, int64_t den) {
    Expr index = nest::mul(nest::constant(num), nest::var(indices_[k].name, prim::Type::I64));
    Expr place = nest::mul(nest::constant(den), at);
    if (auto distance = facts_.polynomial(nest::sub(place, index))) {
      auto c = distance->as_constant();
      if (c && -kMostShift <= *c && *c <= kMostShift) return Window{k, *c, *c, num, den};
    }
    auto hi = least([&](int64_t h) { return facts_.prove_at_most(place, nest::add(index, nest::constant(h))); });
    if (!hi) return std::nullopt;
    auto lo = least([&](int64_t l) { return facts_.prove_at_most(nest::sub(index, nest::constant(l)), place); });
    if (!lo) return std::nullopt;
    return Window{k, std::min(*hi, -*lo + den - 1), *hi, num, den};
  }

  // The index as it is before multiples of the extent are added to it: in a remainder, or in one of the cases.
  std::optional<Window> wrapped(const Expr& at, const Expr& extent, size_t k) {
    if (const auto* v = std::get_if<nest::Var>(&at->node)) {
      auto it = definitions_.find(v->name);
      return it == definitions_.end() ? std::nullopt : wrapped(it->second, extent, k);
    }
    if (const auto* choice = std::get_if<nest::Select>(&at->node)) {
      std::optional<Window> first, second;
      under(choice->condition, true, [&] { first = shifted(choice->if_true, extent, k); });
      if (!first) return std::nullopt;
      under(choice->condition, false, [&] { second = shifted(choice->if_false, extent, k); });
      return second ? hull(*first, *second) : std::nullopt;
    }
    const auto* o = std::get_if<nest::Operation>(&at->node);
    bool is_remainder = o && (o->op.family == prim::Family::SMod || o->op.family == prim::Family::SRem);
    if (!is_remainder || !facts_.prove_equal(o->args[1], extent)) return std::nullopt;
    return shifted(o->args[0], extent, k);
  }

  std::optional<Window> shifted(const Expr& at, const Expr& extent, size_t k) {
    for (const Expr& place : {at, nest::sub(at, extent), nest::add(at, extent)}) {
      if (auto w = following(place, k, 1, 1)) {
        w->border = stencil::Border::Wrap;
        return w;
      }
    }
    return wrapped(at, extent, k);
  }

  const std::vector<Index>& indices_;
  const std::vector<nest::Buffer>& buffers_;
  nest::Facts& facts_;
  nest::Substitution definitions_;
  std::unordered_map<Name, Range> ranges_;
};

}  // namespace

Reads find_windows(const std::vector<Index>& indices, const nest::Block& work, const std::vector<nest::Buffer>& buffers,
                   nest::Facts& facts) {
  return facts.scope([&] {
    Finder finder(indices, buffers, facts);
    finder.run(work);
    return std::move(finder.found);
  });
}

}  // namespace heddle::recognize
