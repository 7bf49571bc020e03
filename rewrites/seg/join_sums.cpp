#include "rewrites/seg/join_sums.h"

#include <algorithm>
#include <utility>

#include "ir/seg/traverse.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

namespace {

// A reduction of one value by one operator of ir/prim.
struct Sum {
  StmPtr stm;
  const Screma* soac;
  prim::Op op;
};

std::optional<Sum> sum_of(const Body& body) {
  if (body.result.size() != 1 || !body.result[0].value.is_var()) return std::nullopt;
  const Name& name = body.result[0].value.name();
  for (const StmPtr& s : body.stms) {
    const auto* soac = std::get_if<Screma>(&s->exp);
    if (!soac || s->pat[0].name != name) continue;
    if (s->pat.size() != 1 || !soac->scans.empty() || soac->reduces.size() != 1) return std::nullopt;
    const Body& op = *soac->reduces[0].lambda.body;
    const auto* combine = op.stms.size() == 1 ? std::get_if<PrimOp>(&op.stms[0]->exp) : nullptr;
    if (!combine || op.result[0].value != SubExp(op.stms[0]->pat[0].name)) return std::nullopt;
    return Sum{s, soac, combine->op};
  }
  return std::nullopt;
}

BodyPtr shared(Body body) { return std::make_shared<const Body>(std::move(body)); }

class Join {
 public:
  Join(Name which, Type type, NameSource& names) : which_(std::move(which)), type_(std::move(type)), names_(names) {}

  // What computes the value of the body with the number `which`, of those whose values are sums; nothing where they are none that
  // can be joined.
  std::optional<Body> sums(const std::vector<Body>& bodies) {
    std::vector<Sum> all;
    for (const Body& b : bodies) {
      if (auto sum = sum_of(b)) all.push_back(*sum);
    }
    if (all.size() != bodies.size()) return std::nullopt;
    const Sum& first = all[0];
    auto differs = [&](const Sum& s) {
      return s.op != first.op || s.soac->width != first.soac->width ||
             s.soac->reduces[0].neutral != first.soac->reduces[0].neutral;
    };
    if (std::ranges::any_of(all, differs)) return std::nullopt;

    Body out;
    std::vector<Body> maps;
    Stm joined{{{names_.fresh(first.stm->pat[0].name), type_}}, {}, {}, Atom{i64(0)}, first.stm->position};
    Screma soac{first.soac->width, {}, {{}, {type_}, {}}, {}, first.soac->reduces};
    for (size_t k = 0; k < all.size(); ++k) {
      std::ranges::copy_if(bodies[k].stms, std::back_inserter(out.stms),
                           [&](const StmPtr& s) { return s != all[k].stm; });
      std::ranges::copy(all[k].stm->certs, std::back_inserter(joined.certs));
      std::ranges::copy(all[k].soac->arrays, std::back_inserter(soac.arrays));
      std::ranges::copy(all[k].soac->map.params, std::back_inserter(soac.map.params));
      maps.push_back(*all[k].soac->map.body);
    }
    auto terms = std::ranges::any_of(maps, [](const Body& b) { return sum_of(b).has_value(); })
                     ? sums(maps)
                     : std::optional(choice(maps));
    if (!terms) return std::nullopt;
    soac.map.body = shared(std::move(*terms));
    out.result = {{{}, joined.pat[0].name}};
    joined.exp = std::move(soac);
    out.stms.push_back(std::make_shared<const Stm>(std::move(joined)));
    return out;
  }

 private:
  // All are computed, and one is chosen.
  Body choice(const std::vector<Body>& bodies) {
    Builder b(names_);
    for (const Body& body : bodies) b.add_all(body.stms);
    SubExpRes value = bodies.back().result[0];
    for (size_t k = bodies.size() - 1; k-- > 0;) {
      Name is_this = b.let("is_this", Type::scalar(prim::Type::Bool),
                           PrimOp{prim::Op(prim::Family::Eq, prim::Type::I64), {which_, i64(static_cast<int64_t>(k))}});
      Case taken{{prim::Value::of_bool(true)}, shared({{}, bodies[k].result})};
      value = {{}, b.let("term", type_, Match{MatchSort::Normal, {is_this}, {taken}, shared({{}, {value}}), {type_}})};
    }
    return {b.take(), {value}};
  }

  Name which_;
  Type type_;
  NameSource& names_;
};

const SegOp& op_of(const StmPtr& s) { return std::get<SegOp>(s->exp); }

}  // namespace

std::optional<Stms> join_sums(const Stms& sums, NameSource& names) {
  if (sums.size() < 2) return std::nullopt;
  const SegOp& first = op_of(sums[0]);
  const Name which = names.fresh("sum");
  SegSpace space{names.fresh(first.space.flat), first.space.dims};
  for (SegDim& d : space.dims) d.index = names.fresh(d.index);
  std::vector<Body> bodies;
  for (const StmPtr& s : sums) {
    const SegOp& op = op_of(s);
    const NameSet used = free_names(*op.body);
    auto needs = [&](const StmPtr& other) { return used.contains(other->pat[0].name); };
    if (op.types != first.types || used.contains(op.space.flat) || std::ranges::any_of(sums, needs))
      return std::nullopt;
    Substitution of_point;
    for (size_t d = 0; d < space.dims.size(); ++d)
      of_point.insert_or_assign(op.space.dims[d].index, SubExp(space.dims[d].index));
    const auto& result = std::get<Returns>(op.body->results[0]);
    bodies.push_back(rename(names, of_point, Body{op.body->stms, {{result.certs, result.value}}}));
  }
  auto joined = Join(which, first.types[0], names).sums(bodies);
  if (!joined) return std::nullopt;

  const auto count = static_cast<int64_t>(sums.size());
  const Type& part = sums[0]->pat[0].type;
  space.dims.insert(space.dims.begin(), {which, i64(count)});
  SegOp op{SegKind::Map, first.level, space, {}, {}, first.types, nullptr};
  const SubExpRes& value = joined->result[0];
  op.body = std::make_shared<const KernelBody>(
      KernelBody{joined->stms, {Returns{ReturnsKind::MaySimplify, value.certs, value.value}}});
  Builder b(names);
  Name all = b.let("sums", array_of(part, {i64(count)}), std::move(op));
  for (size_t k = 0; k < sums.size(); ++k) {
    Index one{all, row_slice({i64(static_cast<int64_t>(k))}, part)};
    b.add(Stm{sums[k]->pat, {}, {}, std::move(one), sums[k]->position});
  }
  return b.take();
}

}  // namespace heddle::seg
