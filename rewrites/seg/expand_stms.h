// The shape of most seg passes: every statement becomes a list of statements, innermost bodies first.
#pragma once

#include <memory>

#include "ir/seg/traverse.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Whether the bodies and operators in it are no host code.
inline bool runs_on_device(const Exp& e) {
  return std::holds_alternative<SegOp>(e) || std::holds_alternative<GpuBody>(e);
}

// Base of those who rebuild host code and leave kernels, operators and names as they are; they say what becomes of a Body, and `using
// HostCodeAlone::body;`.
struct HostCodeAlone {
  static KernelBodyPtr body(const KernelBodyPtr& b) { return b; }
  static WithAccOp with_acc_op(const WithAccOp& op) { return op; }
  static SubExp use(const SubExp& x) { return x; }
  static Name use_name(const Name& n) { return n; }
  static Name bind(const Name& n) { return n; }
};

// f: (const Stm&) -> Stms, called on each statement after the bodies inside it have been expanded. `inside_kernels`:
// whether to go into seg ops, GPU bodies and operators of accumulators.
template <class F>
class StmExpander {
 public:
  StmExpander(F f, bool inside_kernels) : f_(std::move(f)), inside_kernels_(inside_kernels) {}

  Stms stms(const Stms& stms) {
    Stms out;
    for (const StmPtr& s : stms) {
      Stms replacement = f_(!inside_kernels_ && runs_on_device(s->exp) ? *s : rebuild(*this, *s));
      out.insert(out.end(), replacement.begin(), replacement.end());
    }
    return out;
  }

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  KernelBodyPtr body(const KernelBodyPtr& b) {
    if (!inside_kernels_) return b;
    return std::make_shared<const KernelBody>(KernelBody{stms(b->stms), b->results});
  }
  WithAccOp with_acc_op(const WithAccOp& op) {
    return inside_kernels_ ? WithAccOp{rebuild(*this, op.op), op.neutral} : op;
  }
  SubExp use(const SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  F f_;
  bool inside_kernels_;
};

inline Stms just(Stm s) { return {std::make_shared<const Stm>(std::move(s))}; }

// Of a whole program. What `f` refuses is refused.
template <class F>
Result<Program> expand_stms(const Program& program, F f, bool inside_kernels) try {
  Program out = program;
  StmExpander<F> expander(std::move(f), inside_kernels);
  out.constants = expander.stms(program.constants);
  for (FunDef& function : out.functions) function.body = expander.body(function.body);
  return out;
} catch (const Refused& r) {
  return r.error;
}

// The same, kernels left alone.
template <class F>
Result<Program> expand_host_stms(const Program& program, F f) {
  return expand_stms(program, std::move(f), false);
}

}  // namespace heddle::seg
