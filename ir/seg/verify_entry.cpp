// Entry points and the types that they name.
#include <unordered_set>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not deduce aggregates by itself

std::vector<const EntryType*> referenced(const OpaqueDef& def) {
  std::vector<const EntryType*> refs;
  std::visit(Overloaded{
                 [](const OpaqueType&) {},
                 [](const OpaqueArray&) {},
                 [&](const OpaqueRecord& d) {
                   for (const RecordField& f : d.fields) refs.push_back(&f.type);
                 },
                 [&](const OpaqueRecordArray& d) {
                   for (const RecordField& f : d.fields) refs.push_back(&f.type);
                 },
                 [&](const OpaqueSum& d) {
                   for (const SumVariant& v : d.variants) {
                     for (const SumPayload& p : v.payloads) refs.push_back(&p.type);
                   }
                 },
             },
             def.def);
  return refs;
}

}  // namespace

void Checker::check_opaque_types() {
  std::unordered_set<std::string> known;
  for (const OpaqueDef& def : program_.types) {
    line_ = def.position.line;
    for (const EntryType* type : referenced(def)) {
      auto* ref = std::get_if<OpaqueRef>(type);
      if (ref && !known.contains(ref->name)) {
        problem("Type \"{}\" mentions type \"{}\", which is not defined before it.", def.name, ref->name);
      }
    }
    std::string elem;
    if (auto* a = std::get_if<OpaqueArray>(&def.def)) elem = a->elem;
    if (auto* a = std::get_if<OpaqueRecordArray>(&def.def)) elem = a->elem;
    if (!elem.empty() && !known.contains(elem)) {
      problem("Type \"{}\" is an array of type \"{}\", which is not defined before it.", def.name, elem);
    }
    if (auto* sum = std::get_if<OpaqueSum>(&def.def)) {
      for (const SumVariant& v : sum->variants) {
        for (const SumPayload& p : v.payloads) {
          for (int slot : p.slots) {
            if (slot < 0 || static_cast<size_t>(slot) >= sum->values.size()) {
              problem("Variant #{} of type \"{}\" uses value {}, but the type has only {} values.", v.name, def.name,
                      slot, sum->values.size());
            }
          }
        }
      }
    }
    if (!known.insert(def.name).second) problem("Type \"{}\" is defined twice.", def.name);
  }
}

void Checker::check_entry(const FunDef& f, const EntryPoint& entry) {
  // `types` are the function's, sizes first; `values` are the entry point's.
  auto match = [&](const std::vector<Type>& types, const std::vector<ValueType>& values, std::string_view what) {
    if (types.size() < values.size()) {
      problem("Entry point {} has {} {}s, but its function has only {}.", entry.name, values.size(), what,
              types.size());
      return;
    }
    size_t sizes = types.size() - values.size();
    for (size_t i = 0; i < types.size(); i++) {
      // Values of type () are not mentioned at the entry point.
      if (i < sizes ? same(types[i], i64_type()) || same(types[i], scalar_type(prim::Type::Unit))
                    : !types[i].is_acc() && types[i].elem == values[i - sizes].elem &&
                          types[i].rank() == values[i - sizes].rank) {
        continue;
      }
      problem("{} {} of the function of entry point {} is of type {}, but must be {}.",
              what == "result" ? "Result" : "Parameter", i, entry.name, print(types[i]),
              i < sizes ? "a size, of type i64" : "of type " + print(values[i - sizes]));
    }
  };
  std::vector<ValueType> params, results;
  std::vector<Type> param_types, result_types;
  for (const Param& p : f.params) param_types.push_back(p.type);
  for (const RetType& r : f.ret) result_types.push_back(r.type);
  bool params_known = true, results_known = true;
  auto constituents = [&](const EntryType& type, std::vector<ValueType>& values) {
    auto more = opaque_.constituents(type);
    if (more) {
      values.insert(values.end(), more->begin(), more->end());
    } else {
      problem("The type \"{}\", named at entry point {}, is not defined, or too large.", std::get<OpaqueRef>(type).name,
              entry.name);
    }
    return more.has_value();
  };
  for (const EntryParam& p : entry.params) params_known = constituents(p.type, params) && params_known;
  for (const EntryResult& r : entry.results) results_known = constituents(r.type, results) && results_known;
  if (params_known) match(param_types, params, "parameter");
  if (results_known) match(result_types, results, "result");
}

}  // namespace heddle::seg
