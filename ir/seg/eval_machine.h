// The evaluator's state and helpers, shared by eval_*.cpp, one file for each group of nodes. Not for use elsewhere.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ir/seg/eval.h"
#include "ir/seg/syntax.h"

namespace heddle::seg {

struct Accumulator {
  Name cert;
  const WithAccInput* input;
  std::vector<int64_t> space;
  std::vector<Array> arrays;
};

// What a coerce or slice yields that does not fit its array. The host compiler takes these out of branches freely,
// because they read nothing; only looking at the elements is wrong, for the reason given.
struct Misfit {
  std::shared_ptr<const std::string> reason;
};

// What a name is bound to; monostate when it has been consumed.
using Cell = std::variant<std::monostate, prim::Value, Array, std::shared_ptr<Accumulator>, Misfit>;
using Cells = std::vector<Cell>;

// Thrown to end the evaluation.
struct Stop {
  Outcome outcome;
  std::string message;
  std::string location;
};

template <class... Args>
[[noreturn]] void broken(fmt::format_string<Args...> format, Args&&... args) {
  throw Stop{Outcome::Broken, fmt::format(format, std::forward<Args>(args)...), {}};
}

template <class... Args>
Cell make_misfit(fmt::format_string<Args...> format, Args&&... args) {
  return Misfit{std::make_shared<const std::string>(fmt::format(format, std::forward<Args>(args)...))};
}

// Whether all indices are in range; then `flat` is the element's row-major number.
bool flat_index(const std::vector<int64_t>& shape, const std::vector<int64_t>& index, int64_t& flat);
// The next index in row-major order; false after the last.
bool next_index(const std::vector<int64_t>& shape, std::vector<int64_t>& index);

class Machine {
 public:
  Machine(const Program& program, const EvalOptions& options) : program_(program), options_(options) {}

  std::vector<TypedValue> run(std::string_view entry, const std::vector<TypedValue>& inputs);
  int line() const { return line_; }
  std::vector<std::string> take_trace() { return std::move(trace_); }

 private:
  using Frame = std::unordered_map<Name, Cell>;

  // ---- Names (eval.cpp). ----

  const Cell& lookup(const Name& name) const;
  Cell get(const SubExp& e) const;
  const prim::Value& scalar(const SubExp& e) const;
  int64_t integer(const SubExp& e) const { return scalar(e).i; }
  const Array& array(const Name& name) const;
  // If the name is bound to a misfit: views of one are misfits too.
  const Misfit* misfit(const Name& name) const { return std::get_if<Misfit>(&lookup(name)); }
  // For consuming: leaves nothing behind, so that the array can be overwritten in place.
  Array take(const Name& name);
  Cell take(const SubExp& e);
  // The accumulator that is in scope under this type.
  Cell accumulator(const Type& type) const;
  std::vector<int64_t> sizes(const Shape& shape) const;
  std::vector<int64_t> sizes(const Type& type) const;
  // Binds the name to a value that must be of this type.
  void bind(const Name& name, const Type& type, Cell value);
  void bind_all(const std::vector<Param>& params, Cells values);
  void check(const Name& name, const Type& type, const Cell& value) const;
  void drop_arrays(const Stms& stms);
  template <class P>
  void drop_arrays(const std::vector<P>& binders) {
    for (const P& p : binders) {
      if (!p.type.is_scalar()) env_->erase(p.name);
    }
  }

  // ---- Limits. ----

  void tick(int64_t steps = 1) {
    steps_ += steps;
    if (steps_ > options_.max_steps) throw Stop{Outcome::Limit, "The program takes too many steps.", {}};
  }
  struct Nesting {
    explicit Nesting(Machine& m) : machine(m) {
      if (++machine.depth_ > machine.options_.max_depth) {
        throw Stop{Outcome::Limit, "The program is nested too deeply, or calls itself.", {}};
      }
    }
    ~Nesting() { machine.depth_--; }
    Nesting(const Nesting&) = delete;
    Machine& machine;
  };

  // ---- Arrays (eval_array.cpp). ----

  // Zeroes. Counts towards the memory limit for as long as it lives.
  Array make_array(prim::Type elem, std::vector<int64_t> shape);
  void own(Array& a);  // makes sure that no other array shares the cells
  // The part of shape `shape` that begins at element `offset`: a scalar if the shape is empty.
  Cell part(const Array& a, int64_t offset, std::vector<int64_t> shape);
  void put_part(Array& a, int64_t offset, const Cell& value, int64_t size);

