// The statements that run on the host: of functions and of whatever bodies are in them, but not of kernels.
#pragma once

#include "ir/seg/traverse.h"

namespace heddle::seg {

// Calls f(StmPtr) for each of these statements and those within them, outer ones first, else in textual order.
template <class F>
void for_each_host_stm(const Stms& stms, F f) {
  struct Walk {
    F& f;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const BodyPtr& body) {
      all(body->stms);
      return false;
    }
    bool enter(const KernelBodyPtr&) { return false; }
    void all(const Stms& stms) {
      for (const StmPtr& s : stms) {
        f(s);
        walk(*this, s->exp);
      }
    }
  };
  Walk{f}.all(stms);
}

template <class F>
void for_each_host_stm(const Program& program, F f) {
  for_each_host_stm(program.constants, f);
  for (const FunDef& function : program.functions) for_each_host_stm(function.body->stms, f);
}

}  // namespace heddle::seg
