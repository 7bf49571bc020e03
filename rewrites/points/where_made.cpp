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

// The k-th of the arrays that an operation returns first, each with what has been written into it.
template <class Op>
std::optional<seg::SubExp> destination(const std::vector<Op>& ops, std::vector<Name> Op::*arrays, size_t k) {
  for (const Op& op : ops) {
    const std::vector<Name>& all = op.*arrays;
    if (k < all.size()) return seg::SubExp(all[k]);
    k -= all.size();
  }
  return std::nullopt;
}

std::optional<seg::SubExp> destination(const seg::SegOp& op, size_t result) {
  if (!op.hists.empty()) return destination(op.hists, &seg::HistOp::dests, result);
  if (result >= op.body->results.size()) return std::nullopt;
  const auto* writes = std::get_if<seg::WriteReturns>(&op.body->results[result]);
  return writes ? std::optional<seg::SubExp>(writes->array) : std::nullopt;
}

// What an operation's result is the memory of.
std::optional<seg::SubExp> updated(const Defined& d, std::vector<Name>& names) {
  const seg::Exp& e = d.stm->exp;
  if (const auto* atom = std::get_if<seg::Atom>(&e)) return atom->value;
  if (const auto* update = std::get_if<seg::Update>(&e)) return update->array;
  if (const auto* update = std::get_if<seg::FlatUpdate>(&e)) return update->array;
  if (const auto* scatter = std::get_if<seg::Scatter>(&e)) return scatter->dests[d.result].array;
  if (const auto* hist = std::get_if<seg::Hist>(&e)) return destination(hist->ops, &seg::HistOp::dests, d.result);
  if (const auto* with = std::get_if<seg::WithAcc>(&e))
    return destination(with->inputs, &seg::WithAccInput::arrays, d.result);
  if (const auto* op = std::get_if<seg::SegOp>(&e)) return destination(*op, d.result);
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
