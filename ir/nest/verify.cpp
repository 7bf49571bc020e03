#include "ir/nest/verify.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/nest/uniform.h"

namespace heddle::nest {

namespace {

using prim::Type;

constexpr int64_t kWarpSize = 32;

bool is_c_identifier(const std::string& s) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !s.empty() && letter(s[0]) && std::ranges::all_of(s, [&](char c) { return letter(c) || digit(c); });
}

bool any_load(const Expr& e) {
  bool found = false;
  for_each_expr(e, [&](const Expr& x) { found |= std::holds_alternative<Load>(x->node); });
  return found;
}

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel)
      : kernel_(kernel), block_(varying(kernel, Scope::Block)), warp_(varying(kernel, Scope::Warp)) {}

  std::vector<std::string> run() {
    head_ = "kernel " + kernel_.name;
    if (!is_c_identifier(kernel_.name)) problem("the name is not a C identifier");
    for (const Name& c : kernel_.constants) {
      bind(c);
      vars_.emplace(c, Type::I64);
      scalars_.insert(c);
      constants_.insert(c);
    }
    if (kernel_.bounds) {
      for (const Expr* e : {&kernel_.bounds->threads, &kernel_.bounds->registers}) {
        typed(*e, Type::I64, "a launch bound");
        if (!fixed(*e)) problem("a launch bound must be constant");
      }
    }
    for (const ScalarParam& p : kernel_.scalars) {
      bind(p.name);
      vars_.emplace(p.name, p.type);
      scalars_.insert(p.name);
    }
    for (const Buffer& b : kernel_.buffers) {
      head_ = to_text(b);
      if (b.space != Space::Global) problem("a parameter must be in global memory");
      buffer(b);
    }
    block(kernel_.body);
    return std::move(problems_);
  }

 private:
  // ---- Reporting. ----

  void problem(const std::string& what) {
    std::string place = at_ ? to_text(Block{at_}) : head_;
    problems_.push_back(fmt::format("{}, at `{}`", what, place.substr(0, place.find('\n'))));
  }

  // ---- Names. ----

  void bind(const Name& name) {
    if (!bound_.insert(name).second) problem(fmt::format("{} is bound twice", name.text()));
  }

  void bind_var(const Name& name, Type type) {
    bind(name);
    vars_.insert_or_assign(name, type);
    in_block_.push_back(name);
  }

  const Buffer* find_buffer(const Name& name) {
    auto it = buffers_.find(name);
    if (it != buffers_.end()) return &it->second;
    problem(fmt::format("no buffer {} is in scope", name.text()));
    return nullptr;
  }

  // ---- Expressions. ----

  void typed(const Expr& e, Type type, std::string_view what) {
    expr(e);
    if (e->type != type) {
      problem(fmt::format("{} has type {} instead of {}", what, prim::name(e->type), prim::name(type)));
    }
  }

  void access(const Name& name, const std::vector<Expr>& index, Type elem) {
    for (const Expr& i : index) typed(i, Type::I64, "an index");
    const Buffer* b = find_buffer(name);
    if (!b) return;
    if (index.size() != b->dims.size()) {
      problem(fmt::format("{} has {} dimensions but is accessed with {} indices", name.text(), b->dims.size(),
                          index.size()));
    }
    if (elem != b->elem) {
      problem(fmt::format("{} holds {} but is accessed as {}", name.text(), prim::name(b->elem), prim::name(elem)));
    }
  }

  void visit(const Const& c, const Expr& e) {
    if (c.value.type != e->type) problem("a constant's type is not that of its value");
  }
  void visit(const Var& v, const Expr& e) {
    auto it = vars_.find(v.name);
    if (it == vars_.end()) return problem(fmt::format("no variable {} is in scope", v.name.text()));
    if (it->second != e->type) {
      problem(
          fmt::format("{} has type {} but is used as {}", v.name.text(), prim::name(it->second), prim::name(e->type)));
    }
  }
  void visit(const Operation& o, const Expr& e) {
    std::string name = prim::name(o.op);
    if (!prim::is_valid(o.op) || static_cast<int>(o.args.size()) != prim::arity(o.op))
      return problem("malformed operation " + name);
    for (const Expr& a : o.args) typed(a, prim::arg_type(o.op), "an operand of " + name);
    if (e->type != prim::result_type(o.op)) problem("wrong result type of " + name);
  }
  void visit(const Call& c, const Expr& e) {
    auto types = c.function->arg_types();
    if (c.args.size() != types.size()) return problem("wrong number of arguments of " + c.function->name);
    for (size_t i = 0; i < types.size(); ++i) typed(c.args[i], types[i], "an argument of " + c.function->name);
    if (e->type != c.function->result) problem("wrong result type of " + c.function->name);
  }
  void visit(const Select& s, const Expr& e) {
    typed(s.condition, Type::Bool, "a condition");
    typed(s.if_true, e->type, "a choice");
    typed(s.if_false, e->type, "a choice");
  }
  void visit(const Load& l, const Expr& e) { access(l.buffer, l.index, e->type); }

  void expr(const Expr& e) {
    std::visit([&](const auto& node) { visit(node, e); }, e->node);
  }

  // ---- Buffers. ----

  bool known_at_launch(const Expr& e) const {
    return !any_load(e) && std::ranges::all_of(free_names(e), [&](const Name& n) { return scalars_.contains(n); });
  }

  // Known when the kernel is compiled.
  bool fixed(const Expr& e) const {
    return !any_load(e) && std::ranges::all_of(free_names(e), [&](const Name& n) { return constants_.contains(n); });
  }

  // The same once the unrolled loops around are written out.
  bool fixed_in_unrolled(const Expr& e) const {
    auto known = [&](const Name& n) { return constants_.contains(n) || unrolled_.contains(n); };
    return !any_load(e) && std::ranges::all_of(free_names(e), known);
  }

  void buffer(const Buffer& b) {
    if (b.strides.size() != b.dims.size()) problem("a buffer has as many strides as dimensions");
    if (b.exchanged && b.space != Space::Global) problem("blocks exchange data in global memory only");
    if (b.read_once && (b.exchanged || b.space != Space::Global))
      problem("only what is in global memory, and does not change, is marked as read once");
    for (const std::vector<Expr>* sizes : {&b.dims, &b.strides}) {
      for (const Expr& e : *sizes) {
        typed(e, Type::I64, "a size");
        if (b.space == Space::Register ? !fixed(e) : !known_at_launch(e)) {
          problem(b.space == Space::Register ? "the size of a register buffer must be constant"
                                             : "the size of a buffer must depend on scalar parameters only");
        }
      }
    }
    bind(b.name);
    buffers_.insert_or_assign(b.name, b);
  }

  void written(const Name& buffer) {
    const Buffer* b = find_buffer(buffer);
    if (b && b->read_once) problem("what is read once nobody writes");
  }

  // ---- Statements. ----

  void visit(const Let& s) {
    expr(s.value);
    bind_var(s.name, s.value->type);
    if (fixed_in_unrolled(s.value)) unrolled_.insert(s.name);
  }

  void visit(const Alloc& s) {
    if (s.buffer.space == Space::Global) problem("only parameters are in global memory");
    if (s.buffer.space == Space::Shared && in_atomic_) problem("an atomic update cannot have shared memory of its own");
    buffer(s.buffer);
    in_block_.push_back(s.buffer.name);
    if (in_atomic_) atomic_locals_.insert(s.buffer.name);
  }

  void visit(const Store& s) {
    expr(s.value);
    access(s.buffer, s.index, s.value->type);
    written(s.buffer);
    // It may be executed several times, until no other thread has interfered.
    if (in_atomic_ && !atomic_locals_.contains(s.buffer)) problem("an atomic update may only write buffers of its own");
  }

  void visit(const For& s) {
    typed(s.extent, Type::I64, "an extent");
    if (auto sort = parallel(s.role)) {
      parallel_loop(s, *sort);
    } else {
      bool known = s.role == Role::Serial || (s.role == Role::Unrolled ? fixed_in_unrolled(s.extent) : fixed(s.extent));
      if (!known) {
        problem(fmt::format("the extent of a loop that is {} must be constant", to_text(s.role)));
      }
      if (s.role == Role::Vector && !is_wide_access(s))
        problem(
            "a vector loop moves neighbouring elements along the last dimension of two buffers, and does nothing else");
      control(s.extent, [&] { loop_body(s); });
    }
  }

  static bool is_wide_access(const For& s) {
    const auto* store = s.body.size() == 1 ? std::get_if<Store>(&s.body[0]->node) : nullptr;
    const auto* load = store ? std::get_if<Load>(&store->value->node) : nullptr;
    if (!load) return false;
    Substitution next = {{s.index, add(var(s.index, Type::I64), constant(int64_t{1}))}};
    for (const std::vector<Expr>* index : {&store->index, &load->index}) {
      for (size_t d = 0; d + 1 < index->size(); ++d) {
        if (free_names((*index)[d]).contains(s.index)) return false;
      }
      if (index->empty()) {
        if (int_constant(s.extent) != 1) return false;
        continue;
      }
      auto before = from_expr(index->back(), no_definition);
      auto after = from_expr(substitute(next, index->back()), no_definition);
      if (!before || !after || *after - *before != Polynomial(1)) return false;
    }
    return true;
  }

  void loop_body(const For& s) {
    size_t mark = in_block_.size();
    bind_var(s.index, Type::I64);
    if (s.role == Role::Unrolled) unrolled_.insert(s.index);
    block(s.body);
    leave(mark);
  }

  void parallel_loop(const For& s, Parallel sort) {
    if (!known_at_launch(s.extent)) {
      problem(fmt::format("the extent of a {} loop must depend on scalar parameters only", to_text(s.role)));
    }
    if (in_atomic_) problem("an atomic update belongs to one thread");
    if (in_lock_) problem("what is done under a lock is done by one thread");
    for (Role outer : roles_) {
      if (outer > s.role) problem(fmt::format("a {} loop cannot be inside a {} loop", to_text(s.role), to_text(outer)));
    }
    std::vector<const For*> inside = outermost_loops(s.body, sort);
    for (const For* other : inside) {
      if (!same_extents(nest_extents(*other), nest_extents(*inside[0]))) {
        problem(fmt::format("the {} loops inside a parallel loop must have the same extents", to_text(other->role)));
      }
    }
    if (s.role == Role::Lane && std::ranges::count(roles_, Role::Lane) == 0) {
      auto lanes = int_constant(num_iterations(nest_extents(s)));
      if (lanes ? *lanes != kWarpSize : !fixed(num_iterations(nest_extents(s)))) {
        problem(fmt::format("the lane loops of a warp must have {} iterations together", kWarpSize));
      }
    }
    bool outermost = std::ranges::none_of(roles_, [&](Role r) { return parallel(r) == Parallel::Threads; });
    bool idle_before = idle_threads_;
    if (sort == Parallel::Threads && outermost)
      idle_threads_ = !equal(num_iterations(nest_extents(s)), block_size(kernel_));
    roles_.push_back(s.role);
    loop_body(s);
    roles_.pop_back();
    idle_threads_ = idle_before;
  }

  static bool same_extents(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
  }

  void visit(const While& s) {
    typed(s.condition, Type::Bool, "a condition");
    control(s.condition, [&] { block(s.body); });
  }

  void visit(const If& s) {
    typed(s.condition, Type::Bool, "a condition");
    control(s.condition, [&] {
      block(s.then_body);
      block(s.else_body);
    });
  }

  void visit(const AtomicUpdate& s) {
    if (in_atomic_) problem("an atomic update cannot contain another");
    access(s.buffer, s.index, s.value->type);
    const Buffer* b = find_buffer(s.buffer);
    if (b && b->space == Space::Register) problem("registers belong to one thread and need no atomic update");
    if (b && b->exchanged) problem("what blocks exchange is only loaded and stored");
    written(s.buffer);
    size_t mark = in_block_.size();
    bind_var(s.old, s.value->type);
    in_atomic_ = true;
    statements(s.compute);
    expr(s.value);
    in_atomic_ = false;
    atomic_locals_.clear();
    leave(mark);
  }

  void visit(const Locked& s) {
    if (in_atomic_ || in_lock_) problem("what is done under a lock takes no other");
    const Buffer* lock = find_buffer(s.lock);
    if (!lock) return;
    access(s.lock, s.index, lock->elem);
    if (lock->elem != Type::I32 && lock->elem != Type::I64) problem("a lock is an i32 or i64");
    if (lock->space == Space::Register) problem("registers belong to one thread and need no lock");
    written(s.lock);
    in_lock_ = true;
    block(s.body);
    in_lock_ = false;
  }

  void visit(const AsyncCopy& s) {
    if (in_lock_) problem("what is done under a lock cannot be left waiting for a copy");
    if (in_atomic_) problem("an atomic update cannot be left waiting for a copy");
    const Buffer *to = find_buffer(s.to), *from = find_buffer(s.from);
    if (!to || !from) return;
    access(s.to, s.to_index, to->elem);
    access(s.from, s.from_index, to->elem);
    if (to->space != Space::Shared || from->space != Space::Global)
      problem("an asynchronous copy leads from global to shared memory");
    typed(s.elems, Type::I64, "a number of elements");
    typed(s.valid, Type::Bool, "a condition");
    if (!fixed(s.elems)) return problem("the number of elements of an asynchronous copy must be constant");
    if (auto elems = int_constant(s.elems)) {
      int64_t bytes = *elems * prim::size_bytes(to->elem);
      if (*elems != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
        problem(fmt::format("{} bytes cannot be copied asynchronously", bytes));
      if (*elems != 1 && to->dims.empty()) problem("a scalar has no neighbouring elements");
    }
  }

  void visit(const AsyncCommit&) {}

  void visit(const AsyncWait& s) {
    typed(s.pending, Type::I64, "a number of groups");
    if (!fixed(s.pending)) problem("the number of groups that are not waited for must be constant");
  }

  void visit(const Barrier& s) {
    if (in_atomic_) problem("an atomic update belongs to one thread");
    if (in_lock_) problem("who waits at a barrier may not hold a lock");
    if (s.scope == Scope::Block ? block_may_split_ : warp_may_split_) {
      problem("not all threads may reach this barrier");
    } else if (s.scope == Scope::Block && idle_threads_) {
      problem("the threads that have no part in this loop do not reach the barrier");
    }
  }

  void visit(const Shuffle& s) {
    expr(s.value);
    typed(s.lane, Type::I64, "the number of a lane");
    if (in_atomic_) problem("an atomic update belongs to one thread");
    if (in_lock_) problem("what is done under a lock is done by one thread");
    if (std::ranges::count(roles_, Role::Lane) == 0 && std::ranges::count(roles_, Role::Block) == 0) {
      problem("only threads of a block shuffle");
    } else if (warp_may_split_) {
      problem("not all lanes may reach this shuffle");
    }
    bind_var(s.name, s.value->type);
  }

  void visit(const Fail& s) {
    if (in_lock_) problem("a thread that fails may not hold a lock");
    for (const Expr& a : s.args) expr(a);
  }

  // ---- Blocks of statements. ----

  template <class F>
  void control(const Expr& decides, F inside) {
    bool block_before = block_may_split_, warp_before = warp_may_split_;
    block_may_split_ |= block_.depends(decides);
    warp_may_split_ |= warp_.depends(decides);
    inside();
    block_may_split_ = block_before;
    warp_may_split_ = warp_before;
  }

  void statements(const Block& b) {
    Stmt outer = at_;
    for (const Stmt& s : b) {
      at_ = s;
      std::visit([&](const auto& node) { visit(node); }, s->node);
    }
    at_ = outer;
  }

  void block(const Block& b) {
    size_t mark = in_block_.size();
    statements(b);
    leave(mark);
  }

  void leave(size_t mark) {
    while (in_block_.size() > mark) {
      vars_.erase(in_block_.back());
      buffers_.erase(in_block_.back());
      in_block_.pop_back();
    }
  }

  const Kernel& kernel_;
  Varying block_, warp_;
  NameSet scalars_, constants_, bound_;
  NameSet unrolled_;  // indices of unrolled loops, and what follows from them
  std::unordered_map<Name, Type> vars_;
  std::unordered_map<Name, Buffer> buffers_;
  std::vector<Name> in_block_;  // what goes out of scope, innermost last
  std::vector<Role> roles_;     // of the parallel loops around
  bool in_atomic_ = false;
  bool in_lock_ = false;
  NameSet atomic_locals_;
  bool block_may_split_ = false, warp_may_split_ = false, idle_threads_ = false;
  std::string head_;
  Stmt at_;  // the statement being checked; before the first one, head_ says where we are
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace heddle::nest
