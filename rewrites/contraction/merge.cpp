#include "rewrites/contraction/merge.h"

#include <algorithm>
#include <unordered_set>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::contraction {

namespace {

using nest::Buffer;
using nest::Expr;
using poly::Polynomial;
using prim::Type;

Polynomial polynomial(const Expr& e) {
  auto p = nest::from_expr(e, nest::no_definition);
  if (!p) refuse("a size is no polynomial");
  return *p;
}

// Sizes that are what equations say. Where an equation has a name on one side, that name is replaced by the other.
class Sizes {
 public:
  Polynomial operator()(Polynomial p) const {
    for (const auto& [name, value] : values_) p = p.substitute(name, value);
    return p;
  }
  Polynomial operator()(const Expr& e) const { return (*this)(polynomial(e)); }
  Expr expr(const Expr& e) const {
    auto p = nest::from_expr(e, nest::no_definition);
    return p ? nest::to_expr((*this)(*p)) : e;
  }

  void demand(const Polynomial& a, const Polynomial& b) {
    Polynomial left = (*this)(a), right = (*this)(b);
    Polynomial difference = left - right;
    if (difference.is_zero()) return;
    if (difference.as_constant()) refuse(left.to_string() + " is not " + right.to_string());
    if (std::ranges::find(demanded_, difference) != demanded_.end()) return;
    demanded_.push_back(difference);
    equations_.push_back({nest::to_expr(left), nest::to_expr(right)});
    auto replace = [&](const Polynomial& side, const Polynomial& other) {
      auto name = side.as_name();
      if (!name || other.mentions(*name)) return false;
      values_.emplace_back(*name, other);
      return true;
    };
    if (!replace(left, right)) replace(right, left);
  }

  const std::vector<Equation>& equations() const { return equations_; }

 private:
  std::vector<std::pair<Name, Polynomial>> values_;  // each over names that are not replaced before it
  std::vector<Polynomial> demanded_;
  std::vector<Equation> equations_;
};

const recognize::Index* find(const std::vector<recognize::Index>& indices, const Name& name) {
  auto it = std::ranges::find(indices, name, &recognize::Index::name);
  return it == indices.end() ? nullptr : &*it;
}

bool mentions(const Expr& e, const Name& n) { return nest::free_names(e).contains(n); }
bool is_index(const Expr& e, const Name& n) {
  const auto* v = std::get_if<nest::Var>(&e->node);
  return v && v->name == n;
}

// ---- Legality. ----

class SideBySideCheck {
 public:
  SideBySideCheck(const recognize::Contraction& c, const std::vector<Buffer>& buffers, const SideBySide& pair)
      : c_(c), buffers_(buffers), pair_(pair), parallel_(find(c.parallel, pair.slow) != nullptr) {
    fast_ = find(parallel_ ? c.parallel : c.reduction, pair.fast);
  }

  void run() {
    for (const recognize::Operand& o : c_.operands) {
      if (auto d = dimension(o)) {
        along(o, *d);
        rows(nest::buffer_named(buffers_, o.buffer), *d);
      }
    }
    if (parallel_) result();
    for (const Name& n : nest::free_names(c_.term)) {
      if (n == pair_.slow || n == pair_.fast || windows_.contains(n)) refuse("a term depends on " + n.text());
    }
    if (windows_.size() == c_.reduction.size()) refuse("nothing would be left to reduce");
  }

  // That of the slow index; the fast one's is the next.
  std::optional<size_t> dimension(const recognize::Operand& o) const {
    std::optional<size_t> slow, fast;
    for (size_t d = 0; d < o.index.size(); ++d) {
      for (auto [name, at] : {std::pair(&pair_.slow, &slow), std::pair(&pair_.fast, &fast)}) {
        if (!o.index[d].mentions(*name)) continue;
        if (*at) refuse(name->text() + " is in several dimensions");
        *at = d;
      }
    }
    if (!slow && !fast) return std::nullopt;
    if (!slow || !fast || *fast != *slow + 1) refuse("the indices are not side by side");
    return slow;
  }

  // The dimension of the result in which the slow index is.
  size_t dimension_of_result() const {
    const std::vector<Expr>& index = c_.result.index;
    size_t slow = index.size();
    for (size_t d = 0; d < index.size(); ++d) {
      if (is_index(index[d], pair_.slow)) slow = d;
    }
    for (size_t d = 0; d < index.size(); ++d) {
      bool expected = (d == slow || !mentions(index[d], pair_.slow)) &&
                      (d == slow + 1 ? is_index(index[d], pair_.fast) : !mentions(index[d], pair_.fast));
      if (!expected) slow = index.size();
    }
    if (slow + 1 >= index.size()) refuse("the indices are not side by side in the result");
    return slow;
  }

