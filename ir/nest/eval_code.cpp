#include "ir/nest/eval_code.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

int64_t known(const Expr& e, std::string_view what) {
  if (auto n = int_constant(e)) return *n;
  throw std::invalid_argument(fmt::format("{} cannot be computed: {}", what, to_text(e)));
}

class Compiler {
 public:
  explicit Compiler(const Kernel& kernel)
      : surplus_{nest::has_surplus(kernel, Parallel::Blocks), nest::has_surplus(kernel, Parallel::Threads)} {
    for_each_stmt(kernel.body, [&](const Stmt& s) {
      if (const auto* store = std::get_if<Store>(&s->node)) written_.insert(store->buffer);
      if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) written_.insert(update->buffer);
      if (const auto* locked = std::get_if<Locked>(&s->node)) written_.insert(locked->lock);
      if (const auto* copy = std::get_if<AsyncCopy>(&s->node)) written_.insert(copy->to);
    });
    out_.block_slot = new_slot();
    out_.thread_slot = new_slot();
    for (const Buffer& b : kernel.buffers) buffer(b);
    block(kernel.body);
    emit(Code::End);
  }

  EvalCode take() { return std::move(out_); }

 private:
  // ---- Slots, constants and instructions. ----

  Operand new_slot() {
    Operand slot = top_++;
    out_.num_slots = std::max(out_.num_slots, top_);
    return slot;
  }

  Operand constant_operand(const Value& v) {
    out_.constants.push_back(v);
    return ~static_cast<Operand>(out_.constants.size() - 1);
  }

  int here() const { return static_cast<int>(out_.code.size()); }

  Instr& emit(Code code, const std::vector<Operand>& args = {}) {
    Instr i{code};
    i.first_arg = static_cast<int32_t>(out_.args.size());
    i.num_args = static_cast<int32_t>(args.size());
    out_.args.insert(out_.args.end(), args.begin(), args.end());
    out_.code.push_back(i);
    return out_.code.back();
  }

  int jump(Code code, const std::vector<Operand>& args = {}) {
    emit(code, args);
    return here() - 1;
  }

  void land(int jump) { out_.code[static_cast<size_t>(jump)].target = here(); }

  void apply(Operand dst, Op op, const std::vector<Operand>& args) {
    Instr& i = emit(Code::Apply, args);
    i.op = op;
    i.dst = dst;
  }

  // ---- Expressions. ----

  std::vector<Operand> operands(const std::vector<Expr>& exprs) {
    std::vector<Operand> result;
    for (const Expr& e : exprs) result.push_back(expr(e));
    return result;
  }

  Operand expr(const Expr& e) {
    return std::visit([&](const auto& node) { return visit(node); }, e->node);
  }

  void expr_into(Operand dst, const Expr& e) {
    Operand value = expr(e);
    emit(Code::Copy, {value}).dst = dst;
  }

  Operand visit(const Const& c) { return constant_operand(c.value); }
  Operand visit(const Var& v) { return vars_.at(v.name); }
  Operand visit(const Operation& o) {
    std::vector<Operand> args = operands(o.args);
    Operand dst = new_slot();
    apply(dst, o.op, args);
    return dst;
  }
  Operand visit(const Call& c) {
    std::vector<Operand> args = operands(c.args);
    Instr& i = emit(Code::Call, args);
    i.function = c.function;
    return i.dst = new_slot();
  }
  Operand visit(const Select& s) {
    Operand dst = new_slot();
    int otherwise = jump(Code::JumpUnless, {expr(s.condition)});
    expr_into(dst, s.if_true);
    int end = jump(Code::Jump);
    land(otherwise);
    expr_into(dst, s.if_false);
    land(end);
    return dst;
  }
  Operand visit(const Load& l) {
    std::vector<Operand> args = operands(l.index);
    int32_t number = buffers_.at(l.buffer);
    Instr& i = emit(is_shared_by_threads(number) ? Code::AtomicLoad : Code::Load, args);
    i.buffer = number;
    return i.dst = new_slot();
  }

  // ---- Buffers. ----

  int32_t buffer(const Buffer& b) {
    EvalBuffer e{b.name.text(), b.space, b.elem, {}, {}, b.space != Space::Register && written_.contains(b.name), 1,
                 b.exchanged};
    for (const Expr& d : b.dims) e.dims.push_back(known(d, "the size of " + to_text(b)));
    for (const Expr& s : b.strides) e.strides.push_back(known(s, "the stride of " + to_text(b)));
    for (size_t i = 0; i < e.dims.size(); ++i) e.num_elems += (e.dims[i] - 1) * e.strides[i];
    e.num_elems = std::max<int64_t>(e.num_elems, 0);
    constexpr int64_t kMostElems = int64_t{1} << 28;
    if (b.space != Space::Global && e.num_elems > kMostElems) {
      throw std::invalid_argument(fmt::format("{} has {} elements", to_text(b), e.num_elems));
    }
    out_.buffers.push_back(std::move(e));
    auto number = static_cast<int32_t>(out_.buffers.size() - 1);
    buffers_.emplace(b.name, number);
    return number;
  }

  // Whether others may touch an element of it here between the same two barriers.
  bool is_shared_by_threads(int32_t buffer) const {
    return out_.buffers[static_cast<size_t>(buffer)].exchanged || under_lock_.contains(buffer);
  }

  // ---- Statements. ----

  void block(const Block& b) {
    Operand mark = top_;
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s->node);
    top_ = mark;
  }

  // Frees the slots of intermediate results.
  template <class F>
  void with_scratch(F f) {
    Operand mark = top_;
    f();
    top_ = mark;
  }

  void stmt(const Let& s) {
    // What a variable or constant stands for does not change while the let is in scope.
    if (std::holds_alternative<Var>(s.value->node) || std::holds_alternative<Const>(s.value->node)) {
      vars_.insert_or_assign(s.name, expr(s.value));
      return;
    }
    Operand slot = new_slot();
    with_scratch([&] { expr_into(slot, s.value); });
    vars_.insert_or_assign(s.name, slot);
  }

  void stmt(const Alloc& s) {
    int32_t number = buffer(s.buffer);
    emit(Code::Alloc).buffer = number;
  }

  void stmt(const Store& s) {
    Code code = is_shared_by_threads(buffers_.at(s.buffer)) ? Code::AtomicStore : Code::Store;
    with_scratch([&] { store(code, s.buffer, operands(s.index), s.value); });
  }

  void store(Code code, const Name& buffer, std::vector<Operand> args, const Expr& value) {
    args.push_back(expr(value));
    emit(code, args).buffer = buffers_.at(buffer);
  }

  void stmt(const For& s) {
    if (auto sort = parallel(s.role)) return parallel_loop(s, *sort);
    Operand mark = top_;
    Operand index = new_slot(), extent = new_slot(), more = new_slot();
    with_scratch([&] { expr_into(extent, s.extent); });
    Operand one = constant_operand(Value::i64(1));
    emit(Code::Copy, {constant_operand(Value::i64(0))}).dst = index;
    vars_.insert_or_assign(s.index, index);
    int again = here();
    apply(more, Op(Family::Slt, Type::I64), {index, extent});
    int end = jump(Code::JumpUnless, {more});
    block(s.body);
    apply(index, Op(Family::AddNw, Type::I64), {index, one});
    emit(Code::Jump).target = again;
    land(end);
    top_ = mark;
  }

  void parallel_loop(const For& s, Parallel sort) {
    std::vector<Expr> extents = nest_extents(s);
    int64_t steps = 1;
    for (size_t i = 1; i < extents.size(); ++i) steps *= known(extents[i], "the extent of a parallel loop");
    int64_t extent = known(s.extent, "the extent of a parallel loop");
    size_t which = sort == Parallel::Blocks ? 0 : 1;
    Operand id = which == 0 ? out_.block_slot : out_.thread_slot;

    bool outermost = !inside_[which];
    Operand mark = top_;
    std::optional<int> skip;
    if (outermost && surplus_[which]) {
      Operand active = new_slot();
      Operand total = constant_operand(Value::i64(known(num_iterations(extents), "a launch")));
      apply(active, Op(Family::Slt, Type::I64), {id, total});
      skip = jump(Code::JumpUnless, {active});
    }
    Operand index = new_slot();
    apply(index, Op(Family::SDiv, Type::I64), {id, constant_operand(Value::i64(steps))});
    apply(index, Op(Family::SMod, Type::I64), {index, constant_operand(Value::i64(extent))});
    vars_.insert_or_assign(s.index, index);
    inside_[which] = true;
    block(s.body);
    inside_[which] = !outermost;
    if (skip) land(*skip);
    top_ = mark;
  }

  void stmt(const While& s) {
    int again = here(), end = 0;
    with_scratch([&] { end = jump(Code::JumpUnless, {expr(s.condition)}); });
    block(s.body);
    emit(Code::Jump).target = again;
    land(end);
  }

  void stmt(const If& s) {
    int otherwise = 0;
    with_scratch([&] { otherwise = jump(Code::JumpUnless, {expr(s.condition)}); });
    block(s.then_body);
    if (s.else_body.empty()) return land(otherwise);
    int end = jump(Code::Jump);
    land(otherwise);
    block(s.else_body);
    land(end);
  }

  // Nothing can come between the halves, since threads only take turns at barriers.
  void stmt(const AtomicUpdate& s) {
    with_scratch([&] {
      std::vector<Operand> index = operands(s.index);
      Operand old = new_slot();
      Instr& i = emit(Code::AtomicLoad, index);
      i.buffer = buffers_.at(s.buffer);
      i.dst = old;
      vars_.insert_or_assign(s.old, old);
      for (const Stmt& c : s.compute) std::visit([&](const auto& node) { stmt(node); }, c->node);
      store(Code::AtomicStore, s.buffer, index, s.value);
    });
  }

  // Nobody else comes between, for the same reason, so that the lock is never seen taken: it is read to see that it is there.
  void stmt(const Locked& s) {
    with_scratch([&] {
      Instr& i = emit(Code::AtomicLoad, operands(s.index));
      i.buffer = buffers_.at(s.lock);
      i.dst = new_slot();
    });
    for_each_stmt(s.body, [&](const Stmt& inner) {
      const auto* store = std::get_if<Store>(&inner->node);
      auto written = store ? buffers_.find(store->buffer) : buffers_.end();
      if (written == buffers_.end()) return;  // or one of the body's own
      if (out_.buffers[static_cast<size_t>(written->second)].space != Space::Register)
        under_lock_.insert(written->second);
    });
    block(s.body);
    under_lock_.clear();
  }

  void stmt(const AsyncCopy& s) {
    int64_t elems = known(s.elems, "the size of a copy");
    for (int64_t e = 0; e < elems; ++e) {
      with_scratch([&] {
        std::vector<Expr> args;
        for (const std::vector<Expr>* index : {&s.to_index, &s.from_index}) {
          args.insert(args.end(), index->begin(), index->end());
          if (!index->empty()) args.back() = add(args.back(), constant(e));
        }
        args.push_back(s.valid);
        Instr& i = emit(Code::AsyncCopy, operands(args));
        i.buffer = buffers_.at(s.to);
        i.target = buffers_.at(s.from);
      });
    }
  }
  void stmt(const AsyncCommit&) { emit(Code::AsyncCommit); }
  void stmt(const AsyncWait& s) {
    emit(Code::AsyncWait).target = static_cast<int32_t>(known(s.pending, "a number of groups"));
  }
  void stmt(const Barrier& s) { emit(s.scope == Scope::Block ? Code::BlockBarrier : Code::WarpBarrier); }

  void stmt(const Shuffle& s) {
    Operand slot = new_slot();
    with_scratch([&] {
      Operand value = expr(s.value), lane = expr(s.lane);
      emit(Code::Shuffle, {value, lane}).dst = slot;
    });
    vars_.insert_or_assign(s.name, slot);
  }

  void stmt(const Fail& s) {
    with_scratch([&] { emit(Code::Fail, operands(s.args)).target = s.id; });
  }

  EvalCode out_;
  Operand top_ = 0;
  bool surplus_[2];
  bool inside_[2] = {false, false};
  NameSet written_;
  std::unordered_set<int32_t> under_lock_;  // what the locked statements around write
  std::unordered_map<Name, Operand> vars_;
  std::unordered_map<Name, int32_t> buffers_;
};

}  // namespace

EvalCode compile(const Kernel& kernel) { return Compiler(kernel).take(); }

}  // namespace heddle::nest
