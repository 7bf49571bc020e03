#include "rewrites/seg/host_soacs.h"

#include <utility>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

bool is_soac(const Exp& e) {
  return std::holds_alternative<Screma>(e) || std::holds_alternative<Scatter>(e) || std::holds_alternative<Hist>(e) ||
         std::holds_alternative<Stream>(e);
}

Exp one_body(std::vector<Type> types, StmPtr inner) {
  auto body = std::make_shared<Body>();
  for (const PatElem& p : inner->pat) body->result.push_back({{}, SubExp(p.name)});
  body->stms.push_back(std::move(inner));
  return GpuBody{std::move(types), std::move(body)};
}

Exp one_point(NameSource& names, std::vector<Type> types, StmPtr inner) {
  SegOp op;
  op.types = std::move(types);
  op.space = {names.fresh("flat"), {{names.fresh("i"), i64(1)}}};
  auto body = std::make_shared<KernelBody>();
  for (const PatElem& p : inner->pat) body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, SubExp(p.name)});
  body->stms.push_back(std::move(inner));
  op.body = std::move(body);
  return op;
}

Stms to_device(NameSource& names, const Stm& s) {
  Substitution fresh;
  Stm inner = rename(names, fresh, s);
  inner.certs.clear();
  Stm outer{{}, {}, s.certs, Atom{}, s.position};
  Stms after;
  std::vector<Type> types;
  bool updates = false;
  for (const PatElem& p : s.pat) {
    types.push_back(p.type);
    if (p.type.is_acc()) {
      updates = true;
      outer.pat.push_back(p);
      continue;
    }
    Name name = names.fresh(p.name.base + "_dev");
    outer.pat.push_back({name, array_of(p.type, {i64(1)})});
    after.push_back(
        std::make_shared<const Stm>(Stm{{p}, {}, {}, Index{name, row_slice({i64(0)}, p.type)}, s.position}));
  }
  auto moved = std::make_shared<const Stm>(std::move(inner));
  // A GPU body cannot return accumulators.
  outer.exp = updates ? one_point(names, std::move(types), moved) : one_body(std::move(types), moved);
  Stms out = just(std::move(outer));
  out.insert(out.end(), after.begin(), after.end());
  return out;
}

}  // namespace

Result<Program> host_soacs(const Program& program) {
  NameSource names(program.next_tag());
  Program out = program;
  auto move = [&](const Stm& s) { return is_soac(s.exp) ? to_device(names, s) : just(s); };
  // Only host code is looked at: a SOAC inside a kernel, a GPU body or another SOAC stays.
  struct Host : HostCodeAlone {
    decltype(move)& f;
    Stms stms(const Stms& in) {
      Stms result;
      for (const StmPtr& s : in) {
        bool opaque = is_soac(s->exp) || runs_on_device(s->exp);
        Stms replacement = f(opaque ? *s : rebuild(*this, *s));
        result.insert(result.end(), replacement.begin(), replacement.end());
      }
      return result;
    }
    BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
    using HostCodeAlone::body;
  } host{{}, move};
  out.constants = host.stms(program.constants);
  for (FunDef& f : out.functions) f.body = host.body(f.body);
  return out;
}

}  // namespace heddle::seg
