#include "rewrites/recognize/exchanges.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace heddle::recognize {

using nest::Expr;
using prim::Type;

namespace {

constexpr std::array kExchanges = {Exchange::Clamp, Exchange::MirrorAt, Exchange::MirrorOn, Exchange::Wrap};
constexpr size_t kWrap = 3;  // in these
// Offsets of a torus that are tried.
constexpr int64_t kMostOffsets = 16;
using Kinds = std::bitset<kExchanges.size()>;

Expr constant(int64_t c) { return nest::constant(c); }
Expr index(const Name& n) { return nest::var(n, Type::I64); }

Expr below(Exchange by, const Expr& place, const Expr& extent) {
  switch (by) {
    case Exchange::Clamp:
      return constant(0);
    case Exchange::MirrorAt:
      return nest::sub(constant(-1), place);
    case Exchange::MirrorOn:
      return nest::sub(constant(0), place);
    case Exchange::Wrap:
      return nest::add(place, extent);
  }
  return place;
}

Expr above(Exchange by, const Expr& place, const Expr& extent) {
  switch (by) {
    case Exchange::Clamp:
      return nest::sub(extent, constant(1));
    case Exchange::MirrorAt:
      return nest::sub(nest::sub(nest::add(extent, extent), constant(1)), place);
    case Exchange::MirrorOn:
      return nest::sub(nest::sub(nest::add(extent, extent), constant(2)), place);
    case Exchange::Wrap:
      return nest::sub(place, extent);
  }
  return place;
}

class Finder : public nest::Rebuilder<Finder> {
 public:
  Finder(const std::vector<Index>& indices, const nest::Block& work, const std::vector<WindowedRead>& reads,
         const std::vector<nest::Buffer>& buffers, const std::vector<Name>& places, nest::Facts& facts)
      : indices_(indices),
        reads_(reads),
        buffers_(buffers),
        places_(places),
        facts_(facts),
        names_(nest::free_names(work)) {
    names_.merge(nest::bound_in(work));
  }

  void expr(Expr& e) {
    if (const auto* choice = std::get_if<nest::Select>(&e->node)) {
      Expr condition = choice->condition, if_true = choice->if_true, if_false = choice->if_false;
      expr(condition);
      under(choice->condition, true, [&] { expr(if_true); });
      under(choice->condition, false, [&] { expr(if_false); });
      e = nest::select(condition, if_true, if_false);
      return;
    }
    const Expr before = e;
    Rebuilder::expr(e);
    if (const auto* load = std::get_if<nest::Load>(&before->node)) read(*load, e);
  }

