#include "rewrites/seg/updates_of_neutral.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

using Fills = std::unordered_map<Name, SubExp>;  // what arrays of the host are full of

Fills fills_of(const Program& program) {
  Fills fills;
  for_each_host_stm(program, [&](const StmPtr& s) {
    const auto* fill = std::get_if<Replicate>(&s->exp);
    if (fill && fill->shape.size() == s->pat[0].type.dims.size()) fills.emplace(s->pat[0].name, fill->value);
  });
  return fills;
}

// One accumulator, of scalars, and what becomes of it in bodies that update it once.
class Accumulator {
 public:
  Accumulator(const WithAccInput& input, Name acc)
      : shape_(input.shape), zeros_(input.arrays[0]), acc_(std::move(acc)) {
    elem_ = input.op->op.ret[0];
  }

  Type array() const { return array_of(elem_, shape_); }

  // With an array in place of the accumulator as its result of this number.
  std::optional<Body> body(Body b, size_t result) const {
    const SubExp value = b.result[result].value;
    if (!value.is_var() || !b.result[result].certs.empty()) return std::nullopt;
    if (value.name() == acc_) {
      b.result[result].value = zeros_;
      return b;
    }
    for (StmPtr& s : b.stms) {
      const auto p = std::ranges::find(s->pat, value.name(), &PatElem::name);
      if (p == s->pat.end()) continue;
      const auto number = static_cast<size_t>(p - s->pat.begin());
      if (const auto* same = std::get_if<Atom>(&s->exp)) {
        b.result[result].value = same->value;
        std::erase(b.stms, StmPtr(s));
        return body(std::move(b), result);
      }
      if (const auto* op = std::get_if<SegOp>(&s->exp)) {
        if (const std::optional<Name> stored = moved(*op, b.stms)) {
          b.result[result].value = *stored;
          std::erase(b.stms, StmPtr(s));
          return b;
        }
      }
      std::optional<Exp> changed = computing(s->exp, number);
      if (!changed) return std::nullopt;
      Stm computes = *s;
      computes.exp = std::move(*changed);
      computes.pat[number].type = array();
      s = std::make_shared<const Stm>(std::move(computes));
      return b;
    }
    return std::nullopt;
  }

 private:
  std::optional<Exp> computing(const Exp& e, size_t result) const {
    if (const auto* op = std::get_if<SegOp>(&e)) return points(*op, result);
    const auto* match = std::get_if<Match>(&e);
    if (!match) return std::nullopt;
    Match changed = *match;
    auto branch = [&](BodyPtr& b) {
      std::optional<Body> with = body(*b, result);
      if (with) b = std::make_shared<const Body>(std::move(*with));
      return with.has_value();
    };
    if (!branch(changed.otherwise)) return std::nullopt;
    if (!std::ranges::all_of(changed.cases, [&](Case& c) { return branch(c.body); })) return std::nullopt;
    changed.ret[result] = array();
    return changed;
  }

  // The update that a point makes of its own place, which is this result.
  const Stm* update_of(const SegOp& op, size_t result) const {
    const auto* value = std::get_if<Returns>(&op.body->results[result]);
    if (op.kind != SegKind::Map || op.level.kind != LevelKind::Thread || !value || !value->certs.empty())
      return nullptr;
    for (const StmPtr& s : op.body->stms) {
      const auto* update = std::get_if<UpdateAcc>(&s->exp);
      if (!update || value->value != SubExp(s->pat[0].name)) continue;
      const std::vector<SegDim>& dims = op.space.dims;
      bool own = update->acc == acc_ && update->values.size() == 1 && update->index.size() == dims.size() &&
                 dims.size() == shape_.size();
      for (size_t d = 0; own && d < dims.size(); ++d)
        own = update->index[d] == SubExp(dims[d].index) && dims[d].size == shape_[d];
      return own ? s.get() : nullptr;
    }
    return nullptr;
  }

  std::optional<Exp> points(const SegOp& op, size_t result) const {
    const Stm* update = update_of(op, result);
    if (!update) return std::nullopt;
    KernelBody body = *op.body;
    std::erase_if(body.stms, [&](const StmPtr& s) { return s.get() == update; });
    std::get<Returns>(body.results[result]).value = std::get<UpdateAcc>(update->exp).values[0];
    SegOp changed = op;
    changed.types[result] = elem_;
    changed.body = std::make_shared<const KernelBody>(std::move(body));
    return changed;
  }

