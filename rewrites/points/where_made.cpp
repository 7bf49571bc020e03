#include "rewrites/points/where_made.h"

#include <algorithm>

namespace heddle::lower {

namespace {

struct Defined {
  const seg::Stm* stm;
  size_t result;
};

std::optional<Defined> definition(const seg::Body& body, const Name& name) {
  for (const seg::StmPtr& s : body.stms) {
    for (size_t k = 0; k < s->pat.size(); ++k) {
      if (s->pat[k].name == name) return Defined{s.get(), k};
    }
  }
  return std::nullopt;
}

// What an operation's result is the memory of.
std::optional<seg::SubExp> updated(const Defined& d, std::vector<Name>& names) {
  const seg::Exp& e = d.stm->exp;
  if (const auto* atom = std::get_if<seg::Atom>(&e)) return atom->value;
  if (const auto* update = std::get_if<seg::Update>(&e)) return update->array;
  if (const auto* update = std::get_if<seg::FlatUpdate>(&e)) return update->array;
  if (const auto* match = std::get_if<seg::Match>(&e)) {
    if (auto kept = kept_by_branches(*match, d.result)) return *kept;
  }
  if (const auto* loop = std::get_if<seg::Loop>(&e)) {
    const Name& param = loop->params[d.result].name;
    names.push_back(param);
    if (where_made(*loop->body, loop->body->result[d.result].value).outside == param) return loop->inits[d.result];
  }
  return std::nullopt;
}

}  // namespace

WhereMade where_made(const seg::Body& body, const seg::SubExp& result) {
  WhereMade made;
  std::optional<seg::SubExp> next = result;
  while (next && next->is_var()) {
    const Name name = next->name();
    const std::optional<Defined> d = definition(body, name);
    if (!d) {
      made.outside = name;
      break;
    }
    made.names.push_back(name);
    next = updated(*d, made.names);
  }
  return made;
}

std::optional<Name> kept_by_branches(const seg::Match& match, size_t result) {
  const std::optional<Name> kept = where_made(*match.otherwise, match.otherwise->result[result].value).outside;
  const bool by_all = std::ranges::all_of(match.cases, [&](const seg::Case& c) {
    return where_made(*c.body, c.body->result[result].value).outside == kept;
  });
  return by_all ? kept : std::nullopt;
}

}  // namespace heddle::lower
