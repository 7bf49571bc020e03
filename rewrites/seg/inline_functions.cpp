#include "rewrites/seg/inline_functions.h"

#include <algorithm>
#include <map>
#include <set>

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

// Beyond this many statements a program whose calls multiply at every level is not worth inlining.
constexpr size_t kMaxStatements = 2'000'000;

class Inliner {
 public:
  Inliner(const Program& program, NameSource& names) : program_(program), names_(names) {}

  Stms stms(const Stms& stms) {
    auto expand = [this](const Stm& s) { return expand_call(s); };
    return StmExpander<decltype(expand)>(expand, true).stms(stms);
  }

  BodyPtr body(const FunDef& f) {
    if (auto it = done_.find(f.name); it != done_.end()) return it->second;
    if (!active_.insert(f.name).second) throw Refused{input_error("function " + f.name + " calls itself")};
    auto b = std::make_shared<const Body>(Body{stms(f.body->stms), f.body->result});
    active_.erase(f.name);
    done_.emplace(f.name, b);
    return b;
  }

 private:
  Stms expand_call(const Stm& s) {
    const auto* call = std::get_if<Apply>(&s.exp);
    const FunDef* f = call ? program_.find_function(call->function) : nullptr;
    if (!f) return just(s);
    Substitution to;
    for (size_t k = 0; k < f->params.size(); ++k) to.insert_or_assign(f->params[k].name, call->args.at(k).value);
    BodyPtr callee = body(*f);
    Stms out;
    Body inlined = rename(names_, to, *callee);
    out = std::move(inlined.stms);
    num_statements_ += out.size();
    if (num_statements_ > kMaxStatements) refuse("a program whose functions, inlined, grow beyond any use");
    for (size_t k = 0; k < s.pat.size(); ++k) {
      Certs certs = s.certs;
      certs.insert(certs.end(), inlined.result[k].certs.begin(), inlined.result[k].certs.end());
      out.push_back(std::make_shared<const Stm>(
          Stm{{s.pat[k]}, {}, certs, result_as(s.pat[k].type, f->ret[k].type, inlined.result[k].value), s.position}));
    }
    return out;
  }

  // A result whose sizes the function decides has them under the callee's names; the caller knows them by its own.
  static Exp result_as(const Type& wanted, const Type& declared, const SubExp& value) {
    bool own_sizes = std::any_of(declared.dims.begin(), declared.dims.end(), [](const Dim& d) { return d.is_ext(); });
    if (!own_sizes) return Atom{value};
    Shape shape;
    for (const Dim& d : wanted.dims) shape.push_back(d.size());
    return Reshape{true, shape, value.name()};
  }

  const Program& program_;
  NameSource& names_;
  std::map<std::string, BodyPtr> done_;
  std::set<std::string> active_;
  size_t num_statements_ = 0;
};

// Takes the grids from operations in kernels.
class ByOneThread {
 public:
  Stms stms(const Stms& stms) {
    Stms out;
    for (const StmPtr& s : stms) {
      const bool is_kernel = runs_on_device(s->exp);
      kernels_ += is_kernel;
      Stm inner = rebuild(*this, *s);
      kernels_ -= is_kernel;
      auto* op = std::get_if<SegOp>(&inner.exp);
      if (op && kernels_ > 0) op->level.grid.reset();
      out.push_back(std::make_shared<const Stm>(std::move(inner)));
    }
    return out;
  }

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  KernelBodyPtr body(const KernelBodyPtr& b) {
    return std::make_shared<const KernelBody>(KernelBody{stms(b->stms), b->results});
  }
  WithAccOp with_acc_op(const WithAccOp& op) { return op; }
  SubExp use(const SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  int kernels_ = 0;  // around
};

}  // namespace

Result<Program> inline_functions(const Program& program) try {
  NameSource names(program.next_tag());
  Inliner inliner(program, names);
  Program out;
  out.types = program.types;
  out.constants = ByOneThread().stms(inliner.stms(program.constants));
  for (const FunDef& f : program.functions) {
    if (!f.entry) continue;
    FunDef entry = f;
    entry.body = ByOneThread().body(inliner.body(f));
    out.functions.push_back(std::move(entry));
  }
  return out;
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
