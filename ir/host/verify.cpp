#include "ir/host/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/host/printer.h"
#include "ir/host/traverse.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

namespace {

using nest::to_text;

constexpr prim::Type kI64 = prim::Type::I64, kBool = prim::Type::Bool;

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    for (const nest::Kernel& k : program_.kernels) failures_of(k);
    for (const FamilyKernel& k : program_.family_kernels) failures_of(k.kernel);
    function("the constants", {}, {}, program_.init, &program_.constants);
    for (const Function& f : program_.functions) function(f.entry.name, program_.constants, f.inputs, f.body, nullptr);
    return std::move(problems_);
  }

 private:
  struct Array {
    Type type;
    size_t owner;  // how many blocks are around; 0: borrowed
    bool ended = false;
  };

  template <class... Args>
  void problem(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(fmt::format("{}: {}", where_, fmt::format(format, std::forward<Args>(args)...)));
  }

  // ---- Failures. ----

  void failures_of(const nest::Kernel& kernel) {
    where_ = kernel.name;
    nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
      if (const auto* fail = std::get_if<nest::Fail>(&s->node)) failure(fail->id, fail->args);
    });
  }

  void failure(int number, const std::vector<Expr>& args) {
    if (number < 0 || static_cast<size_t>(number) >= program_.failures.size())
      return problem("there is no failure {}", number);
    std::vector<prim::Type> wanted, given;
    for (const auto& part : program_.failures[static_cast<size_t>(number)].message) {
      if (const auto* type = std::get_if<prim::Type>(&part)) wanted.push_back(*type);
    }
    for (const Expr& e : args) given.push_back(e->type);
    if (wanted != given) problem("failure {} takes other arguments", number);
  }

  // ---- Functions and blocks. ----

  void function(const std::string& name, const std::vector<Binder>& constants, const std::vector<Binder>& inputs,
                const Block& body, const std::vector<Binder>* results) {
    where_ = name;
    variables_.clear();
    bound_.clear();
    frames_.assign(1, {});
    for (const Binder& b : constants) bind(b.name, b.type);
    for (const Binder& b : inputs) bind(b.name, b.type);
    block(body, results);
  }

  void block(const Block& b, const std::vector<Binder>* results) {
    enter();
    statements(b, results);
    leave();
  }

  void statements(const Block& b, const std::vector<Binder>* results) {
    for (const Stmt& s : b.stmts) std::visit([&](const auto& node) { visit(node); }, s->node);
    if (results && results->size() != b.yields.size()) {
      problem("a block yields {} values where {} are expected", b.yields.size(), results->size());
      results = nullptr;
    }
    for (size_t i = 0; i < b.yields.size(); ++i) give(b.yields[i], results ? &(*results)[i].type : nullptr, "a yield");
  }

  void no_yields(const Block& b) {
    static const std::vector<Binder> kNothing;
    block(b, &kNothing);
  }

  void enter() { frames_.emplace_back(); }
  void leave() {
    for (const Name& n : frames_.back()) {
      Array& a = variables_.at(n);
      if (a.type.rank > 0 && !a.ended) problem("the array {} does not end in its block", to_text(n));
      variables_.erase(n);
    }
    frames_.pop_back();
  }

  // ---- Names. ----

  void bind(const Name& n, Type type) {
    if (!bound_.insert(n).second) return problem("{} is bound twice", to_text(n));
    variables_[n] = {type, frames_.size() - 1};
    frames_.back().push_back(n);
  }

  Array* find(const Name& n) {
    auto it = variables_.find(n);
    if (it == variables_.end()) problem("{} is not in scope", to_text(n));
    return it == variables_.end() ? nullptr : &it->second;
  }

  // An array that is mentioned; its type, if it has one.
  Type use(const Name& n) {
    Array* a = find(n);
    if (!a) return {};
    if (a->type.rank == 0) problem("{} is no array", to_text(n));
    if (a->ended) problem("{} is mentioned after its end", to_text(n));
    return a->type;
  }

  Type end(const Name& n) {
    Type type = use(n);
    auto a = variables_.find(n);
    if (a == variables_.end()) return type;
    if (a->second.owner == 0) problem("{} is borrowed, so it cannot end here", to_text(n));
    if (a->second.owner > 0 && a->second.owner != frames_.size() - 1)
      problem("{} ends in another block than its own", to_text(n));
    a->second.ended = true;
    return type;
  }

  void give(const Value& v, const Type* expected, const char* what) {
    Type type;
    if (const auto* array = std::get_if<Name>(&v)) {
      type = end(*array);
    } else {
      expr(std::get<Expr>(v));
      type = {std::get<Expr>(v)->type};
    }
    if (expected && type != *expected)
      problem("{} is {} where {} is expected", what, host::to_text(type), host::to_text(*expected));
  }

  // ---- Expressions. ----

  void expr(const Expr& e) {
    nest::for_each_expr(e, [&](const Expr& x) {
      if (std::holds_alternative<nest::Load>(x->node)) problem("{} reads memory", to_text(e));
      const auto* v = std::get_if<nest::Var>(&x->node);
      if (!v) return;
      const Array* a = find(v->name);
      if (a && a->type != Type{x->type})
        problem("{} is taken for a scalar of type {}", to_text(v->name), prim::name(x->type));
    });
  }
  void expr(const Expr& e, prim::Type type) {
    expr(e);
    if (e->type != type) problem("{} is {} where {} is expected", to_text(e), prim::name(e->type), prim::name(type));
  }
  void all(const std::vector<Expr>& list, prim::Type type = kI64) {
    for (const Expr& e : list) expr(e, type);
  }

  void permutation(const std::vector<int>& perm, size_t rank, const Name& of) {
    std::vector<int> sorted = perm;
    std::ranges::sort(sorted);
    if (sorted != row_major(rank)) problem("the order of {} is no permutation of its dimensions", to_text(of));
  }
  void rank(size_t wanted, const Type& type, const Name& of) {
    if (static_cast<int>(wanted) != type.rank) problem("{} has {} dimensions, not {}", to_text(of), type.rank, wanted);
  }
  void same(const Type& a, const Type& b) {
    if (a != b) problem("{} and {} are no arrays of the same type", host::to_text(a), host::to_text(b));
  }

  // ---- Scalars. ----

  void visit(const Let& s) {
    expr(s.value);
    bind(s.name, {s.value->type});
  }
  void visit(const Measure& s) {
    Type type = use(s.array);
    bool has_dim = s.aspect == Aspect::Size || s.aspect == Aspect::Stride;
    if (has_dim && (s.dim < 0 || s.dim >= type.rank)) problem("{} has no dimension {}", to_text(s.array), s.dim);
    bind(s.name, {kI64});
  }
  void visit(const Ask& s) {
    static constexpr size_t kArgs[] = {3, 4, 2};
    all(s.args);
    if (!in_way_) problem("{} is asked outside of a way", to_text(s.name));
    if (s.args.size() != kArgs[static_cast<size_t>(s.question)])
      problem("{} takes {} arguments", word(s.question), kArgs[static_cast<size_t>(s.question)]);
    bind(s.name, {kI64});
  }
  void param(const std::string& name) {
    if (std::ranges::find(program_.params, name, &TuningParam::name) == program_.params.end())
      problem("there is no tuning parameter {}", name);
  }
  void visit(const GetParam& s) {
    param(s.param);
    bind(s.name, {kI64});
  }
  void visit(const GetMax& s) { bind(s.name, {kI64}); }
  void visit(const Compare& s) {
    param(s.param);
    expr(s.value, kI64);
    bind(s.name, {kBool});
  }
  void visit(const ReadElement& s) {
    Type type = use(s.array);
    all(s.index);
    rank(s.index.size(), type, s.array);
    if (type.elem != s.type) problem("{} has elements of type {}", to_text(s.array), prim::name(type.elem));
    bind(s.name, {s.type});
  }

  // ---- Memory and windows. ----

  void visit(const Alloc& s) {
    all(s.shape);
    permutation(s.order, s.shape.size(), s.name);
    if (s.from) end(*s.from);
    if (s.shape.empty()) problem("{} has no dimensions", to_text(s.name));
    if (s.from && s.for_host) problem("{} cannot be for the host in memory that it takes over", to_text(s.name));
    bind(s.name, {s.elem, static_cast<int>(s.shape.size())});
  }
  void visit(const Free& s) { end(s.array); }
  void visit(const Share& s) { bind(s.name, use(s.array)); }
  void visit(const Slice& s) {
    Type type = use(s.array);
    rank(s.subscripts.size(), type, s.array);
    for (const Subscript& i : s.subscripts) {
      if (const auto* e = std::get_if<Expr>(&i)) {
        expr(*e, kI64);
        --type.rank;
      } else {
        const auto& r = std::get<Range>(i);
        all({r.start, r.count, r.stride});
      }
    }
    if (type.rank == 0) return problem("the slice {} has no dimensions", to_text(s.name));
    bind(s.name, type);
  }
  void visit(const FlatSlice& s) {
    Type type = use(s.array);
    rank(1, type, s.array);
    expr(s.offset, kI64);
    all(s.counts);
    all(s.strides);
    if (s.counts.size() != s.strides.size()) problem("{} has not as many strides as dimensions", to_text(s.name));
    bind(s.name, {type.elem, static_cast<int>(s.counts.size())});
  }
  void visit(const Rearrange& s) {
    Type type = use(s.array);
    permutation(s.perm, static_cast<size_t>(type.rank), s.name);
    bind(s.name, type);
  }
  void visit(const Broadcast& s) {
    Type type = use(s.array);
    all(s.sizes);
    bind(s.name, {type.elem, type.rank + static_cast<int>(s.sizes.size())});
  }
  void visit(const Reshape& s) {
    Type type = use(s.array);
    all(s.shape);
    bind(s.name, {type.elem, static_cast<int>(s.shape.size())});
  }

  // ---- Elements. ----

  void visit(const Manifest& s) {
    Type type = use(s.array);
    permutation(s.order, static_cast<size_t>(type.rank), s.name);
    bind(s.name, type);
  }
  void visit(const Deliver& s) { bind(s.name, use(s.array)); }
  void visit(const Copy& s) { same(use(s.to), use(s.from)); }
  void visit(const Pack& s) {
    if (use(s.to).elem != use(s.from).elem) problem("{} and {} have other elements", to_text(s.to), to_text(s.from));
    all(s.shape);
    all(s.to_strides);
    all(s.from_strides);
  }
  void visit(const Fill& s) { expr(s.value, use(s.array).elem); }
  void visit(const Iota& s) {
    rank(1, use(s.array), s.array);
    all({s.start, s.step});
  }
  void visit(const Upload& s) {
    all(s.values, use(s.array).elem);
    if (s.values.empty()) problem("nothing is uploaded to {}", to_text(s.array));
  }
  void visit(const WriteElement& s) {
    Type type = use(s.array);
    all(s.index);
    rank(s.index.size(), type, s.array);
    expr(s.value, type.elem);
  }

  // ---- Kernels. ----

  void arguments(const nest::Kernel& k, const std::vector<Expr>& scalars, const std::vector<Name>& buffers) {
    if (scalars.size() != k.scalars.size() || buffers.size() != k.buffers.size()) {
      return problem("{} takes {} scalars and {} buffers, not {} and {}", k.name, k.scalars.size(), k.buffers.size(),
                     scalars.size(), buffers.size());
    }
    for (size_t i = 0; i < scalars.size(); ++i) expr(scalars[i], k.scalars[i].type);
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (use(buffers[i]).elem != k.buffers[i].elem)
        problem("{} takes another buffer than {} for {}", k.name, to_text(buffers[i]), to_text(k.buffers[i].name));
    }
  }
  void visit(const Launch& s) {
    if (s.kernel < 0 || static_cast<size_t>(s.kernel) >= program_.kernels.size())
      return problem("there is no kernel {}", s.kernel);
    const nest::Kernel& k = program_.kernels[static_cast<size_t>(s.kernel)];
    if (!k.constants.empty()) problem("the kernel {} has constants that nobody chooses", k.name);
    arguments(k, s.scalars, s.buffers);
  }
  void visit(const LaunchChosen& s) {
    if (!chosen_) return problem("a chosen kernel is launched where none is chosen");
    arguments(chosen_->kernel, s.scalars, s.buffers);
  }

  void record(const Record& r) {
    for (const Member& m : r.members) {
      if (const auto* e = std::get_if<Expr>(&m.value)) {
        expr(*e);
      } else if (const auto* list = std::get_if<std::vector<Expr>>(&m.value)) {
        for (const Expr& e : *list) expr(e, (*list)[0]->type);
      } else {
        for (const Record& inner : std::get<Records>(m.value)) record(inner);
      }
    }
  }

  void visit(const Choose& s) {
    static const std::vector<Binder> kNothing;
    for (const Way& w : s.ways) {
      if (w.kernel < 0 || static_cast<size_t>(w.kernel) >= program_.family_kernels.size()) {
        problem("there is no kernel {} of a family", w.kernel);
        continue;
      }
      enter();
      in_way_ = true;
      statements(w.asked, &kNothing);
      expr(w.guard, kBool);
      statements(w.measured, &kNothing);
      in_way_ = false;
      record(w.shape);
      all(w.sizes);
      all(w.fixed);
      all(w.places);
      const FamilyKernel& kernel = program_.family_kernels[static_cast<size_t>(w.kernel)];
      if (w.sizes.size() != kernel.sizes.size()) problem("{} has {} sizes", kernel.label, kernel.sizes.size());
      if (w.fixed.size() + kernel.chosen.size() != kernel.kernel.constants.size())
        problem("{} has not as many values as constants", kernel.label);
      chosen_ = &kernel;
      static const std::vector<Binder> kDone = {Binder{Name{"done"}, Type{kBool}}};
      block(w.body, w.body.yields.empty() ? &kNothing : &kDone);
      chosen_ = nullptr;
      leave();
    }
    no_yields(s.otherwise);
  }

  // ---- Control. ----

  void visit(const If& s) {
    for (const Case& c : s.cases) {
      expr(c.condition, kBool);
      block(c.body, &s.results);
    }
    block(s.otherwise, &s.results);
    for (const Binder& r : s.results) bind(r.name, r.type);
  }

  void visit(const Loop& s) {
    std::vector<Binder> params;
    for (const LoopParam& p : s.params) {
      give(p.init, &p.binder.type, "the initial value of a loop");
      params.push_back(p.binder);
    }
    const auto* each = std::get_if<ForEach>(&s.form);
    if (each) {
      expr(each->bound);
      if (!prim::is_int(each->bound->type)) problem("the bound of {} is no integer", to_text(each->index));
    }
    enter();
    if (each) bind(each->index, {each->bound->type});
    for (const Binder& p : params) bind(p.name, p.type);
    if (!each) expr(nest::var(std::get<WhileTrue>(s.form).condition, kBool));
    statements(s.body, &params);
    leave();
    if (s.results.size() != params.size())
      return problem("a loop has {} results and {} parameters", s.results.size(), params.size());
    for (size_t i = 0; i < params.size(); ++i) bind(s.results[i], params[i].type);
  }

  void visit(const Assert& s) {
    expr(s.condition, kBool);
    for (const Expr& e : s.args) expr(e);
    failure(s.failure, s.args);
  }
  void visit(const Check& s) { expr(s.condition, kBool); }
  void visit(const Trace& s) {
    if (const auto* array = std::get_if<Name>(&s.value)) {
      use(*array);
    } else {
      expr(std::get<Expr>(s.value));
    }
  }

  const Program& program_;
  std::string where_;
  std::unordered_map<Name, Array> variables_;  // in scope, scalars too
  nest::NameSet bound_;
  std::vector<std::vector<Name>> frames_;  // what is bound in the blocks around; of inputs and constants first
  bool in_way_ = false;
  const FamilyKernel* chosen_ = nullptr;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

}  // namespace heddle::host
