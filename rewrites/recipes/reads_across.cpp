#include "rewrites/recipes/reads_across.h"

#include <unordered_map>

#include "ir/nest/traverse.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Family;

// A warp of 8 x 4 threads takes four lines of cache where one of 32 x 1 takes one, and eight where that takes 32.
constexpr int64_t kAlongForEachAcross = 4;
constexpr int64_t kStepsOfLoop = 8;  // where nobody knows
constexpr int64_t kFar = 16;         // elements, which no two of a warp's threads find in a cache's line any more

constexpr int64_t kReadsOfUnknown = int64_t{1} << 20;  // of a kernel that numbers threads in another way

// By how much a value grows with an index.
enum class Growth { None, One, Far, Unknown };

class GrowthWith {
 public:
  GrowthWith(const Name& index, const nest::Substitution& definitions) : index_(index), definitions_(definitions) {}

  const Name& index() const { return index_; }

  Growth of(const Expr& e) {
    if (const auto* v = std::get_if<nest::Var>(&e->node)) return of(v->name);
    if (const auto* o = std::get_if<nest::Operation>(&e->node)) return of(*o);
    if (const auto* s = std::get_if<nest::Select>(&e->node)) return either(of(s->if_true), of(s->if_false));
    return std::holds_alternative<nest::Const>(e->node) ? Growth::None : Growth::Unknown;
  }

 private:
  Growth of(const Name& n) {
    if (n == index_) return Growth::One;
    auto definition = definitions_.find(n);
    if (definition == definitions_.end()) return Growth::None;
    auto known = known_.find(n);
    if (known == known_.end()) known = known_.emplace(n, of(definition->second)).first;
    return known->second;
  }

  Growth of(const nest::Operation& o) {
    std::vector<Growth> args;
    for (const Expr& a : o.args) args.push_back(of(a));
    switch (o.op.family) {
      case Family::Add:
      case Family::AddNw:
      case Family::Sub:
      case Family::SubNw:
        return sum(args[0], args[1]);
      case Family::Mul:
      case Family::MulNw:
        return args[0] == Growth::None && args[1] == Growth::None ? Growth::None : scaled(args[0], args[1]);
      case Family::SMin:
      case Family::SMax:
        return either(args[0], args[1]);
      case Family::SExt:
      case Family::ZExt:
        return args[0];
      default:
        for (Growth g : args) {
          if (g != Growth::None) return Growth::Unknown;
        }
        return Growth::None;
    }
  }

  static Growth sum(Growth a, Growth b) {
    if (a == Growth::None || b == Growth::None) return a == Growth::None ? b : a;
    return a != b ? scaled(a, b) : a == Growth::Far ? Growth::Far : Growth::Unknown;
  }
  static Growth scaled(Growth a, Growth b) {
    return a == Growth::Unknown || b == Growth::Unknown ? Growth::Unknown : Growth::Far;
  }
  // One of both, as where something is clamped.
  static Growth either(Growth a, Growth b) {
    if (a == b || b == Growth::None) return a;
    return a == Growth::None ? b : Growth::Unknown;
  }

  const Name& index_;
  const nest::Substitution& definitions_;
  std::unordered_map<Name, Growth> known_;
};

class CountReads : public nest::Walker<CountReads> {
 public:
  CountReads(const nest::Block& work, const std::vector<nest::Buffer>& buffers, const Name& x, const Name& y)
      : with_x_(x, definitions_), with_y_(y, definitions_) {
    for (const nest::Buffer& b : buffers) buffers_.emplace(b.name, &b);
    body(work);
  }
  int64_t along = 0, across = 0;
  ReadsApart apart;  // of neighbours along x; a point begins where it is said which is the thread's

