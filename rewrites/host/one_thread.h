// A kernel of one thread that does what the host would, put together piece by piece, and its launch.
//
//   measure size_4 = size 0 of a_1;
//   measure stride_5 = stride 0 of a_1;
//   launch f (size_4, stride_5, i_2, x_3) (a_1);
// with
//   kernel f(size_6: i64, stride_7: i64, i_8: i64, x_9: f32, a_10: global f32[size_6]) { ... a_10[i_8] := x_9; }
#pragma once

#include <optional>

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

class OneThread {
 public:
  explicit OneThread(NameSource& names) : names_(names) {}

  // What an expression of the host is here: scalars that nothing here defines are arguments.
  Expr in_kernel(const Expr& of_host);
  // An argument of its own.
  Expr argument(const char* what, const Expr& of_host);
  // Has a scalar of the host be this here, by a name of its own at the end of the block.
  void define(nest::Block& block, const Name& of_host, const Expr& value);

  // The array as the host sees it. Each array is one buffer.
  Name array(const Name& of_host, prim::Type elem, size_t rank);
  // A dense one of one element.
  Name element(const Name& of_host, prim::Type elem);

  struct Made {
    std::vector<Stmt> measures;  // before the launch
    nest::Kernel kernel;
    Launch launch;
  };
  Made finish(const char* name, int kernel_number, nest::Block body) &&;

 private:
  Expr measured(Aspect aspect, const Name& array, size_t dim);
  Name buffer(const Name& of_host, prim::Type elem, std::vector<Expr> dims, std::vector<Expr> strides);

  NameSource& names_;
  Made made_;
  nest::Substitution here_;  // the host's scalars
  std::unordered_map<Name, Name> arrays_;
};

}  // namespace heddle::host
