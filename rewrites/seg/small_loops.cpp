#include "rewrites/seg/small_loops.h"

#include <algorithm>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/statements_in.h"

namespace heddle::seg {

using prim::Family;

namespace {

// What one thread does in the time after which sharing it would begin to pay, some ten microseconds.
constexpr int64_t kFewOperations = 16'384;
// A loop's arrays are copied before it begins, so many elements for each of its steps at most.
constexpr int64_t kFewElementsOfStep = 1024;
// A kernel that is longer takes the C compiler longer than it gains.
constexpr int kMostStatements = 500;
// Below this many, a loop is as well off with launches.
constexpr int kFewestLaunches = 2;

bool is_size_of_launch(const Exp& e) {
  return std::holds_alternative<GetSize>(e) || std::holds_alternative<GetSizeMax>(e) ||
         std::holds_alternative<CalcNumBlocks>(e);
}

bool has_blocks(const Body& body) {
  bool found = false;
  for_each_host_stm(body.stms, [&](const StmPtr& s) {
    const auto* op = std::get_if<SegOp>(&s->exp);
    found |= op && op->level.kind != LevelKind::Thread;
  });
  return found;
}

// Host code as a block's: no launches, and no versions, which one thread has no use for.
class InBlock : public HostCodeAlone {
 public:
  bool refused = false;
  int launches = 0;

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  using HostCodeAlone::body;

 private:
  Stms stms(const Stms& in) {
    Stms out;
    for (const StmPtr& s : in) add(*s, out);
    return out;
  }

  void add(const Stm& s, Stms& out) {
    if (const auto* match = std::get_if<Match>(&s.exp); match && match->sort == MatchSort::Equiv)
      return add_one_of(s, *match, out);
    out.push_back(std::make_shared<const Stm>(changed(s)));
  }

  Stm changed(const Stm& s) {
    Stm to = s;
    if (is_size_of_launch(s.exp)) {
      to.exp = Atom{i64(1)};
    } else if (std::holds_alternative<CmpSize>(s.exp)) {
      to.exp = Atom{prim::Value::of_bool(false)};
    } else if (const auto* op = std::get_if<SegOp>(&s.exp)) {
      refused |= op->level.kind != LevelKind::Thread;
      ++launches;
      to = rebuild(*this, s);
      std::get<SegOp>(to.exp).level = SegLevel{LevelKind::InBlock, Virt::None, {}, std::nullopt};
    } else if (const auto* opaque = std::get_if<Opaque>(&s.exp)) {
      refused |= opaque->trace.has_value();
    } else {
      refused |= std::holds_alternative<GpuBody>(s.exp) || std::holds_alternative<WithAcc>(s.exp);
      to = rebuild(*this, s);
    }
    return to;
  }

  // The first that does not want blocks; all compute the same.
  void add_one_of(const Stm& s, const Match& versions, Stms& out) {
    const Body* chosen = versions.otherwise.get();
    for (const Case& c : versions.cases) {
      if (!has_blocks(*c.body)) {
        chosen = c.body.get();
        break;
      }
    }
    const Stms inner = stms(chosen->stms);
    out.insert(out.end(), inner.begin(), inner.end());
    for (size_t k = 0; k < s.pat.size(); ++k) {
      const SubExpRes& r = chosen->result[k];
      out.push_back(std::make_shared<const Stm>(Stm{{s.pat[k]}, s.attrs, r.certs, Atom{r.value}, s.position}));
    }
  }
};

// Says how many operations a step has, in terms of what is known before the loop.
class CountOperations {
 public:
  CountOperations(const NameSet& known, NameSource& names) : known_(known), b_(names) {}

  Builder& builder() { return b_; }
  // Whether all could be counted.
  bool knows_all() const { return knows_all_; }

  SubExp of(const Body& step) { return sum(1, step.stms); }

  SubExp elements(const Type& type) {
    SubExp n = i64(1);
    for (const Dim& d : type.dims) n = product(n, d.is_ext() ? unknown() : d.size());
    return n;
  }

  SubExp steps_of(const ForLoop& form) {
    if (auto n = form.bound.int_constant()) return i64(*n);
    if (form.index_type == prim::Type::I64) return form.bound;
    if (!known_.contains(form.bound.name())) return unknown();
    const prim::Op widen(Family::SExt, form.index_type, prim::Type::I64);
    return made(b_.let("steps", Type::scalar(prim::Type::I64), PrimOp{widen, {form.bound}}));
  }

  SubExp plus(const SubExp& a, const SubExp& b) {
    const auto m = a.int_constant(), n = b.int_constant();
    return m && n ? i64(*m + *n) : made(b_.add64(a, b));
  }

