// The parser of nest text: one class, whose functions are the grammar's rules (reader.h).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "ir/nest/infix.h"
#include "ir/nest/lexer.h"
#include "ir/nest/nest.h"
#include "ir/nest/operator_text.h"

namespace heddle::nest {

// Leaves the parser; `read` turns it into an Error.
struct SyntaxError {
  size_t offset;
  std::string message;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens(text)) {}

  std::vector<Kernel> file();

 protected:  // for texts in which kernels and expressions occur (ir/host)
  // ---- Kernels and statements (reader.cpp). ----
  Kernel kernel();
  void parameter(Kernel& k);
  Buffer buffer(const Name& name);
  Block block();
  Stmt statement();
  // name ":" type "=" expr, of that type.
  struct Declared {
    Name name;
    Expr value;
  };
  Declared declared();
  Stmt let();
  Stmt alloc();
  Stmt store();
  Stmt for_loop();
  Stmt while_loop();
  Stmt if_else();
  Stmt atomic_update();
  Stmt locked();
  Stmt async_copy();
  Stmt async_wait();
  Stmt barrier();
  Stmt shuffle();
  Stmt failure();

  // ---- Expressions (reader_expr.cpp). ----
  // With its height as a tree, which is bounded, because whoever walks over it recurses.
  struct Sized {
    Expr expr;
    int height;
  };
  Expr expr() { return choice().expr; }
  Sized choice();
  Sized binary(Level least);
  Sized operand();
  Sized primary();
  Sized constant(std::string_view sign);
  Sized variable_or_load();
  Sized call();
  Sized quotient_rounded_up(const Token& at);
  std::vector<Sized> arguments();
  Sized apply(const prim::Op& op, const std::vector<Sized>& args, const Token& at);
  Sized apply(Fix fix, const Token& op, const std::vector<Sized>& args);
  Sized sized(Expr e, const std::vector<Sized>& parts, const Token& at);
  struct Element {
    Name buffer;
    prim::Type type;
    std::vector<Expr> index;
    int height;
  };
  Element element();
  std::vector<Expr> list();  // in parentheses

  // ---- Names. ----
  bool at_name() const;
  Name name();
  std::string identifier();
  int number(std::string_view expected);
  std::vector<Name> names();  // in parentheses
  prim::Type type();
  static std::optional<Role> role_of(const Token& token);

  struct Binding {
    prim::Type type;
    bool is_buffer;
  };
  void bind(const Name& name, Binding binding);
  // What is bound from here on is forgotten where this ends.
  struct Scope {
    explicit Scope(Parser& p) : parser(p), depth(p.bound_.size()) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();
    Parser& parser;
    size_t depth;
  };

  // ---- Tokens. ----
  const Token& token(size_t ahead = 0) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }
  Token take();
  bool accept(std::string_view punct);
  bool accept_word(std::string_view word);
  void expect(std::string_view punct);
  void expect_word(std::string_view word);
  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] void reject(const Token& at, std::string message) const;

  // Counts how deep rules are nested in each other.
  struct Nested {
    explicit Nested(Parser& p);
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { --parser.depth_; }
    Parser& parser;
  };

  std::vector<Token> tokens_;
  size_t next_ = 0;
  int depth_ = 0;
  std::unordered_map<int, Binding> scope_;  // by tags
  struct Bound {
    int tag;
    std::optional<Binding> before;
  };
  std::vector<Bound> bound_;  // what to restore, in the order of binding
};

}  // namespace heddle::nest