  void stmts(const nest::Stmt& s, nest::Block& out) {
    if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      nest::If changed = *branch;
      expr(changed.condition);
      under(branch->condition, true, [&] { body(changed.then_body); });
      under(branch->condition, false, [&] { body(changed.else_body); });
      return out.push_back(nest::stmt(std::move(changed)));
    }
    if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      nest::For changed = *loop;
      facts_.scope([&] {
        facts_.index(loop->index, loop->extent);
        body(changed.body);
      });
      return out.push_back(nest::stmt(std::move(changed)));
    }
    Rebuilder::stmts(s, out);
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      facts_.define(let->name, let->value);
      definitions_.insert_or_assign(let->name, let->value);
    }
  }

  // Those of which something is read beyond its border.
  std::vector<ExchangedDim> dims() const {
    std::vector<ExchangedDim> result;
    for (const Known& k : known_) {
      if (k.kinds.all()) continue;
      for (size_t e = kExchanges.size(); e-- > 0;) {
        if (k.kinds[e]) result.push_back({k.buffer, k.dim, k.extent, kExchanges[e], k.most});
      }
    }
    return result;
  }

 private:
  // What all reads of an array so far may have been exchanged by.
  struct Known {
    Name buffer;
    size_t dim;
    Expr extent;
    Kinds kinds;
    int64_t most;
  };

  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
  }

  void read(const nest::Load& load, Expr& e) {
    auto known = std::ranges::find(reads_, load.buffer, &WindowedRead::buffer);
    auto buffer = std::ranges::find(buffers_, load.buffer, &nest::Buffer::name);
    if (known == reads_.end() || buffer == buffers_.end()) return;
    std::vector<Expr> at = std::get<nest::Load>(e->node).index;
    bool changes = false;
    for (size_t d = 0; d < at.size(); ++d) {
      const stencil::Window& w = known->windows[d];
      if (!w.follows || w.den != 1 || (w.border == stencil::Border::Wrap && w.num != 1)) continue;
      if (std::optional<nest::Polynomial> offset = before_exchange(load, d, buffer->dims[d], w)) {
        at[d] = nest::to_expr(scaled(places_[*w.follows], w) + *offset);
        changes = true;
      }
    }
    if (changes) e = nest::load(load.buffer, e->type, at);
  }

  // o where the index is num * i + o, exchanged as others in this dimension.
  std::optional<nest::Polynomial> before_exchange(const nest::Load& load, size_t d, const Expr& extent,
                                                  const stencil::Window& w) {
    std::vector<nest::Polynomial> offsets;
    find_offsets(load.index[d], w, offsets);
    const bool wraps = w.border == stencil::Border::Wrap;
    for (int64_t o = w.lo; wraps && o <= w.hi && o < w.lo + kMostOffsets; ++o) offsets.emplace_back(o);
    for (const nest::Polynomial& o : offsets) {
      const Expr place = nest::to_expr(scaled(indices_[*w.follows].name, w) + o);
      const Kinds kinds = wraps ? wrapping(load.index[d], place, extent, indices_[*w.follows].extent)
                                : exchanges(load.index[d], place, extent);
      auto same = [&](const Known& k) { return k.buffer == load.buffer && k.dim == d; };
      auto known = std::ranges::find_if(known_, same);
      const int64_t most = w.num == w.den ? std::max(-w.lo, w.hi) : 0;
      if (known == known_.end()) known = known_.insert(known_.end(), {load.buffer, d, extent, Kinds().set(), most});
      const Kinds common = known->kinds & kinds;
      if (common.none()) continue;
      known->kinds = common;
      return o;
    }
    return std::nullopt;
  }

  static nest::Polynomial scaled(const Name& index, const stencil::Window& w) {
    return nest::Polynomial(w.num) * nest::Polynomial::of(index);
  }

  // Whether the kernel has all that is in it: facts know the host's definitions, too.
  bool is_known(const nest::Polynomial& p) const {
    return std::ranges::all_of(p.names(), [&](const Name& n) { return names_.contains(n); });
  }

  // Of the form of the window and within it, in what an index is made of.
  void find_offsets(const Expr& at, const stencil::Window& w, std::vector<nest::Polynomial>& offsets) {
    std::optional<nest::Polynomial> o = facts_.polynomial(at);
    if (o) o = *o - scaled(indices_[*w.follows].name, w);
    if (o && is_known(*o) && std::ranges::none_of(indices_, [&](const Index& i) { return o->mentions(i.name); })) {
      const Expr offset = nest::to_expr(*o);
      const bool is_within =
          facts_.prove_at_most(constant(w.lo), offset) && facts_.prove_at_most(offset, constant(w.hi));
      if (is_within && std::ranges::find(offsets, *o) == offsets.end()) offsets.push_back(*std::move(o));
      return;
    }
    if (const auto* v = std::get_if<nest::Var>(&at->node)) {
      auto it = definitions_.find(v->name);
      if (it != definitions_.end()) find_offsets(it->second, w, offsets);
    } else if (const auto* choice = std::get_if<nest::Select>(&at->node)) {
      find_offsets(choice->if_true, w, offsets);
      find_offsets(choice->if_false, w, offsets);
    } else if (const auto* op = std::get_if<nest::Operation>(&at->node)) {
      for (const Expr& arg : op->args) {
        if (arg->type == Type::I64) find_offsets(arg, w, offsets);
      }
    }
  }

  // What the index may be that place exchanged by: none of these where the place is within the image and is not the index.
  Kinds exchanges(const Expr& at, const Expr& place, const Expr& extent) {
    auto where = [&](const Expr& condition, const Expr& is) {
      if (facts_.prove(condition, false)) return true;
      return facts_.scope([&] {
        facts_.assume(condition);
        facts_.reconsider();
        return facts_.prove_equal(at, is);
      });
    };
    const Expr is_below = nest::less(place, constant(0)), is_above = nest::less(nest::sub(extent, constant(1)), place);
    if (facts_.prove_equal(at, place)) return Kinds().set();
    const bool is_itself = facts_.scope([&] {
      facts_.assume(is_below, false);
      facts_.assume(is_above, false);
      facts_.reconsider();
      return facts_.prove_equal(at, place);
    });
    Kinds kinds;
    for (size_t k = 0; is_itself && k < kWrap; ++k)
      kinds[k] =
          where(is_below, below(kExchanges[k], place, extent)) && where(is_above, above(kExchanges[k], place, extent));
    return kinds;
  }

  // Of a torus that is no smaller than the images of its readers, so that a window's width is all that places are beyond it.
  Kinds wrapping(const Expr& at, const Expr& place, const Expr& extent, const Expr& of_reader) {
    if (facts_.prove_equal(at, place)) return Kinds().set();
    const bool wraps = facts_.prove_at_most(of_reader, extent) && differs_by_extents(at, place, extent);
    return Kinds().set(kWrap, wraps);
  }

  // Whether multiples of the extent are between what an index within the image is made of and the place.
  bool differs_by_extents(const Expr& at, const Expr& place, const Expr& extent) {
    for (const Expr& same : {place, nest::add(place, extent), nest::sub(place, extent)}) {
      if (facts_.prove_at_most(at, same) && facts_.prove_at_most(same, at)) return true;
    }
    if (const auto* v = std::get_if<nest::Var>(&at->node)) {
      auto it = definitions_.find(v->name);
      return it != definitions_.end() && differs_by_extents(it->second, place, extent);
    }
    if (const auto* choice = std::get_if<nest::Select>(&at->node)) {
      bool both = true;
      under(choice->condition, true, [&] { both = differs_by_extents(choice->if_true, place, extent); });
      under(choice->condition, false, [&] { both = both && differs_by_extents(choice->if_false, place, extent); });
      return both;
    }
    const auto* o = std::get_if<nest::Operation>(&at->node);
    const bool is_remainder = o && (o->op.family == prim::Family::SMod || o->op.family == prim::Family::SRem);
    return is_remainder && facts_.prove_equal(o->args[1], extent) && differs_by_extents(o->args[0], place, extent);
  }

  const std::vector<Index>& indices_;
  const std::vector<WindowedRead>& reads_;
  const std::vector<nest::Buffer>& buffers_;
  const std::vector<Name>& places_;
  nest::Facts& facts_;
  nest::NameSet names_;  // of the work
  nest::Substitution definitions_;
  std::vector<Known> known_;
};

