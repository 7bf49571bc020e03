#include "rewrites/seg/host_soacs.h"

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

bool is_soac(const Exp& e) {
  return std::holds_alternative<Screma>(e) || std::holds_alternative<Scatter>(e) || std::holds_alternative<Hist>(e) ||
         std::holds_alternative<Stream>(e);
}

Stms to_device(NameSource& names, const Stm& s) {
  GpuBody gpu;
  Substitution fresh;
  Stm inner = rename(names, fresh, s);
  inner.certs.clear();
  Stm outer{{}, {}, s.certs, Atom{}, s.position};
  Stms after;
  auto body = std::make_shared<Body>();
  SubExp zero = prim::Value::i64(0), one = prim::Value::i64(1);
  for (size_t k = 0; k < s.pat.size(); ++k) {
    const PatElem& p = s.pat[k];
    gpu.types.push_back(p.type);
    body->result.push_back({{}, SubExp(inner.pat[k].name)});
    Type on_device = p.type;
    on_device.dims.insert(on_device.dims.begin(), Dim(one));
    Name name = names.fresh(p.name.base + "_dev");
    outer.pat.push_back({name, on_device});
    Slice slice = {DimFix{zero}};
    for (const Dim& d : p.type.dims) slice.emplace_back(DimSlice{zero, d.size(), one});
    after.push_back(std::make_shared<const Stm>(Stm{{p}, {}, {}, Index{name, slice}, s.position}));
  }
  body->stms.push_back(std::make_shared<const Stm>(std::move(inner)));
  gpu.body = std::move(body);
  outer.exp = std::move(gpu);
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
  struct Host {
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
    KernelBodyPtr body(const KernelBodyPtr& b) { return b; }
    WithAccOp with_acc_op(const WithAccOp& op) { return op; }
    SubExp use(const SubExp& x) { return x; }
    Name use_name(const Name& n) { return n; }
    Name bind(const Name& n) { return n; }
  } host{move};
  out.constants = host.stms(program.constants);
  for (FunDef& f : out.functions) f.body = host.body(f.body);
  return out;
}

}  // namespace heddle::seg
