#include "rewrites/seg/propagate_copies.h"

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

class Propagator {
 public:
  Stms stms(const Stms& stms) {
    Stms out;
    for (const StmPtr& s : stms) {
      const bool outside = on_device_;
      on_device_ |= runs_on_device(s->exp);
      Stm now = rebuild(*this, *s);
      on_device_ = outside;
      const auto* copy = std::get_if<Atom>(&now.exp);
      if (copy && copy->value.is_var() && now.certs.empty()) {
        same_.insert_or_assign(now.pat[0].name, copy->value.name());
      } else {
        out.push_back(std::make_shared<const Stm>(std::move(now)));
      }
    }
    return out;
  }

  // Bodies of host code; those of kernels only get other names.
  BodyPtr body(const BodyPtr& b) {
    if (on_device_) return std::make_shared<const Body>(rebuild(*this, *b));
    Stms of_body = stms(b->stms);
    return std::make_shared<const Body>(Body{std::move(of_body), rebuild(*this, b->result)});
  }
  SubExp use(const SubExp& x) { return x.is_var() ? SubExp(use_name(x.name())) : x; }
  Name use_name(const Name& n) {
    auto it = same_.find(n);
    return it == same_.end() ? n : it->second;
  }
  Name bind(const Name& n) { return n; }

 private:
  std::unordered_map<Name, Name> same_;
  bool on_device_ = false;
};

}  // namespace

Result<Program> propagate_copies(const Program& program) {
  Program out = program;
  Propagator constants;
  out.constants = constants.stms(program.constants);
  for (FunDef& f : out.functions) f.body = Propagator(constants).body(f.body);
  return out;
}

}  // namespace heddle::seg