  // At most kEnough, so that nothing overflows.
  SubExp product(const SubExp& a, const SubExp& b) {
    if ((a.is_var() && !known_.contains(a.name())) || (b.is_var() && !known_.contains(b.name()))) return unknown();
    if (a.int_constant() == 1 || b.int_constant() == 1) return a.int_constant() == 1 ? b : a;
    const SubExp x = capped(a), y = capped(b);
    const auto m = x.int_constant(), n = y.int_constant();
    return capped(m && n ? i64(*m * *n) : made(b_.mul(x, y)));
  }

 private:
  static constexpr int64_t kEnough = int64_t{1} << 20;

  SubExp unknown() {
    knows_all_ = false;
    return i64(1);
  }

  // What has been made here is known from there on.
  SubExp made(SubExp x) {
    if (x.is_var()) known_.insert(x.name());
    return x;
  }

  SubExp capped(const SubExp& x) {
    const auto n = x.int_constant();
    return n ? i64(std::min(*n, kEnough)) : made(b_.min(x, i64(kEnough)));
  }

  SubExp sum(int64_t constant, const Stms& stms) {
    std::optional<SubExp> n;
    for (const StmPtr& s : stms) {
      const SubExp of_stm = of(*s);
      if (auto known = of_stm.int_constant()) {
        constant += *known;
      } else {
        n = n ? plus(*n, of_stm) : of_stm;
      }
    }
    return n ? plus(*n, i64(constant)) : i64(constant);
  }

  SubExp of(const Stm& s) {
    if (const auto* op = std::get_if<SegOp>(&s.exp)) return of(*op);
    if (const auto* loop = std::get_if<Loop>(&s.exp)) return of(*loop);
    if (const auto* match = std::get_if<Match>(&s.exp)) {
      SubExp n = sum(1, match->otherwise->stms);
      for (const Case& c : match->cases) n = plus(n, sum(0, c.body->stms));
      return n;
    }
    if (const auto* screma = std::get_if<Screma>(&s.exp)) return product(screma->width, sum(1, screma->map.body->stms));
    const bool stores = std::holds_alternative<Replicate>(s.exp) || std::holds_alternative<Iota>(s.exp) ||
                        std::holds_alternative<Concat>(s.exp) || std::holds_alternative<Manifest>(s.exp);
    if (stores) return elements(s.pat[0].type);
    const bool of_many = std::holds_alternative<Scatter>(s.exp) || std::holds_alternative<Hist>(s.exp) ||
                         std::holds_alternative<Stream>(s.exp);
    return of_many ? unknown() : i64(1);
  }

  SubExp of(const SegOp& op) {
    int64_t operators = 1;
    for (const SegBinOp& o : op.ops) operators += static_cast<int64_t>(o.lambda.body->stms.size());
    for (const HistOp& h : op.hists) operators += static_cast<int64_t>(h.op.body->stms.size());
    SubExp n = sum(operators, op.body->stms);
    for (const SegDim& d : op.space.dims) n = product(n, d.size);
    return n;
  }

  // Of a loop of launches what a step does, since that is what one thread is to be quick with.
  SubExp of(const Loop& loop) {
    SubExp step = sum(1, loop.body->stms);
    bool launches = false;
    for_each_host_stm(loop.body->stms, [&](const StmPtr& s) { launches |= std::holds_alternative<SegOp>(s->exp); });
    if (launches) return step;
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    return counted ? product(step, steps_of(*counted)) : unknown();
  }

  NameSet known_;
  Builder b_;
  bool knows_all_ = true;
};

class SmallLoops : public HostCodeAlone {
 public:
  explicit SmallLoops(NameSource& names) : names_(names) {}

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  using HostCodeAlone::body;

 private:
  Stms stms(const Stms& in) {
    Stms out;
    for (const StmPtr& s : in) {
      const auto* loop = std::get_if<Loop>(&s->exp);
      std::optional<Stms> versions = loop ? versions_of(*s, *loop) : std::nullopt;
      if (!versions) {
        out.push_back(runs_on_device(s->exp) ? s : std::make_shared<const Stm>(rebuild(*this, *s)));
        continue;
      }
      out.insert(out.end(), versions->begin(), versions->end());
    }
    return out;
  }

