#include "rewrites/seg/read_behind_branches.h"

#include <algorithm>
#include <optional>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

bool is_first(const Slice& slice) {
  const auto* at = slice.size() == 1 ? std::get_if<DimFix>(&slice[0]) : nullptr;
  return at && at->index.int_constant() == 0;
}

// The array of one element, made in the body, of which it yields the element.
std::optional<Name> array_of_result(const Body& b, size_t k) {
  const SubExpRes& result = b.result[k];
  if (!result.value.is_var() || !result.certs.empty()) return std::nullopt;
  auto binds = [](const Name& n) {
    return [&n](const StmPtr& s) { return std::ranges::any_of(s->pat, [&](const PatElem& p) { return p.name == n; }); };
  };
  const auto read = std::ranges::find_if(b.stms, binds(result.value.name()));
  const auto* index = read == b.stms.end() ? nullptr : std::get_if<Index>(&(*read)->exp);
  if (!index || !(*read)->certs.empty() || !is_first(index->slice)) return std::nullopt;
  const auto made = std::ranges::find_if(b.stms, binds(index->array));
  if (made == b.stms.end()) return std::nullopt;
  const auto array = std::ranges::find((*made)->pat, index->array, &PatElem::name);
  const bool is_one = array->type.dims.size() == 1 && array->type.dims[0].size().int_constant() == 1;
  return is_one ? std::optional(index->array) : std::nullopt;
}

BodyPtr yielding(const BodyPtr& b, size_t k, const Name& array) {
  Body copy = *b;
  const Name element = copy.result[k].value.name();
  copy.result[k].value = array;
  NameSet used;
  for (const SubExpRes& r : copy.result) used.merge(free_names(r));
  for (const StmPtr& s : copy.stms) used.merge(free_names(*s));
  if (!used.contains(element)) std::erase_if(copy.stms, [&](const StmPtr& s) { return s->pat[0].name == element; });
  return std::make_shared<const Body>(std::move(copy));
}

// Changes the k-th result; whether it did.
bool yields_array(Match& match, size_t k) {
  std::vector<BodyPtr*> bodies = {&match.otherwise};
  for (Case& c : match.cases) bodies.push_back(&c.body);
  std::vector<Name> arrays;
  for (const BodyPtr* b : bodies) {
    std::optional<Name> array = array_of_result(**b, k);
    if (!array) return false;
    arrays.push_back(*array);
  }
  for (size_t i = 0; i < bodies.size(); ++i) *bodies[i] = yielding(*bodies[i], k, arrays[i]);
  match.ret[k] = array_of(match.ret[k], {i64(1)});
  return true;
}

// Whether it says how large other results are.
bool is_size(const Name& result, const std::vector<PatElem>& pat) {
  return std::ranges::any_of(pat, [&](const PatElem& p) { return free_names(p.type).contains(result); });
}

Stms read_behind(const Stm& s, NameSource& names) {
  if (!std::holds_alternative<Match>(s.exp)) return just(s);
  Stm branches = s;
  auto& match = std::get<Match>(branches.exp);
  Stms behind;
  for (size_t k = 0; k < match.ret.size(); ++k) {
    const PatElem element = s.pat[k];
    if (!element.type.is_scalar() || is_size(element.name, s.pat) || !yields_array(match, k)) continue;
    branches.pat[k] = {names.fresh(element.name.base), match.ret[k]};
    behind.push_back(std::make_shared<const Stm>(
        Stm{{element}, {}, {}, Index{branches.pat[k].name, row_slice({i64(0)}, element.type)}, s.position}));
  }
  Stms all = just(std::move(branches));
  all.insert(all.end(), behind.begin(), behind.end());
  return all;
}

}  // namespace

Program read_behind_branches(const Program& program, NameSource& names) {
  Program out = program;
  StmExpander expander([&](const Stm& s) { return read_behind(s, names); }, false);
  for (FunDef& f : out.functions) f.body = expander.body(f.body);
  return out;
}

Result<Program> read_behind_branches(const Program& program) {
  NameSource names(program.next_tag());
  return read_behind_branches(program, names);
}

}  // namespace heddle::seg
