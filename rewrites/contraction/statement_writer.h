// Writing a nest down as it runs: each call adds a statement to the block that is being written.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::contraction {

inline nest::Expr one() { return nest::constant(int64_t{1}); }
inline nest::Expr zero() { return nest::constant(int64_t{0}); }
inline nest::Expr index_of(const Name& n) { return nest::var(n, prim::Type::I64); }

nest::Expr product(const std::vector<nest::Expr>& factors);
nest::Expr round_up(const nest::Expr& n, const nest::Expr& quantum);
// The indices into a row-major box of the element number `flat`.
std::vector<nest::Expr> digits(nest::Expr flat, const std::vector<nest::Expr>& extents);

class StatementWriter {
 public:
  explicit StatementWriter(NameSource& names) : names_(names) {}

  template <class Node>
  void emit(Node node) {
    out_->push_back(nest::stmt(std::move(node)));
  }
  nest::Expr let(const std::string& base, nest::Expr value);
  nest::Buffer alloc(const std::string& base, prim::Type elem, nest::Space space, std::vector<nest::Expr> dims);

  // What `write` writes.
  nest::Block block(const std::function<void()>& write);
  void loop(const std::string& base, nest::Expr extent, nest::Role role, const std::function<void(nest::Expr)>& body);
  void loops(const std::string& base, const std::vector<nest::Expr>& extents, nest::Role role,
             const std::function<void(const std::vector<nest::Expr>&)>& body);
  void when(nest::Expr condition, const std::function<void()>& body);
  void choose(const nest::Expr& condition, const std::function<void()>& if_true, const std::function<void()>& if_false);
  // The index in 64 bits, for arithmetic of the program, which may leave the range of places.
  nest::Expr as_value(const nest::Expr& index);

 private:
  NameSource& names_;
  nest::Block* out_ = nullptr;
};

}  // namespace heddle::contraction
