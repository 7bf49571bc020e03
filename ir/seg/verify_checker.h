// The verifier's state and helpers, shared by its rules (verify_*.cpp, one file for each group of nodes). Not for use
// elsewhere.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/seg/entry.h"
#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"
#include "ir/seg/verify.h"
#include "ir/seg/verify_types.h"

namespace heddle::seg {

// What memory a value may occupy, as numbers of the expressions that made it; sorted. Consuming a value consumes its
// roots, and a value is dead when one of its roots is. Sets that would become large are dropped: aliases may be missed,
// never invented.
using Roots = std::vector<int>;
Roots unite(const Roots& a, const Roots& b);

// One result of an expression. Sizes that the expression itself decides are Ext.
struct Out {
  Type type;
  Roots roots;
};
// nullopt: a problem was reported, so the types are unknown.
using Outs = std::optional<std::vector<Out>>;

// A body's result; the type is nullptr when unknown.
struct BodyValue {
  SubExp value;
  const Type* type;
  Roots roots;
};

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program), opaque_(program) {}
  std::vector<Problem> run();

 private:
  // ---- Problems. ----

  template <class... Args>
  void problem(fmt::format_string<Args...> format, Args&&... args) {
    add_problem(fmt::format(format, std::forward<Args>(args)...));
  }
  void add_problem(std::string message);

  // ---- Scope (verify_scope.cpp). ----

  struct Var {
    const Type* type;
    Roots roots;
  };
  void bind(const Name& name, const Type& type, Roots roots);
  size_t scope_mark() const { return bound_.size(); }
  void leave_scope(size_t mark);

  // Each use of a name goes through `use` or `type_of`: nullptr, after reporting it, if the name is not in scope.
  const Type* type_of(const Name& name);
  const Type* type_of(const SubExp& e) { return e.is_var() ? type_of(e.name()) : &scalar_type(e.value().type); }
  // Also reports a value that has been consumed.
  const Type* use(const Name& name);
  const Type* use(const SubExp& e) { return e.is_var() ? use(e.name()) : &scalar_type(e.value().type); }
  Roots roots_of(const SubExp& e) const;

  // `what` says what the operand is, as in "the width of map".
  void require(const SubExp& e, const Type& type, std::string_view what);
  void require(const SubExp& e, prim::Type type, std::string_view what) { require(e, scalar_type(type), what); }
  void require_sizes(const Shape& shape, std::string_view what);
  const Type* use_array(const Name& name, std::string_view what);
  // The types of all; nullopt if one is unknown.
  std::optional<std::vector<Type>> use_all(const std::vector<SubExp>& es);
  void check_type(const Type& type);
  void check_certs(const Certs& certs);

  // ---- Consumption (verify_scope.cpp). ----

  struct Root {
    std::string name;  // empty until a pattern names it
    bool fixed;        // belongs to a parameter that is not unique, hence can't be consumed
    bool consumed;     // in line `line`
    int line;
  };
  Roots fresh_root(std::string name = "", bool fixed = false);
  // None for scalars.
  Roots fresh_root(const Type& type, std::string name = "", bool fixed = false);
  Outs fresh(std::vector<Type> types);
  void consume(const Name& name);
  void consume_roots(const Roots& roots, const Name& name);
  // Runs each check with what was consumed before all of them; afterwards everything is consumed that any of them
  // consumed.
  template <class F>
  void alternatives(size_t count, F check) {
    std::vector<int> all;
    size_t mark = consumed_.size();
    for (size_t i = 0; i < count; i++) {
      check(i);
      for (size_t j = mark; j < consumed_.size(); j++) roots_[consumed_[j]].consumed = false;
      all.insert(all.end(), consumed_.begin() + mark, consumed_.end());
      consumed_.resize(mark);
    }
    for (int r : all) {
      if (!roots_[r].consumed) consumed_.push_back(r);
      roots_[r].consumed = true;
    }
  }
  void drop_consumed(Roots& roots) const;

  // ---- Statements and bodies (verify.cpp). ----

  void check_opaque_types();
  void check_function(const FunDef& f);
  // verify_entry.cpp
  void check_entry(const FunDef& f, const EntryPoint& entry);
  void check_return_aliases(const FunDef& f, const std::vector<BodyValue>& values);

  void check_stms(const Stms& stms);
  void check_stm(const Stm& stm);
  void check_pattern(const Stm& stm, const Outs& outs);
  std::vector<BodyValue> check_results(const std::vector<SubExpRes>& results);
  // Checks the body and calls `then(results)` within its scope.
  template <class F>
  void check_body(const Body& body, F then) {
    size_t mark = scope_mark();
    check_stms(body.stms);
    then(check_results(body.result));
    leave_scope(mark);
  }
  // The values have exactly these types; `types` may name values of the same body by Ext.
  void match_types(const std::vector<BodyValue>& values, const std::vector<Type>& types, std::string_view what);

  // What a lambda is applied to. Consuming the parameter consumes `roots`.
  struct LambdaArg {
    Type type;
    Roots roots;
  };
  // `contained`: the lambda may consume nothing but its parameters.
  void check_lambda(const Lambda& lambda, const std::vector<LambdaArg>& args, std::string_view what,
                    bool contained = true);
  // The operator of a reduction: takes two of each type and returns one.
  void check_operator(const Lambda& lambda, const std::vector<Type>& types, std::string_view what);

  // ---- Rules: what the expression yields. ----

  // verify_basic.cpp
  Outs rule(const Atom& e);
  Outs rule(const Opaque& e);
  Outs rule(const PrimOp& e);
  Outs rule(const ArrayLit& e);
  Outs rule(const ArrayVal& e);
  Outs rule(const Assert& e);
  Outs rule(const Index& e);
  Outs rule(const Update& e);
  Outs rule(const FlatIndex& e);
  Outs rule(const FlatUpdate& e);
  Outs rule(const Concat& e);
  Outs rule(const Manifest& e);
  Outs rule(const Iota& e);
  Outs rule(const Replicate& e);
  Outs rule(const Scratch& e);
  Outs rule(const Reshape& e);
  Outs rule(const Rearrange& e);
  Outs rule(const UpdateAcc& e);
  void check_slice(const Slice& slice, const Type& array, const Name& name);
  void check_flat_slice(const FlatSlice& slice, const Type& array, const Name& name);
  void check_perm(const std::vector<int>& perm, const Type& array, const Name& name);
  // verify_control.cpp
  Outs rule(const Apply& e);
  Outs rule(const Match& e);
  Outs rule(const Loop& e);
  Outs rule(const WithAcc& e);
  Outs call(const Apply& e, const FunDef& f);
  Outs call(const Apply& e, const prim::Function& f);
  // verify_soac.cpp
  Outs rule(const Screma& e);
  Outs rule(const Scatter& e);
  Outs rule(const Hist& e);
  Outs rule(const Stream& e);
  Outs rule(const Derivative& e);
  std::optional<std::vector<LambdaArg>> soac_args(const SubExp& width, const std::vector<Name>& arrays,
                                                  std::string_view what);
  // The shared part of hist and seghist: returns the types of the values to combine, or nullopt.
  std::optional<std::vector<Type>> check_hist_op(const HistOp& op, const Shape& segment);
  // verify_segop.cpp
  Outs rule(const SegOp& e);
  Outs rule(const GetSize& e);
  Outs rule(const GetSizeMax& e);
  Outs rule(const CmpSize& e);
  Outs rule(const CalcNumBlocks& e);
  Outs rule(const GpuBody& e);
  void check_level(const SegLevel& level);
  void check_space(const SegSpace& space);
  void check_kernel_body(const SegOp& e);
  void check_result(const Returns& r, const Type& type);
  void check_result(const WriteReturns& r, const Type& type);
  void check_result(const TileReturns& r, const Type& type);
  void check_result(const RegTileReturns& r, const Type& type);

  static constexpr size_t kMaxProblems = 100;
  const Program& program_;
  std::vector<Problem> problems_;
  int line_ = 0;
  std::unordered_map<Name, Var> vars_;
  std::vector<Name> bound_;  // in order, for leaving scopes
  std::vector<Root> roots_;
  std::vector<int> consumed_;  // in order, for alternatives
  int floor_ = 0;              // roots below were made outside of the function, loop or lambda: not consumable in it
  const SegLevel* level_ = nullptr;
  OpaqueTypes opaque_;
  std::unordered_map<std::string, const FunDef*> functions_;
};

}  // namespace heddle::seg
