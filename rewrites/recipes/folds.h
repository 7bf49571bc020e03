// What reductions and scans by blocks of threads have in common: the points of a segred or segscan, and its operators.
#pragma once

#include <vector>

#include "rewrites/points/body.h"

namespace heddle::lower {

// That every device has for a block.
inline constexpr int64_t kSharedBytes = 48 * 1024;

// One kernel under construction.
class Folds {
 public:
  Folds(const seg::SegOp& op, const HostScope& host, NameSource& names);

  KernelBuilder& kernel() { return kernel_; }
  const KernelBuilder& kernel() const { return kernel_; }
  BodyLowerer& body() { return body_; }
  NameSource& names() { return names_; }

  // Of what the operators combine.
  const std::vector<seg::Type>& types() const { return types_; }
  std::vector<seg::Type> mapped_types() const;  // of what the points return besides
  bool commutative() const { return commutative_; }
  // Whether computing a point may fail as far as the program's text says.
  bool has_checks() const { return has_checks_; }

  // Sizes of the dimensions, the last one being the segments' width.
  const std::vector<nest::Expr>& sizes() const { return sizes_; }
  const nest::Expr& width() const { return sizes_.back(); }
  std::vector<nest::Expr> segment_sizes() const { return {sizes_.begin(), sizes_.end() - 1}; }
  nest::Expr segments() const;  // how many, in the host's terms

  // Indices of the segment with this number.
  Indices segment_indices(nest::Expr segment);
  // What the point at these indices returns: what is combined, then the rest.
  std::vector<KernelValue> point(const Indices& index);
  std::vector<KernelValue> neutral();
  // op(a, b), one operator after the other.
  std::vector<KernelValue> combined(const std::vector<KernelValue>& a, const std::vector<KernelValue>& b);
  // into := op(into, x)
  void combine(const std::vector<ArrayValue>& into, const std::vector<KernelValue>& x);
  // The same by those operators alone that combine these values, the first of which is number `first` of all.
  void combine_some(const std::vector<ArrayValue>& into, size_t first, const std::vector<KernelValue>& x);

  // ---- Statements. ----

  std::vector<ArrayValue> variables();
  std::vector<KernelValue> current(const std::vector<ArrayValue>& variables);
  std::vector<KernelValue> read(const std::vector<ArrayValue>& arrays, const Indices& index);
  void store(const std::vector<ArrayValue>& arrays, const Indices& index, const std::vector<KernelValue>& values);
  // Tells other blocks of values through exchanged words, of which `place` knows where each is; and hears of them: yields whether
  // all of `into` is there, which is then set. Where it need not be, `into` is something.
  void say(const ArrayValue& words, const std::function<Indices(int64_t word)>& place,
           const std::vector<KernelValue>& values);
  nest::Expr hear(const ArrayValue& words, const std::function<Indices(int64_t word)>& place,
                  const std::vector<ArrayValue>& into, const nest::Expr& needed = nullptr);
  // Memory of the block for as many values.
  std::vector<ArrayValue> shared(const std::vector<nest::Expr>& dims);
  ArrayValue shared(prim::Type elem, const std::vector<nest::Expr>& dims);
  // A thread's own, of as many values.
  std::vector<ArrayValue> own(int64_t count);
  // The first thread's `own` of a row becomes what all threads of the row have; each stands at the row's indices and a lane, and there are a power of
  // two of them.
  struct RowOfThreads {
    Indices row;
    nest::Expr lane, lanes, thread;  // the last one is its number in the block
  };
  // Those of a warp by shuffles, then those of the block through `shared`, of which each warp of a row has an element. `role`: of the loops
  // over distances.
  void levels(const RowOfThreads& threads, const std::vector<ArrayValue>& own, const std::vector<ArrayValue>& shared,
              nest::Role role);
  // Of a part of a warp alone.
  void levels_of_warp(const RowOfThreads& threads, const std::vector<ArrayValue>& own, nest::Role role);
  // Of elements that lie in shared memory at the row's indices and a lane: as far as they are `from` apart or more, by barriers of the block.
  void levels_in_memory(const RowOfThreads& threads, const std::vector<ArrayValue>& own,
                        const std::vector<ArrayValue>& shared, int64_t from, nest::Role role);
  void barrier(nest::Scope scope) { body_.emit(nest::stmt(nest::Barrier{scope})); }
  void if_else(const nest::Expr& condition, const std::function<void()>& then, const std::function<void()>& otherwise);

 private:
  const seg::SegOp& op_;
  NameSource& names_;
  KernelBuilder kernel_;
  BodyLowerer body_;
  std::vector<nest::Expr> sizes_;
  std::vector<seg::Type> types_;
  bool commutative_ = true, has_checks_ = false;
};

}  // namespace heddle::lower
