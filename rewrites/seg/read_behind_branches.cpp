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

bool is_read_of_element(const Stm& s) { return std::holds_alternative<Index>(s.exp) && s.pat[0].type.is_scalar(); }

// Whether the k-th array that a statement makes lies in memory of its own.
bool is_new(const Stm& s, size_t k, const NameSet& come_out) {
  if (come_out.contains(s.pat[k].name)) return true;
  const auto* op = std::get_if<SegOp>(&s.exp);
  return op && (op->kind == SegKind::Red || op->kind == SegKind::Map) && op->level.kind == LevelKind::Thread &&
         (op->kind == SegKind::Red || std::holds_alternative<Returns>(op->body->results[k]));
}

// The new array of one element of which a body yields the element, if it does nothing with it but read it.
std::optional<Name> array_of_result(const Body& b, size_t k, const NameSet& come_out) {
  const SubExpRes& result = b.result[k];
  if (!result.value.is_var() || !result.certs.empty()) return std::nullopt;
  auto bound_as = [](const Stm& s, const Name& n) { return std::ranges::find(s.pat, n, &PatElem::name); };
  auto binding = [&](const Name& n) {
    return std::ranges::find_if(b.stms, [&](const StmPtr& s) { return bound_as(*s, n) != s->pat.end(); });
  };
  const auto read = binding(result.value.name());
  const auto* index = read == b.stms.end() ? nullptr : std::get_if<Index>(&(*read)->exp);
  if (!index || !(*read)->certs.empty() || !is_first(index->slice)) return std::nullopt;
  const auto made = binding(index->array);
  if (made == b.stms.end()) return std::nullopt;
  const auto array = bound_as(**made, index->array);
  const bool is_one = array->type.dims.size() == 1 && array->type.dims[0].size().int_constant() == 1;
  if (!is_one || !is_new(**made, static_cast<size_t>(array - (*made)->pat.begin()), come_out)) return std::nullopt;
  const bool only_read = std::ranges::all_of(
      b.stms, [&](const StmPtr& s) { return is_read_of_element(*s) || !free_names(*s).contains(index->array); });
  return only_read ? std::optional(index->array) : std::nullopt;
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
bool yields_array(Match& match, size_t k, const NameSet& come_out) {
  std::vector<BodyPtr*> bodies = {&match.otherwise};
  for (Case& c : match.cases) bodies.push_back(&c.body);
  std::vector<Name> arrays;
  for (const BodyPtr* b : bodies) {
    std::optional<Name> array = array_of_result(**b, k, come_out);
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

// `come_out`: the arrays that come out of branches so.
Stms read_behind(const Stm& s, NameSet& come_out, NameSource& names) {
  if (!std::holds_alternative<Match>(s.exp)) return just(s);
  Stm branches = s;
  auto& match = std::get<Match>(branches.exp);
  Stms behind;
  for (size_t k = 0; k < match.ret.size(); ++k) {
    const PatElem element = s.pat[k];
    if (!element.type.is_scalar() || is_size(element.name, s.pat) || !yields_array(match, k, come_out)) continue;
    branches.pat[k] = {names.fresh(element.name.base), match.ret[k]};
    come_out.insert(branches.pat[k].name);
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
  NameSet come_out;
  StmExpander expander([&](const Stm& s) { return read_behind(s, come_out, names); }, false);
  for (FunDef& f : out.functions) f.body = expander.body(f.body);
  return out;
}

Result<Program> read_behind_branches(const Program& program) {
  NameSource names(program.next_tag());
  return read_behind_branches(program, names);
}

}  // namespace heddle::seg