  // That the rows of a buffer are as long as the fast index runs, and follow each other.
  void rows(const Buffer& b, size_t slow) {
    sizes.demand(polynomial(fast_->extent), polynomial(b.dims[slow + 1]));
    if (!follow_each_other(b, slow)) refuse("rows do not follow each other");
  }

  bool follow_each_other(const Buffer& b, size_t slow) const {
    std::vector<Expr> strides = b.strides.empty() ? nest::dense_strides(b.dims) : b.strides;
    return sizes(strides[slow]) == sizes(strides[slow + 1]) * sizes(b.dims[slow + 1]);
  }

  const std::unordered_set<Name>& windows() const { return windows_; }
  const recognize::Index& fast() const { return *fast_; }
  Sizes sizes;

 private:
  // That the index is pair.slow alone and, in the next dimension, pair.fast alone.
  void along(const recognize::Operand& o, size_t slow) {
    for (size_t d : {slow, slow + 1}) {
      const Name& own = d == slow ? pair_.slow : pair_.fast;
      Polynomial rest = o.index[d].without(own), by = o.index[d].coefficient(own);
      for (const auto* indices : {&c_.parallel, &c_.reduction}) {
        for (const recognize::Index& i : *indices) {
          if (by.mentions(i.name) || o.index[d].degree_in(i.name) > 1) refuse("an index is not affine");
          if (!rest.mentions(i.name)) continue;
          if (!parallel_ || indices == &c_.parallel) refuse(i.name.text() + " runs along the same dimension");
          sizes.demand(polynomial(i.extent), 1);
          windows_.insert(i.name);
          rest = rest.without(i.name);
        }
      }
      sizes.demand(by, 1);
      sizes.demand(rest, 0);
    }
  }

  void result() {
    rows(nest::buffer_named(buffers_, c_.result.buffer), dimension_of_result());
    for (const recognize::Operand& o : c_.operands) {
      if (o.buffer == c_.result.buffer) refuse("the result's memory is read");
    }
    if (mentions(c_.result.value, c_.result.buffer)) refuse("the result's memory is read");
  }

  const recognize::Contraction& c_;
  const std::vector<Buffer>& buffers_;
  const SideBySide& pair_;
  bool parallel_;
  const recognize::Index* fast_;
  std::unordered_set<Name> windows_;  // reduction indices of extent 1
};

// ---- Rewriting. ----

class Merge {
 public:
  Merge(const recognize::Contraction& c, const std::vector<Buffer>& buffers, const SideBySide& pair,
        const SideBySideCheck& check, NameSource& names)
      : out_{c, {}}, buffers_(buffers), pair_(pair), check_(check), names_(names), both_(names.fresh(pair.fast.base)) {}

  Viewed run() {
    recognize::Contraction& c = out_.contraction;
    for (recognize::Operand& o : c.operands) operand(o);
    if (find(c.parallel, pair_.fast)) result();
    for (auto* indices : {&c.parallel, &c.reduction}) {
      std::erase_if(*indices, [&](const recognize::Index& i) { return check_.windows().contains(i.name); });
      const recognize::Index* slow = find(*indices, pair_.slow);
      for (recognize::Index& i : *indices) i.extent = check_.sizes.expr(i.extent);
      if (!slow) continue;
      Expr rows = slow->extent;
      for (recognize::Index& i : *indices) {
        if (i.name == pair_.fast) i = {both_, nest::to_expr(polynomial(rows) * polynomial(i.extent))};
      }
      std::erase_if(*indices, [&](const recognize::Index& i) { return i.name == pair_.slow; });
    }
    return std::move(out_);
  }

 private:
  // With the sizes that equations say. The dimensions from `slow` on, if any, are merged.
  Buffer& view(const Name& of, std::optional<size_t> slow) {
    Buffer b = nest::buffer_named(buffers_, of);
    if (b.strides.empty()) b.strides = nest::dense_strides(b.dims);
    for (auto* list : {&b.dims, &b.strides}) {
      for (Expr& e : *list) e = check_.sizes.expr(e);
    }
    if (slow) {
      auto at = static_cast<long>(*slow);
      b.dims[*slow + 1] = nest::to_expr(polynomial(b.dims[*slow]) * polynomial(b.dims[*slow + 1]));
      b.dims.erase(b.dims.begin() + at);
      b.strides.erase(b.strides.begin() + at);
    }
    b.name = names_.fresh(of.base);
    out_.views.push_back({std::move(b), of});
    return out_.views.back().buffer;
  }

