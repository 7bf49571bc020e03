#include "rewrites/seg/single_elements.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

// The indices of the only element of such a slice.
std::optional<Slice> only_element(const Slice& slice) {
  Slice indices;
  for (const DimIndex& d : slice) {
    const auto* range = std::get_if<DimSlice>(&d);
    if (range && range->count.int_constant() != 1) return std::nullopt;
    indices.emplace_back(DimFix{range ? range->start : std::get<DimFix>(d).index});
  }
  return indices;
}

struct Place {
  Name array;
  Slice indices;
  Certs certs;
};

// Arrays of one element that are slices. What is bound several times is left out.
std::unordered_map<Name, Place> places_of_slices(const FunDef& function) {
  std::unordered_map<Name, Place> places;
  NameSet bound, again;
  for_each_host_stm(function.body->stms, [&](const StmPtr& s) {
    for (const PatElem& p : s->pat) {
      if (!bound.insert(p.name).second) again.insert(p.name);
    }
    const auto* index = std::get_if<Index>(&s->exp);
    auto element = index ? only_element(index->slice) : std::nullopt;
    if (element) places.insert_or_assign(s->pat[0].name, Place{index->array, std::move(*element), s->certs});
  });
  for (const Name& n : again) places.erase(n);
  return places;
}

Stms by_element(const Stm& s, const std::unordered_map<Name, Place>& places, NameSource& names) {
  const auto* update = std::get_if<Update>(&s.exp);
  const bool of_array = update && std::ranges::any_of(update->slice, [](const DimIndex& d) {
                          return std::holds_alternative<DimSlice>(d);
                        });
  auto element = of_array && !update->safe && update->value.is_var() ? only_element(update->slice) : std::nullopt;
  auto place = element ? places.find(update->value.name()) : places.end();
  if (place == places.end()) return just(s);
  const Place& from = place->second;
  Name value = names.fresh("element");
  Stms out =
      just(Stm{{{value, Type::scalar(s.pat[0].type.elem)}}, {}, from.certs, Index{from.array, from.indices}, {}});
  out.push_back(std::make_shared<const Stm>(
      Stm{s.pat, s.attrs, s.certs, Update{update->array, false, *element, value}, s.position}));
  return out;
}

}  // namespace

Program single_elements(const Program& program, NameSource& names) {
  Program out = program;
  for (FunDef& f : out.functions) {
    const auto places = places_of_slices(f);
    StmExpander expander([&](const Stm& s) { return by_element(s, places, names); }, false);
    f.body = expander.body(f.body);
  }
  return out;
}

Result<Program> single_elements(const Program& program) {
  NameSource names(program.next_tag());
  return single_elements(program, names);
}

}  // namespace heddle::seg
