#include "rewrites/recognize/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/nest/printer.h"
#include "ir/support/error.h"

namespace heddle::recognize {

using nest::Expr;
using stencil::Window;

namespace {

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

  std::vector<WindowedRead> found;

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
    if (const auto* let = std::get_if<nest::Let>(&s->node)) facts_.define(let->name, let->value);
  }

 private:
  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
  }

  void read(const nest::Load& load) {
    auto buffer = std::ranges::find(buffers_, load.buffer, &nest::Buffer::name);
    if (buffer == buffers_.end()) return;
    std::vector<Window> windows;
    for (size_t d = 0; d < load.index.size(); ++d) {
      std::optional<Window> w = window(load.index[d], buffer->dims[d], d);
      if (!w) {
        refuse(fmt::format("{} is read at {}, which is not known to lie near the point's own place", load.buffer.text(),
                           nest::to_text(load.index[d])));
      }
      windows.push_back(*w);
    }
    auto known = std::ranges::find(found, load.buffer, &WindowedRead::buffer);
    if (known == found.end()) {
      found.push_back({load.buffer, std::move(windows)});
    } else {
      for (size_t d = 0; d < windows.size(); ++d) known->windows[d] = hull(load.buffer, known->windows[d], windows[d]);
    }
  }

  static Window hull(const Name& buffer, Window a, const Window& b) {
    if (a.follows != b.follows || a.num != b.num || a.den != b.den)
      refuse(fmt::format("{} is read at places that follow different indices", buffer.text()));
    a.lo = std::min(a.lo, b.lo);
    a.hi = std::max(a.hi, b.hi);
    return a;
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
    auto whole = nest::int_constant(extent);
    return whole && *whole <= kFarthest ? std::optional(Window{{}, 0, *whole - 1}) : std::nullopt;
  }

  // lo <= den * at - num * index <= hi as proved; at == floor((num * index + o) / den) for an o in lo + den - 1 .. hi.
  std::optional<Window> following(const Expr& at, size_t k, int64_t num, int64_t den) {
    Expr index = nest::mul(nest::constant(num), nest::var(indices_[k].name, prim::Type::I64));
    Expr place = nest::mul(nest::constant(den), at);
    auto hi = least([&](int64_t h) { return facts_.prove_at_most(place, nest::add(index, nest::constant(h))); });
    if (!hi) return std::nullopt;
    auto lo = least([&](int64_t l) { return facts_.prove_at_most(nest::sub(index, nest::constant(l)), place); });
    if (!lo) return std::nullopt;
    return Window{k, std::min(*hi, -*lo + den - 1), *hi, num, den};
  }

  const std::vector<Index>& indices_;
  const std::vector<nest::Buffer>& buffers_;
  nest::Facts& facts_;
};

}  // namespace

std::variant<std::vector<WindowedRead>, std::string> find_windows(const std::vector<Index>& indices,
                                                                  const nest::Block& work,
                                                                  const std::vector<nest::Buffer>& buffers,
                                                                  nest::Facts& facts) {
  try {
    return facts.scope([&] {
      Finder finder(indices, buffers, facts);
      finder.body(work);
      return std::move(finder.found);
    });
  } catch (const Refused& r) {
    if (r.error.kind == ErrorKind::Internal) throw;
    return r.error.message;
  }
}

}  // namespace heddle::recognize
