#include "rewrites/seg/store_long_results.h"

#include <algorithm>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

namespace {

// Names that follow from the indices of a point.
class OfPoint {
 public:
  explicit OfPoint(const SegSpace& space) {
    for (const SegDim& d : space.dims) names_.insert(d.index);
    names_.insert(space.flat);
  }

  template <class T>
  bool mentioned_by(const T& x) const {
    return std::ranges::any_of(free_names(x), [&](const Name& n) { return names_.contains(n); });
  }
  void learn(const Stm& s) {
    if (!mentioned_by(s)) return;
    for (const PatElem& p : s.pat) names_.insert(p.name);
  }

 private:
  NameSet names_;
};

// Whether elements are read within, besides those that follow the point in an array of scalars, which its neighbours read as well: what is
// in a loop or an inner map is in another body.
struct ReadsWithin {
  OfPoint of_point;
  bool found = false;
  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& b) {
    for (const StmPtr& s : b->stms) {
      of_point.learn(*s);
      const auto* read = std::get_if<Index>(&s->exp);
      found |= read && (read->slice.size() > 1 || !of_point.mentioned_by(*s));
    }
    return !found;
  }
};

bool is_long(const Stm& s, const OfPoint& of_point) {
  if (!std::holds_alternative<Loop>(s.exp) && !std::holds_alternative<Screma>(s.exp)) return false;
  const auto* inner = std::get_if<Screma>(&s.exp);
  ReadsWithin reads{of_point};
  walk(reads, s);
  return reads.found || (inner && !inner->arrays.empty());
}

// Arrays only of sizes that are known before the points.
bool may_be_stored(const Type& type, LongResults which, const Stms& stms) {
  if (type.is_scalar()) return true;
  return which == LongResults::Arrays && std::ranges::none_of(stms, [&](const StmPtr& s) {
           return std::ranges::any_of(
               type.dims, [&](const Dim& d) { return d.size().is_var() && binds_any(*s, {d.size().name()}); });
         });
}

Stms needed_for(const std::vector<KernelResult>& results, const Stms& stms) {
  NameSet needed = free_names(KernelBody{{}, results});
  return needed_stms(stms, needed);
}

}  // namespace

std::optional<Stms> store_long_results(const Stm& histogram, LongResults which, NameSource& names) {
  const auto& op = std::get<SegOp>(histogram.exp);
  OfPoint of_point(op.space);
  for (const StmPtr& s : op.body->stms) of_point.learn(*s);
  std::vector<std::optional<size_t>> stored;  // of each result, which of the map's it is
  std::vector<KernelResult> found, others;
  std::vector<Type> types;
  for (size_t k = 0; k < op.body->results.size(); ++k) {
    const KernelResult& r = op.body->results[k];
    const Stms computed = needed_for({r}, op.body->stms);
    if (std::ranges::none_of(computed, [&](const StmPtr& s) { return is_long(*s, of_point); })) {
      others.push_back(r);
      stored.emplace_back();
      continue;
    }
    if (!std::holds_alternative<Returns>(r) || !may_be_stored(op.types[k], which, op.body->stms)) return std::nullopt;
    const auto known = static_cast<size_t>(std::ranges::find(found, r) - found.begin());
    if (known == found.size()) {
      found.push_back(r);
      types.push_back(op.types[k]);
    }
    stored.emplace_back(known);
  }
  if (found.empty()) return std::nullopt;

  Shape space;
  for (const SegDim& d : op.space.dims) space.push_back(d.size);
  SegOp map = op;
  map.kind = SegKind::Map;
  map.hists.clear();
  map.types = types;
  Pat pat;
  for (const Type& t : types) pat.push_back({names.fresh("found"), array_of(t, space)});
  map.body = std::make_shared<const KernelBody>(KernelBody{needed_for(found, op.body->stms), found});

  SegOp rest = op;
  rest.space.flat = names.fresh(op.space.flat);
  Substitution to;
  std::vector<SubExp> index;
  for (SegDim& d : rest.space.dims) {
    const Name here = names.fresh(d.index);
    to.emplace(d.index, here);
    d.index = here;
    index.emplace_back(here);
  }
  KernelBody body = rename(names, to, KernelBody{needed_for(others, op.body->stms), others});
  Builder point(names);
  std::vector<SubExp> elements;
  for (size_t f = 0; f < types.size(); ++f)
    elements.emplace_back(point.let("found", types[f], Index{pat[f].name, row_slice(index, types[f])}));
  std::vector<KernelResult> results;
  auto other = body.results.begin();
  for (const std::optional<size_t>& f : stored)
    results.push_back(f ? KernelResult(Returns{ReturnsKind::MaySimplify, {}, elements[*f]}) : *other++);
  point.add_all(body.stms);
  rest.body = std::make_shared<const KernelBody>(KernelBody{point.take(), std::move(results)});

  Builder host(names);
  host.add(Stm{std::move(pat), histogram.attrs, histogram.certs, std::move(map), histogram.position});
  host.add(Stm{histogram.pat, {}, {}, std::move(rest), histogram.position});
  return host.take();
}

}  // namespace heddle::seg
