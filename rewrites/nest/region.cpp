#include "rewrites/nest/region.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/footprint.h"

namespace heddle::nest {

namespace {

NameSet bound_names(const Kernel& kernel) {
  NameSet bound;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    if (const auto* f = std::get_if<For>(&s->node)) bound.insert(f->index);
    if (const auto* l = std::get_if<Let>(&s->node)) bound.insert(l->name);
  });
  return bound;
}

// What a Let computes that is not affine stands for itself.
Polynomial affine(const Expr& index, const Substitution& values) {
  auto p = from_expr(index, [&](const Name& n) {
    auto it = values.find(n);
    return it == values.end() ? nullptr : it->second;
  });
  if (!p) refuse(fmt::format("an index, {}, is not affine", to_text(index)));
  return *p;
}

// The value of an extent, or something that it is at most.
std::optional<Polynomial> at_most(const Expr& extent) {
  if (auto p = from_expr(extent, no_definition)) return p;
  const auto* o = std::get_if<Operation>(&extent->node);
  if (o && o->op.family == prim::Family::SMod) return from_expr(o->args[1], no_definition);
  return std::nullopt;
}

}  // namespace

std::vector<const For*> loops_in(const Block& block) {
  std::vector<const For*> loops;
  for_each_stmt(block, [&](const Stmt& s) {
    if (const auto* f = std::get_if<For>(&s->node)) loops.push_back(f);
  });
  return loops;
}

Region region_of(const Kernel& kernel, const std::vector<Expr>& index, const std::vector<const For*>& moving,
                 Facts& facts) {
  Substitution lets = index_lets(kernel), values = let_values(kernel);
  NameSet bound = bound_names(kernel);
  Region region;
  for (const Expr& e : index) {
    Polynomial p = affine(e, values);
    DimMap map;
    Box box;
    for (const For* f : moving) {
      if (!p.mentions(f->index)) continue;
      Polynomial step = p.coefficient(f->index);
      Expr most = extent_without(f->extent, lets, bound);
      auto count = most ? at_most(most) : std::nullopt;
      if (!count) refuse(fmt::format("the extent of {} is not known at launch", f->index.text()));
      bool is_affine = p.degree_in(f->index) == 1 &&
                       std::ranges::none_of(step.names(), [&](const Name& n) { return bound.contains(n); });
      if (!is_affine) refuse(fmt::format("an index, {}, is not affine", to_text(e)));
      p = p.without(f->index);
      Expr k = to_expr(step), zero = constant(int64_t{0});
      bool forwards = facts.prove_at_most(zero, k);
      if (!forwards && !facts.prove_at_most(k, zero))
        refuse(fmt::format("it is not known in which direction {} moves with {}", to_text(e), f->index.text()));
      map.coefficients.push_back({k, !forwards});
      box.push_back({zero, to_expr(*count)});
    }
    map.constant = to_expr(p);
    Range read = footprint(map, box);
    region.low.push_back(*from_expr(read.low, no_definition));
    region.extent.push_back(*from_expr(read.extent, no_definition));
  }
  return region;
}

std::vector<Region> regions_read(const Kernel& kernel, const Block& block, const Name& buffer,
                                 const std::vector<const For*>& moving, Facts& facts) {
  std::vector<Region> regions;
  for_each_expr(block, [&](const Expr& e) {
    const auto* l = std::get_if<Load>(&e->node);
    if (!l || l->buffer != buffer) return;
    Region r = region_of(kernel, l->index, moving, facts);
    if (std::ranges::find(regions, r) == regions.end()) regions.push_back(std::move(r));
  });
  if (regions.empty()) refuse(fmt::format("{} is not read there", buffer.text()));
  return regions;
}

namespace {

// Whether a condition only asks whether an index is inside of a buffer.
bool asks_bounds(const Expr& condition, const Buffer& buffer, const std::vector<Expr>& index) {
  const auto* o = std::get_if<Operation>(&condition->node);
  if (o && o->op.family == prim::Family::LogAnd)
    return asks_bounds(o->args[0], buffer, index) && asks_bounds(o->args[1], buffer, index);
  for (size_t d = 0; d < index.size(); ++d) {
    if (equal(condition, less(constant(int64_t{-1}), index[d]))) return true;
    if (equal(condition, less(index[d], buffer.dims[d]))) return true;
  }
  return false;
}

struct Redirect : Rebuilder<Redirect> {
  const Copied& c;
  const Substitution values;
  const std::function<bool(const std::vector<Expr>&)>& reads_region;

  Redirect(const Copied& c, Substitution values, const std::function<bool(const std::vector<Expr>&)>& reads_region)
      : c(c), values(std::move(values)), reads_region(reads_region) {}

  void expr(Expr& e) {
    const auto* choice = std::get_if<Select>(&e->node);
    const auto* padded = choice && c.zeros_outside ? std::get_if<Load>(&choice->if_true->node) : nullptr;
    if (padded && padded->buffer == c.source.name && is_constant_zero(choice->if_false) &&
        asks_bounds(choice->condition, c.source, padded->index) && reads_region(padded->index)) {
      Expr element = choice->if_true;
      e = element;
    }
    const auto* l = std::get_if<Load>(&e->node);
    if (!l || l->buffer != c.source.name || !reads_region(l->index)) return Rebuilder<Redirect>::expr(e);
    std::vector<Expr> at;
    for (size_t d = 0; d < l->index.size(); ++d) at.push_back(to_expr(affine(l->index[d], values) - c.region.low[d]));
    e = load(c.copy.name, c.copy.elem, std::move(at));
  }
};

}  // namespace

Block reading_copy(const Kernel& kernel, const Block& block, const Copied& copied,
                   const std::vector<const For*>& moving, Facts& facts) {
  std::function<bool(const std::vector<Expr>&)> reads_region = [&](const std::vector<Expr>& index) {
    return region_of(kernel, index, moving, facts) == copied.region;
  };
  Redirect redirect(copied, let_values(kernel), reads_region);
  Block result = block;
  redirect.body(result);
  return result;
}

}  // namespace heddle::nest
