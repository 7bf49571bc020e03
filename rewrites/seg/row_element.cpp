#include "rewrites/seg/row_element.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostStatements = 32, kMostReads = 8;

struct Binding {
  const Stm* stm = nullptr;  // none where the scope does not bind it
  const Scope* scope = nullptr;
};

Binding binding(const Name& n, const Scope& from) {
  for (const Scope* s = &from; s != nullptr; s = s->outer) {
    for (const StmPtr& stm : s->stms) {
      if (std::ranges::any_of(stm->pat, [&](const PatElem& p) { return p.name == n; })) return {stm.get(), s};
    }
  }
  return {};
}

const Screma* as_map(const Stm& s) {
  const auto* map = std::get_if<Screma>(&s.exp);
  return map && map->scans.empty() && map->reduces.empty() && s.certs.empty() ? map : nullptr;
}

const Match* as_branch(const Stm& s) {
  const auto* match = std::get_if<Match>(&s.exp);
  return match && match->is_if() && s.certs.empty() ? match : nullptr;
}

size_t result_of(const Stm& s, const Name& n) {
  size_t which = 0;
  while (s.pat[which].name != n) ++which;
  return which;
}

// Rows of the elements' type behind so many indices.
Type behind(Type type, size_t indices) {
  type.dims.erase(type.dims.begin(), type.dims.begin() + static_cast<long>(indices));
  type.unique = false;
  return type;
}

using Indices = std::span<const SubExp>;

// As row_element, but also of rows, where they are read as they are.
std::optional<SubExp> part_of(const SubExp& value, Indices at, const Type& type, const Scope& scope, Builder& b);

// The same place in the array that a statement takes a view of, if the view is of whole dimensions.
std::optional<Index> within_view(const Stm& s, const Index& view, Indices at) {
  if (!s.certs.empty()) return std::nullopt;
  Index read = view;
  size_t next = 0;
  for (DimIndex& d : read.slice) {
    const auto* whole = std::get_if<DimSlice>(&d);
    if (!whole || next == at.size()) continue;
    if (whole->start != i64(0) || whole->stride != i64(1)) return std::nullopt;
    d = DimFix{at[next++]};
  }
  return read;
}

std::optional<SubExp> of_map(const Stm& s, const Screma& map, size_t which, Indices at, const Scope& scope,
                             Builder& b) {
  Substitution to;
  for (size_t k = 0; k < map.arrays.size(); ++k) {
    const Param& p = map.map.params[k];
    const std::optional<SubExp> row = part_of(map.arrays[k], at.first(1), array_of(p.type, {map.width}), scope, b);
    if (!row) return std::nullopt;
    to.emplace(p.name, *row);
  }
  const Body inside = rename(b.names(), to, *map.map.body);
  b.add_all(inside.stms);
  const SubExpRes& result = inside.result[which];
  if (!result.certs.empty()) return std::nullopt;
  const Scope within{inside.stms, &scope};
  return part_of(result.value, at.subspan(1), behind(s.pat[which].type, 1), within, b);
}

std::optional<BodyPtr> of_case(const Body& body, size_t which, Indices at, const Type& type, const Scope& scope,
                               NameSource& names) {
  Builder b(names);
  Substitution fresh;
  const Body own = rename(names, fresh, body);
  if (!own.result[which].certs.empty()) return std::nullopt;
  b.add_all(own.stms);
  const Scope within{own.stms, &scope};
  const std::optional<SubExp> element = part_of(own.result[which].value, at, type, within, b);
  if (!element) return std::nullopt;
  Body made{{}, {{{}, *element}}};
  NameSet needed = free_names(made);
  made.stms = needed_stms(b.take(), needed);
  return std::make_shared<const Body>(std::move(made));
}

std::optional<SubExp> of_branch(const Stm& s, const Match& match, size_t which, Indices at, const Scope& scope,
                                Builder& b) {
  const Type type = s.pat[which].type;
  if (at.size() != type.dims.size()) return std::nullopt;
  const auto then = of_case(*match.cases[0].body, which, at, type, scope, b.names()),
             other = of_case(*match.otherwise, which, at, type, scope, b.names());
  if (!then || !other) return std::nullopt;
  const Type element = Type::scalar(type.elem);
  return SubExp(b.let("element", element,
                      Match{match.sort, match.subjects, {{match.cases[0].pattern, *then}}, *other, {element}}));
}

std::optional<SubExp> part_of(const SubExp& value, Indices at, const Type& type, const Scope& scope, Builder& b) {
  if (at.empty() && type.is_scalar()) return value;
  if (!value.is_var()) return std::nullopt;
  const Binding made = binding(value.name(), scope);
  if (made.stm && !at.empty()) {
    const size_t which = result_of(*made.stm, value.name());
    if (const Screma* map = as_map(*made.stm)) return of_map(*made.stm, *map, which, at, *made.scope, b);
    if (const Match* match = as_branch(*made.stm)) return of_branch(*made.stm, *match, which, at, *made.scope, b);
  }
  const auto* view = made.stm ? std::get_if<Index>(&made.stm->exp) : nullptr;
  if (made.stm && !view) return std::nullopt;
  if (at.empty()) return value;
  const Type part = behind(type, at.size());
  const std::optional<Index> read = view ? within_view(*made.stm, *view, at) : std::nullopt;
  return SubExp(b.let("element", part, read.value_or(Index{value.name(), row_slice({at.begin(), at.end()}, part)})));
}

struct Work {
  size_t statements = 0, reads = 0;
  bool simple = true;

  void add(const Stms& stms) {
    for (const StmPtr& s : stms) {
      ++statements;
      if (const auto* match = std::get_if<Match>(&s->exp)) {
        for (const Case& c : match->cases) add(c.body->stms);
        add(match->otherwise->stms);
        continue;
      }
      const bool is_read = std::holds_alternative<Index>(s->exp);
      reads += is_read ? 1 : 0;
      simple &= is_read || std::holds_alternative<PrimOp>(s->exp) || std::holds_alternative<Atom>(s->exp) ||
                std::holds_alternative<Assert>(s->exp);
    }
  }
};

}  // namespace

std::optional<SubExp> row_element(const SubExp& value, std::span<const SubExp> at, const Type& type, const Scope& scope,
                                  Builder& b) {
  return at.size() == type.dims.size() ? part_of(value, at, type, scope, b) : std::nullopt;
}

const Stm* maker_of_row(const SubExp& value, const Scope& scope) {
  const Stm* made = value.is_var() ? binding(value.name(), scope).stm : nullptr;
  return made && (as_map(*made) || as_branch(*made)) ? made : nullptr;
}

bool takes_little(const Stms& stms) {
  Work work;
  work.add(stms);
  return work.simple && work.statements <= kMostStatements && work.reads <= kMostReads;
}

}  // namespace heddle::seg