  void expr(const Expr& e) {
    nest::Walker<CountReads>::expr(e);
    if (const auto* load = std::get_if<nest::Load>(&e->node)) {
      count(load->buffer, load->index);
      count_apart(load->buffer, load->index);
    }
  }
  void stmt(const nest::Stmt& s) {
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      definitions_.insert_or_assign(let->name, let->value);
      if (nest::free_names(let->value).contains(with_x_.index())) times_of_point_ = times_;
    }
    if (const auto* store = std::get_if<nest::Store>(&s->node)) count(store->buffer, store->index);
    const auto* loop = std::get_if<nest::For>(&s->node);
    const int64_t around = times_, of_point_around = times_of_point_;
    if (loop) times_ = std::min(times_ * nest::int_constant(loop->extent).value_or(kStepsOfLoop), kMostTimes);
    nest::Walker<CountReads>::stmt(s);
    times_ = around;
    if (loop) times_of_point_ = of_point_around;
  }

 private:
  static constexpr int64_t kMostTimes = int64_t{1} << 20;

  void count(const Name& buffer, const std::vector<Expr>& index) {
    auto it = buffers_.find(buffer);
    if (it == buffers_.end() || it->second->space != nest::Space::Global) return;
    const std::vector<Expr>& strides = it->second->strides;
    Growth x_side = Growth::None, y_side = Growth::None, x_else = Growth::None, y_else = Growth::None;
    bool has_side = false;
    for (size_t d = index.size(); d-- > 0;) {
      const bool is_side = !has_side && nest::int_constant(strides[d]) == 1;
      has_side |= is_side;
      Growth& x = is_side ? x_side : x_else;
      Growth& y = is_side ? y_side : y_else;
      if (Growth g = with_x_.of(index[d]); g != Growth::None) x = g;
      if (Growth g = with_y_.of(index[d]); g != Growth::None) y = g;
    }
    const bool x_apart = x_side == Growth::Far || (x_side == Growth::None && x_else != Growth::None);
    if (x_side == Growth::One && x_else == Growth::None) along += times_;
    if (y_side == Growth::One && y_else == Growth::None && x_apart) across += times_;
  }

  void count_apart(const Name& buffer, const std::vector<Expr>& index) {
    auto it = buffers_.find(buffer);
    if (it == buffers_.end() || it->second->space != nest::Space::Global) return;
    bool surely = false, perhaps = false;
    for (size_t d = 0; d < index.size(); ++d) {
      const Growth g = with_x_.of(index[d]);
      const bool is_near = nest::int_constant(it->second->strides[d]).value_or(kFar) < kFar;
      surely |= g == Growth::Far || (g == Growth::One && !is_near);
      perhaps |= g == Growth::Unknown;
    }
    const int64_t times = times_ / times_of_point_;
    if (surely) apart.surely += times;
    if (surely || perhaps) apart.perhaps += times;
  }

  nest::Substitution definitions_;
  GrowthWith with_x_, with_y_;
  std::unordered_map<Name, const nest::Buffer*> buffers_;
  int64_t times_ = 1;  // that the loops around make of a place
  int64_t times_of_point_ = 1;
};

// The loops over a block's threads that are next to each other, the innermost one first.
std::vector<const nest::For*> loops_over_threads(const nest::Block& block) {
  for (const nest::Stmt& s : block) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop) continue;
    std::vector<const nest::For*> inner = loops_over_threads(loop->body);
    if (loop->role == nest::Role::Block) inner.push_back(loop);
    if (!inner.empty()) return inner;
  }
  return {};
}

}  // namespace

bool reads_across(const nest::Block& work, const std::vector<nest::Buffer>& buffers, const Name& x, const Name& y) {
  const CountReads reads(work, buffers, x, y);
  return reads.across > 0 && reads.along <= kAlongForEachAcross * reads.across;
}

ReadsApart reads_apart(const nest::Kernel& kernel) {
  const std::vector<const nest::For*> threads = loops_over_threads(kernel.body);
  if (threads.empty()) return {0, kReadsOfUnknown};
  const Name &x = threads.front()->index, &y = threads[std::min<size_t>(threads.size(), 2) - 1]->index;
  ReadsApart apart = CountReads(threads.front()->body, kernel.buffers, x, y).apart;
  if (reads_across(threads.front()->body, kernel.buffers, x, y)) {
    apart.surely /= kAlongForEachAcross;
    apart.perhaps /= kAlongForEachAcross;
  }
  return apart;
}

}  // namespace heddle::lower