  // The array of these statements with whose elements alone points update their places.
  std::optional<Name> moved(const SegOp& op, const Stms& stms) const {
    const Stm* update = op.types.size() == 1 ? update_of(op, 0) : nullptr;
    if (!update || op.body->stms.size() != 2) return std::nullopt;
    const Stm& first = *op.body->stms[0];
    const auto* read = std::get_if<Index>(&first.exp);
    if (!read || !first.certs.empty() || !update->certs.empty()) return std::nullopt;
    if (std::get<UpdateAcc>(update->exp).values[0] != SubExp(first.pat[0].name)) return std::nullopt;
    std::vector<SubExp> at;
    for (const SegDim& d : op.space.dims) at.emplace_back(d.index);
    if (read->slice != row_slice(at, elem_)) return std::nullopt;
    const bool is_whole = std::ranges::any_of(stms, [&](const StmPtr& s) {
      return std::ranges::any_of(s->pat, [&](const PatElem& p) { return p.name == read->array && p.type == array(); });
    });
    return is_whole ? std::optional(read->array) : std::nullopt;
  }

  Shape shape_;
  Name zeros_, acc_;
  Type elem_;
};

// A statement with accumulators, one of which may become an array at a time: then that is its last result.
class With {
 public:
  explicit With(const Stm& s) : s_(s), with_(std::get<WithAcc>(s.exp)) {}

  bool becomes_array(size_t input, const Fills& fills) {
    const WithAccInput& in = with_.inputs[input];
    if (in.arrays.size() != 1 || !in.op || in.op->neutral.size() != 1) return false;
    const auto fill = fills.find(in.arrays[0]);
    if (fill == fills.end() || fill->second != in.op->neutral[0]) return false;
    const size_t inputs = with_.inputs.size();
    const Accumulator accumulator(in, with_.lambda.params[inputs + input].name);
    std::optional<Body> body = accumulator.body(*with_.lambda.body, input);
    if (!body) return false;
    to_end(body->result, input, body->result[input]);
    to_end(with_.lambda.ret, input, accumulator.array());
    size_t result = 0;
    for (size_t k = 0; k < input; ++k) result += with_.inputs[k].arrays.size();
    to_end(s_.pat, result, s_.pat[result]);
    with_.lambda.body = std::make_shared<const Body>(std::move(*body));
    with_.lambda.params.erase(with_.lambda.params.begin() + static_cast<long>(inputs + input));
    with_.lambda.params.erase(with_.lambda.params.begin() + static_cast<long>(input));
    with_.inputs.erase(with_.inputs.begin() + static_cast<long>(input));
    return true;
  }

  size_t inputs() const { return with_.inputs.size(); }

  // Its body's statements, if there are no accumulators left.
  Stms stms() {
    if (!with_.inputs.empty()) {
      s_.exp = std::move(with_);
      return just(std::move(s_));
    }
    Stms all = with_.lambda.body->stms;
    for (size_t k = 0; k < s_.pat.size(); ++k) {
      const SubExpRes& r = with_.lambda.body->result[k];
      all.push_back(std::make_shared<const Stm>(Stm{{s_.pat[k]}, {}, r.certs, Atom{r.value}, s_.position}));
    }
    return all;
  }

 private:
  template <class T>
  static void to_end(std::vector<T>& all, size_t k, T becomes) {
    all.erase(all.begin() + static_cast<long>(k));
    all.push_back(std::move(becomes));
  }

  Stm s_;
  WithAcc with_;
};

}  // namespace

Result<Program> updates_of_neutral(const Program& program) {
  const Fills fills = fills_of(program);
  return expand_host_stms(program, [&](const Stm& s) {
    if (!std::holds_alternative<WithAcc>(s.exp) || !s.certs.empty()) return just(s);
    With with(s);
    for (size_t k = with.inputs(); k-- > 0;) with.becomes_array(k, fills);
    return with.stms();
  });
}

}  // namespace heddle::seg