  // Collects values into an array of the shape `outer`, or a single value if that is empty.
  class Collector {
   public:
    Collector(Machine& m, const std::vector<int64_t>& outer, const Type& elem);
    void put(int64_t position, Cell value);
    Cell finish() { return std::move(result_); }

   private:
    Machine& machine_;
    std::vector<int64_t> outer_;
    std::vector<int64_t> inner_;
    int64_t inner_size_ = 1;
    Cell result_;
  };

  // The positions that a slice selects; false if one of them is out of bounds.
  bool slice_cells(const Array& a, const Slice& slice, std::vector<int64_t>& shape, std::vector<int64_t>& cells);
  bool slice_cells(const Array& a, const FlatSlice& slice, std::vector<int64_t>& shape, std::vector<int64_t>& cells);
  std::string slice_text(const Slice& slice) const;
  Cell read_cells(const Array& a, std::vector<int64_t> shape, const std::vector<int64_t>& cells);
  void write_cells(Array& a, const std::vector<int64_t>& cells, const Cell& value);

  // ---- Bodies (eval.cpp). ----

  Cells eval_body(const Body& body);
  void eval_stms(const Stms& stms);
  void eval_stm(const Stm& stm);
  Cells call(const Lambda& lambda, Cells args);
  Cells call(const FunDef& f, Cells args);
  // Applies an operator that is a map over `shape` to two values for each of its results.
  Cells combine(const Lambda& lambda, const std::vector<int64_t>& shape, const Cells& a, const Cells& b);
  // The neutral element of such an operator.
  Cells neutral(const Lambda& lambda, const std::vector<int64_t>& shape, const std::vector<SubExp>& values);

  // ---- Expressions with one result. ----

  // eval_basic.cpp
  Cell eval(const Atom& e);
  Cell eval(const Opaque& e);
  Cell eval(const PrimOp& e);
  Cell eval(const Assert& e);
  Cell eval(const UpdateAcc& e);
  Cell eval(const GetSize& e);
  Cell eval(const GetSizeMax& e);
  Cell eval(const CmpSize& e);
  Cell eval(const CalcNumBlocks& e);
  int64_t tuning(const std::string& key, const SizeClass& size_class) const;
  // eval_array.cpp
  Cell eval(const ArrayLit& e);
  Cell eval(const ArrayVal& e);
  Cell eval(const Index& e);
  Cell eval(const Update& e);
  Cell eval(const FlatIndex& e);
  Cell eval(const FlatUpdate& e);
  Cell eval(const Concat& e);
  Cell eval(const Manifest& e);
  Cell eval(const Iota& e);
  Cell eval(const Replicate& e);
  Cell eval(const Scratch& e);
  Cell eval(const Reshape& e);
  Cell eval(const Rearrange& e);

  // ---- Expressions with any number of results. ----

  // eval_control.cpp
  Cells eval(const Apply& e);
  Cells eval(const Match& e);
  Cells eval(const Loop& e);
  Cells eval(const WithAcc& e);
  Cells eval(const GpuBody& e);
  // eval_soac.cpp
  Cells eval(const Screma& e);
  Cells eval(const Scatter& e);
  Cells eval(const Hist& e);
  Cells eval(const Stream& e);
  Cells eval(const Derivative& e);
  Cells soac_inputs(int64_t width, const std::vector<Name>& arrays);
  Cells soac_row(const Cells& inputs, int64_t i);
  std::vector<Array> take_dests(const HistOp& op, const std::vector<int64_t>& segment);
  // Combines `values` (indices, then what to combine) into the dests of segment number `segment`.
  void hist_update(const HistOp& op, std::vector<Array>& dests, int64_t segment, const Cell* indices,
                   const Cell* values);
  // eval_segop.cpp
  Cells eval(const SegOp& e);
  class KernelResults;

  const Program& program_;
  const EvalOptions& options_;
  Frame constants_;
  Frame* env_ = &constants_;
  int64_t steps_ = 0;
  std::shared_ptr<int64_t> live_cells_ = std::make_shared<int64_t>(0);
  int depth_ = 0;
  int line_ = 0;
  std::vector<std::string> trace_;
};

}  // namespace heddle::seg