  void operand(recognize::Operand& o) {
    std::optional<size_t> slow = check_.dimension(o);
    Buffer& b = view(o.buffer, slow);
    o.buffer = b.name;
    if (slow) {
      o.index[*slow + 1] = Polynomial::of(both_);
      o.index.erase(o.index.begin() + static_cast<long>(*slow));
    }
    for (size_t d = o.index.size(); d-- > 0;) {
      bool by_window = false;
      for (const Name& w : check_.windows()) {
        by_window |= o.index[d].mentions(w);
        o.index[d] = o.index[d].without(w);
      }
      o.index[d] = check_.sizes(o.index[d]);
      if (!by_window || !o.index[d].is_zero() || o.index.size() == 1) continue;
      auto at = static_cast<long>(d);
      o.index.erase(o.index.begin() + at);
      b.dims.erase(b.dims.begin() + at);
      b.strides.erase(b.strides.begin() + at);
    }
  }

  // What is computed of the sum reads arrays along the merged index where it can, and else takes that apart.
  void result() {
    nest::Store& r = out_.contraction.result;
    size_t slow = check_.dimension_of_result();
    r.buffer = view(r.buffer, slow).name;
    r.index[slow + 1] = nest::var(both_, Type::I64);
    r.index.erase(r.index.begin() + static_cast<long>(slow));

    struct Loads : nest::Rebuilder<Loads> {
      Merge& merge;
      explicit Loads(Merge& m) : merge(m) {}
      void expr(Expr& e) {
        if (!merge.load(e)) Rebuilder::expr(e);
      }
    } loads(*this);
    loads.expr(r.value);
    Expr both = nest::var(both_, Type::I64), columns = check_.sizes.expr(check_.fast().extent);
    r.value =
        nest::substitute({{pair_.slow, nest::div(both, columns)}, {pair_.fast, nest::mod(both, columns)}}, r.value);
  }

  bool load(Expr& e) {
    const auto* l = std::get_if<nest::Load>(&e->node);
    if (!l) return false;
    const Buffer& b = nest::buffer_named(buffers_, l->buffer);
    size_t slow = 0;
    while (slow < l->index.size() && !is_index(l->index[slow], pair_.slow)) ++slow;
    if (slow + 1 >= l->index.size() || !is_index(l->index[slow + 1], pair_.fast)) return false;
    for (size_t d = 0; d < l->index.size(); ++d) {
      bool own = d == slow || d == slow + 1;
      if (!own && (mentions(l->index[d], pair_.slow) || mentions(l->index[d], pair_.fast))) return false;
    }
    if (check_.sizes(b.dims[slow + 1]) != check_.sizes(check_.fast().extent)) return false;
    if (!check_.follow_each_other(b, slow)) return false;
    std::vector<Expr> index = l->index;
    index[slow + 1] = nest::var(both_, Type::I64);
    index.erase(index.begin() + static_cast<long>(slow));
    e = nest::load(view(l->buffer, slow).name, b.elem, std::move(index));
    return true;
  }

  Viewed out_;
  const std::vector<Buffer>& buffers_;
  const SideBySide& pair_;
  const SideBySideCheck& check_;
  NameSource& names_;
  Name both_;
};

}  // namespace

Result<std::vector<Equation>> side_by_side(const recognize::Contraction& c, const std::vector<Buffer>& buffers,
                                           const SideBySide& pair) {
  try {
    SideBySideCheck check(c, buffers, pair);
    check.run();
    return check.sizes.equations();
  } catch (const Refused& r) {
    return r.error;
  }
}

Viewed merged(const recognize::Contraction& c, const std::vector<Buffer>& buffers, const SideBySide& pair,
              NameSource& names) {
  SideBySideCheck check(c, buffers, pair);
  check.run();
  return Merge(c, buffers, pair, check, names).run();
}

std::optional<Merged> merge_all(const recognize::Contraction& c, const std::vector<Buffer>& buffers,
                                bool with_equations, NameSource& names) {
  Merged result{{c, {}}, {}};
  std::vector<Buffer> all = buffers;
  auto step = [&] {
    for (bool parallel : {true, false}) {
      const recognize::Contraction& now = result.viewed.contraction;
      const std::vector<recognize::Index>& indices = parallel ? now.parallel : now.reduction;
      for (const recognize::Index& slow : indices) {
        for (const recognize::Index& fast : indices) {
          if (slow.name == fast.name) continue;
          SideBySide pair{slow.name, fast.name};
          Result<std::vector<Equation>> equations = side_by_side(now, all, pair);
          if (!equations || (!equations->empty() && !(with_equations && parallel))) continue;
          Viewed next = merged(now, all, pair, names);
          for (const View& v : next.views) {
            all.push_back(v.buffer);
            result.viewed.views.push_back(v);
          }
          result.viewed.contraction = std::move(next.contraction);
          result.equations.insert(result.equations.end(), equations->begin(), equations->end());
          return true;
        }
      }
    }
    return false;
  };
  bool any = false;
  while (step()) any = true;
  return any ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace heddle::contraction
