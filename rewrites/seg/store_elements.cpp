#include "rewrites/seg/store_elements.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/steps_from.h"

namespace heddle::seg {

namespace {

size_t num_folded(const SegOp& op) {
  size_t n = 0;
  for (const SegBinOp& o : op.ops) n += o.lambda.ret.size();
  return n;
}

// A value of a point, and the array that has it.
struct InMemory {
  Name value, array;
  Type type;
};

const SubExp& value_of(const SegOp& op, size_t k) { return std::get<Returns>(op.body->results[k]).value; }

std::vector<InMemory> scalars_returned(const SegOp& op, const Pat& pat) {
  std::vector<InMemory> scalars;
  for (size_t k = num_folded(op); k < op.types.size(); ++k) {
    const auto* r = std::get_if<Returns>(&op.body->results[k]);
    if (r && r->value.is_var() && is_stored_scalar(op.types[k]))
      scalars.push_back({r->value.name(), pat[k].name, op.types[k]});
  }
  return scalars;
}

// The elements, from what is in memory.
Producer elements_from(const std::vector<InMemory>& stored, const std::vector<Body>& steps, NameSource& names) {
  return [stored, steps, &names](Builder& b, const Operands& segment, const SubExp& j) {
    Operands index = segment, values;
    index.push_back(j);
    for (const Body& each : steps) {
      const NameSet used = free_names(each);
      Substitution to;
      for (const InMemory& s : stored) {
        if (used.contains(s.value))
          to.insert_or_assign(s.value, b.let("element", s.type, Index{s.array, row_slice(index, s.type)}));
      }
      const Body element = rename(names, to, each);
      b.add_all(element.stms);
      values.push_back(element.result[0].value);
    }
    return values;
  };
}

}  // namespace

MapOfElements map_of_elements(const Stm& folded, NameSource& names) {
  const auto& op = std::get<SegOp>(folded.exp);
  Shape space;
  for (const SegDim& d : op.space.dims) space.push_back(d.size);
  SegOp map = op;
  map.kind = SegKind::Map;
  map.ops.clear();
  map.types.clear();
  auto body = std::make_shared<KernelBody>(*op.body);
  body->results.clear();
  Pat pat;
  auto store = [&](const PatElem& array, const Type& type, const KernelResult& value) {
    pat.push_back(array);
    map.types.push_back(type);
    body->results.push_back(value);
  };

  std::vector<InMemory> in_memory = scalars_returned(op, folded.pat);
  std::vector<Body> steps;
  for (size_t k = 0; k < num_folded(op); ++k) {
    NameSet known;
    for (const InMemory& s : in_memory) known.insert(s.value);
    std::optional<Stms> follows = known.empty() ? std::nullopt : steps_from(op, known, value_of(op, k));
    if (!follows) {
      const Scalar narrow = narrowest(op, {value_of(op, k), op.types[k]});
      const Name array = names.fresh("element");
      // A constant is a value of its own.
      const Name value = narrow.value.is_var() ? narrow.value.name() : names.fresh("constant");
      Returns stored = std::get<Returns>(op.body->results[k]);
      stored.value = narrow.value;
      store({array, array_of(narrow.type, space)}, narrow.type, stored);
      in_memory.push_back({value, array, narrow.type});
      follows = narrow.value.is_var() ? steps_from(op, {value}, value_of(op, k)) : Stms{};
      steps.push_back({*follows, {{{}, narrow.value.is_var() ? value_of(op, k) : SubExp(value)}}});
      continue;
    }
    steps.push_back({std::move(*follows), {{{}, value_of(op, k)}}});
  }
  for (size_t k = num_folded(op); k < op.types.size(); ++k) store(folded.pat[k], op.types[k], op.body->results[k]);
  map.body = std::move(body);
  Substitution fresh;
  return {Stm{std::move(pat), folded.attrs, folded.certs, rename(names, fresh, map), folded.position},
          elements_from(in_memory, steps, names)};
}

Stms store_elements(const Stm& folded, NameSource& names) {
  const auto& op = std::get<SegOp>(folded.exp);
  MapOfElements apart = map_of_elements(folded, names);
  const auto folds = static_cast<long>(num_folded(op));

  SegOp fold = op;
  fold.types.resize(num_folded(op));
  fold.space.flat = names.fresh(op.space.flat);
  Operands index;
  for (SegDim& d : fold.space.dims) {
    d.index = names.fresh(d.index);
    index.emplace_back(d.index);
  }
  const SubExp last = index.back();
  index.pop_back();
  Builder point(names);
  auto body = std::make_shared<KernelBody>();
  for (SubExp& e : apart.elements(point, index, last))
    body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, std::move(e)});
  body->stms = point.take();
  fold.body = std::move(body);

  Builder host(names);
  host.add(std::move(apart.map));
  host.add(Stm{{folded.pat.begin(), folded.pat.begin() + folds}, {}, {}, std::move(fold), folded.position});
  return host.take();
}

bool has_elements_in_memory(const Stm& folded, NameSource& names) {
  const MapOfElements elements = map_of_elements(folded, names);
  const auto& map = std::get<SegOp>(elements.map.exp);
  NameSet read;
  for (const StmPtr& s : map.body->stms) {
    if (std::holds_alternative<Index>(s->exp)) read.insert(s->pat[0].name);
  }
  return std::ranges::all_of(map.body->results, [&](const KernelResult& r) {
    const auto* stored = std::get_if<Returns>(&r);
    return stored && stored->value.is_var() && read.contains(stored->value.name());
  });
}

}  // namespace heddle::seg