  // None where the loop is no kernel, or it is not known before how much it does.
  std::optional<Stms> versions_of(const Stm& s, const Loop& loop) {
    for (const Param& p : loop.params) {
      if (p.type.is_acc()) return std::nullopt;
    }
    InBlock in_block;
    Loop inner = loop;
    inner.body = in_block.body(loop.body);
    if (in_block.refused || in_block.launches < kFewestLaunches || statements_in(inner) > kMostStatements)
      return std::nullopt;
    CountOperations count(free_names(s.exp), names_);
    const SubExp few = is_small(inner, count);
    if (!count.knows_all()) return std::nullopt;
    Stms all = count.builder().take();
    std::vector<Type> types;
    for (const PatElem& p : s.pat) types.push_back(p.type);
    Match versions{MatchSort::Equiv, {few}, {{{prim::Value::of_bool(true)}, in_kernel(s, inner)}}, as_it_is(s), types};
    all.push_back(std::make_shared<const Stm>(Stm{s.pat, {}, s.certs, std::move(versions), s.position}));
    return all;
  }

  SubExp is_small(const Loop& inner, CountOperations& count) {
    const SubExp operations = count.of(*inner.body);
    SubExp copied = i64(0);
    for (const Param& p : inner.params) {
      if (p.type.is_array()) copied = count.plus(copied, count.elements(p.type));
    }
    const auto* counted = std::get_if<ForLoop>(&inner.form);
    const SubExp may_copy = count.product(i64(kFewElementsOfStep), counted ? count.steps_of(*counted) : i64(1));
    Builder& b = count.builder();
    auto at_most = [&](const SubExp& x, const SubExp& y) {
      return SubExp(
          b.let("few", Type::scalar(prim::Type::Bool), PrimOp{prim::Op(Family::Sle, prim::Type::I64), {x, y}}));
    };
    const SubExp does_little = at_most(operations, i64(kFewOperations));
    const SubExp copies_little = at_most(copied, may_copy);
    return b.let("small", Type::scalar(prim::Type::Bool),
                 PrimOp{prim::Op(Family::LogAnd, prim::Type::Bool), {does_little, copies_little}});
  }

  Loop renamed(const Loop& loop) {
    Substitution fresh;
    return rename(names_, fresh, loop);
  }

  BodyPtr as_it_is(const Stm& s) {
    Substitution fresh;
    auto loop = std::make_shared<Stm>(rename(names_, fresh, s));
    loop->certs.clear();
    Body body;
    for (const PatElem& p : loop->pat) body.result.push_back({{}, SubExp(p.name)});
    body.stms.push_back(std::move(loop));
    return std::make_shared<const Body>(std::move(body));
  }

  BodyPtr in_kernel(const Stm& s, const Loop& loop) {
    SegOp op;
    op.level = SegLevel{LevelKind::Block, Virt::None, {}, KernelGrid{i64(1), i64(1)}};
    op.space = {names_.fresh("flat"), {{names_.fresh("only"), i64(1)}}};
    Builder kernel(names_);
    Loop own = renamed(loop);
    for (size_t k = 0; k < own.params.size(); ++k) {
      Type type = own.params[k].type;
      if (!type.is_array() || !type.unique) continue;  // whatever is not consumed stays as it is
      type.unique = false;
      own.inits[k] = kernel.let("own", type, Replicate{{}, own.inits[k]});
    }
    Stm inner{{}, s.attrs, {}, std::move(own), s.position};
    auto computed = std::make_shared<KernelBody>();
    for (const PatElem& p : s.pat) {
      inner.pat.push_back({names_.fresh(p.name), p.type});
      op.types.push_back(array_of(p.type, {}));
      computed->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, SubExp(inner.pat.back().name)});
    }
    kernel.add(std::move(inner));
    computed->stms = kernel.take();
    op.body = std::move(computed);

    Stm launch{{}, {}, {}, Atom{}, s.position};
    Builder host(names_);
    for (const PatElem& p : s.pat) launch.pat.push_back({names_.fresh("rows"), array_of(p.type, {i64(1)})});
    const Pat rows = launch.pat;
    launch.exp = std::move(op);
    host.add(std::move(launch));
    Body body;
    for (size_t k = 0; k < s.pat.size(); ++k) {
      const Type type = array_of(s.pat[k].type, {});
      body.result.push_back({{}, host.let("row", type, Index{rows[k].name, row_slice({i64(0)}, type)})});
    }
    body.stms = host.take();
    return std::make_shared<const Body>(std::move(body));
  }

  NameSource& names_;
};

}  // namespace

Program small_loops(const Program& program, NameSource& names) {
  Program out = program;
  SmallLoops loops(names);
  for (FunDef& f : out.functions) f.body = loops.body(f.body);
  return out;
}

Result<Program> small_loops(const Program& program) {
  NameSource names(program.next_tag());
  return small_loops(program, names);
}

}  // namespace heddle::seg