struct Exchanger : nest::Rebuilder<Exchanger> {
  const Beyond& beyond;
  const std::function<bool(const Name&, size_t)>& goes_on;
  nest::Substitution at_point, on_torus;

  Exchanger(const Beyond& beyond, const std::vector<Index>& indices,
            const std::function<bool(const Name&, size_t)>& goes_on, const std::function<bool(size_t)>& is_torus)
      : beyond(beyond), goes_on(goes_on) {
    for (size_t d = 0; d < indices.size(); ++d) {
      at_point.emplace(beyond.places[d], index(indices[d].name));
      if (is_torus(d)) on_torus.emplace(beyond.places[d], index(indices[d].name));
    }
  }

  bool is_point(const Expr& at) const {
    return std::ranges::any_of(at_point, [&](const auto& point) { return nest::equal(at, point.second); });
  }
  // A torus may be smaller than a window.
  static Expr exchanged_at(const ExchangedDim& dim, const Expr& at) {
    if (dim.by == Exchange::Wrap && dim.most != 1) return nest::mod(at, dim.extent);
    return exchanged(dim.by, at, dim.extent);
  }

  // At places where no point is, a clamp is right, and within the array, unless such a place stands for a point of the other end; nothing else is
  // known to be.
  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (!load) return;
    std::vector<Expr> at = load->index;
    for (size_t d = 0; d < at.size(); ++d) {
      if (goes_on(load->buffer, d)) continue;
      auto same = [&](const ExchangedDim& x) { return x.buffer == load->buffer && x.dim == d; };
      auto known = std::ranges::find_if(beyond.dims, same);
      const bool is_exchanged = known != beyond.dims.end();
      const bool is_clamped = is_exchanged && known->by == Exchange::Clamp;
      at[d] = nest::substitute(is_clamped ? on_torus : at_point, at[d]);
      if (is_exchanged && !is_point(at[d])) at[d] = exchanged_at(*known, at[d]);
    }
    e = nest::load(load->buffer, e->type, at);
  }
};

}  // namespace

Expr exchanged(Exchange by, const Expr& place, const Expr& extent) {
  if (by == Exchange::Clamp) return nest::max(nest::min(place, nest::sub(extent, constant(1))), constant(0));
  return nest::select(nest::less(place, constant(0)), below(by, place, extent),
                      nest::select(nest::less(place, extent), place, above(by, place, extent)));
}

Beyond beyond_borders(const std::vector<Index>& indices, const nest::Block& work,
                      const std::vector<WindowedRead>& reads, const std::vector<nest::Buffer>& buffers,
                      nest::Facts& facts, NameSource& names) {
  Beyond result{work, {}, {}};
  for (const Index& i : indices) result.places.push_back(names.fresh(i.name.base + "_place"));
  facts.scope([&] {
    Finder finder(indices, work, reads, buffers, result.places, facts);
    finder.body(result.work);
    result.dims = finder.dims();
  });
  return result;
}

nest::Block exchanged_but(const Beyond& beyond, const std::vector<Index>& indices,
                          const std::function<bool(const Name&, size_t)>& goes_on,
                          const std::function<bool(size_t)>& is_torus) {
  nest::Block work = beyond.work;
  Exchanger(beyond, indices, goes_on, is_torus).body(work);
  return work;
}

}  // namespace heddle::recognize
