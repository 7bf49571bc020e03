// The recursive-descent parser behind read(): one method per construct of the grammar.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend_bridge/futhark/lexer.h"
#include "frontend_bridge/futhark/nesting.h"
#include "frontend_bridge/futhark/reader.h"

namespace heddle::futhark {

// Thrown inside the parser only; read() turns it into an Error.
struct SyntaxError {
  ErrorKind kind;
  size_t offset;
  std::string message;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }

  seg::Program program();  // the whole text

 private:
  // Tokens (reader.cpp).
  void advance() { token_ = lexer_.next(); }
  bool at(char punct) const { return token_.is(punct); }
  bool at_word(std::string_view word) const { return token_.is_word(word); }
  bool accept(char punct);
  bool accept_word(std::string_view word);
  bool accept_prefix(std::string_view prefix);  // of a word: the rest becomes the current token
  void expect(char punct);
  void expect_word(std::string_view word);
  [[noreturn]] void fail(const std::string& expected) const;
  [[noreturn]] void reject(ErrorKind kind, const std::string& message) const;
  std::string found() const;

  template <class F>
  auto until(char close, F item) -> std::vector<decltype(item())> {
    std::vector<decltype(item())> items;
    if (accept(close)) return items;
    while (true) {
      items.push_back(item());
      if (accept(close)) return items;
      if (!accept(',')) fail(std::string("`,` or `") + close + "`");
    }
  }
  template <class F>
  auto list(char open, char close, F item) {
    expect(open);
    return until(close, item);
  }
  template <class F>
  auto braces(F item) {
    return list('{', '}', item);
  }

  // Every construct that contains constructs of its own kind opens a Level.
  struct Level {
    explicit Level(Parser& parser);
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Parser& parser;
  };

  // Programs (reader.cpp).
  void check_dialect();
  void check_stm_start() const;
  [[noreturn]] void not_a_definition() const;
  std::vector<seg::OpaqueDef> opaque_types();
  seg::OpaqueDef opaque_type();
  seg::RecordField record_field();
  seg::SumVariant sum_variant();
  seg::ValueType value_type();
  seg::EntryType entry_type();
  seg::EntryPoint entry_point();
  seg::FunDef function();

  // Pieces (reader_pieces.cpp).
  std::string word(const char* what);
  std::string raw_string(const char* what);
  std::string string(const char* what);
  int small_int();
  int64_t integer();
  std::optional<Name> try_name();
  // Of an argument: `**_lhs_1` is the name `**_lhs` where that has been declared, else `*_lhs`, consumed.
  bool at_starred_name() const;
  Name name();
  seg::SubExp sub_exp();
  prim::Value value();
  std::optional<prim::Value> try_value();
  prim::Type prim_type();
  seg::Type type(bool may_be_ext, bool may_be_unique);
  seg::Type plain_type() { return type(false, false); }
  seg::RetType ret_type();
  seg::Shape shape();
  std::vector<Name> names() {
    return braces([&] { return name(); });
  }
  std::vector<seg::SubExp> sub_exps() {
    return braces([&] { return sub_exp(); });
  }
  std::vector<seg::Type> types() {
    return braces([&] { return plain_type(); });
  }
  std::vector<int> permutation();
  seg::Attr attr();
  seg::Attrs attrs();
  seg::Certs certs();
  seg::Param param(bool may_be_unique);
  seg::PatElem pat_elem();
  seg::SubExpRes sub_exp_res();
  seg::DimIndex dim_index(seg::SubExp first);
  seg::Slice slice();
  std::variant<seg::Slice, seg::FlatSlice> any_slice();

  // Statements and expressions (reader_exp.cpp).
  seg::Stms stms();
  seg::StmPtr stm();
  seg::BodyPtr body();
  seg::BodyPtr branch_body();
  seg::Lambda lambda();
  seg::Exp exp();
  seg::Exp exp_without_keyword();
  using ExpMethod = seg::Exp (Parser::*)();
  static const std::unordered_map<std::string_view, ExpMethod>& exp_keywords();
  seg::Exp array_literal();
  seg::Exp indexing(Name array);
  seg::Exp opaque();
  seg::Exp trace();
  seg::Exp copy();
  seg::Exp assertion();
  seg::Exp replicate();
  template <bool coerce>
  seg::Exp reshape();
  seg::Exp scratch();
  seg::Exp rearrange();
  seg::Exp manifest();
  seg::Exp concat();
  template <prim::Type elem>
  seg::Exp iota();
  template <bool safe>
  seg::Exp update_acc();
  seg::Exp conversion();
  seg::Exp apply();
  seg::MatchSort match_sort();
  seg::Exp if_then_else();
  seg::Exp match();
  seg::Exp loop();
  seg::Exp with_acc();

  // SOACs and the GPU form (reader_ops.cpp).
  template <bool scans, bool reduces>
  seg::Exp screma();
  seg::Exp scatter();
  seg::HistOp hist_op(bool in_segop);
  seg::Exp hist();
  seg::Exp stream();
  template <bool reverse>
  seg::Exp derivative();
  template <seg::SegKind kind>
  seg::Exp seg_op();
  seg::SegLevel level();
  seg::SegSpace space();
  seg::SegBinOp seg_bin_op();
  seg::KernelBodyPtr kernel_body();
  seg::KernelResult kernel_result();
  seg::SizeClass size_class();
  seg::Exp get_size();
  seg::Exp get_size_max();
  seg::Exp cmp_size();
  seg::Exp calc_num_blocks();
  seg::Exp gpu_body();

  Lexer lexer_;
  Token token_;
  std::unordered_map<int, std::string> starred_;  // by tags, names that begin with `*`, as they were declared
  int depth_ = 0;
  int most_levels_ = most_levels();
};

}  // namespace heddle::futhark
