// Makes the statements of one function, from its seg statements and from what its seg ops were lowered to.
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "ir/host/traverse.h"
#include "ir/seg/traverse.h"
#include "rewrites/host/build.h"

namespace heddle::host {

// What all functions of a program share: its tables, and their numbers.
struct Tables {
  const lower::PlannedProgram& lowered;
  bool compiles;
  Program program;
  std::unordered_map<const lower::Launch*, int> kernels;
  std::unordered_map<const lower::Specialized*, int> family_kernels;
  std::unordered_map<const lower::Specialized*, std::string> labels;

  void add_param(const std::string& name, const seg::SizeClass& size_class);
};

[[noreturn]] void refuse_at(const std::string& construct, const seg::Position& position);
// Refuses what has no room in the runtime's structs.
void check_failure(const Failure& failure, const seg::Position& position);

class Builder {
 public:
  explicit Builder(Tables& tables) : tables_(tables), names_(tables.lowered.program.next_tag()) {
    frames_.emplace_back();
  }

  // ---- Whole functions. ----
  // A constant, or an input of the function.
  Name borrow(const Name& name, const seg::Type& type);
  void statements(const seg::Stms& stms);
  // `params` are what the function takes, sizes first.
  void bind_sizes(const std::vector<seg::Param>& params, size_t num_sizes, const std::vector<Name>& inputs);
  // What the function yields of the result, whatever the kind of its value.
  Value deliver(const seg::SubExp& value);
  Value yield(const Name& name);
  Block finish(std::vector<Value> yields);

 private:
  // Certificates, accumulators and units are nothing.
  enum class Kind { Nothing, Scalar, Array };
  static Kind kind_of(const seg::Type& type);

  struct Frame {  // a block that is being made
    std::vector<Stmt> stmts;
    std::vector<Name> owned;
    std::map<std::pair<Name, int>, Expr> strides;
  };

  // ---- Names and values (builder.cpp). ----
  Name bind(const Name& name, Type type);  // its name here
  Name bind(const seg::PatElem& elem) { return bind(elem.name, {elem.type.elem, elem.type.rank()}); }
  Name fresh(const std::string& base, Type type);
  Name own(const Name& array);  // `array`, which ends with the block
  Name name(const Name& n) const;
  Kind kind(const seg::SubExp& value) const;
  Name array(const seg::SubExp& value) const { return name(value.name()); }
  Expr scalar(const seg::SubExp& value) const;
  std::vector<Expr> scalars(const std::vector<seg::SubExp>& values) const;
  Expr expr(const Expr& e) const { return substitution_.empty() ? e : nest::substitute(substitution_, e); }
  std::vector<Expr> exprs(const std::vector<Expr>& list) const;
  const Type& type_of(const Name& n) const { return types_.at(n); }

  // ---- Statements in general (builder.cpp). ----
  template <class Node>
  void add(Node node) {
    frames_.back().stmts.push_back(stmt(std::move(node)));
  }
  Block block(const seg::Stms& stms, const std::vector<seg::SubExpRes>& results, const std::vector<seg::Type>& types,
              const std::vector<Name>& owned = {});
  void begin() { frames_.emplace_back(); }
  void define(const seg::PatElem& elem, const Expr& value);  // a scalar, or nothing
  Expr measure(Aspect aspect, const Name& array, int dim, const std::string& base);
  Expr stride(const Name& array, int dim);  // measured once
  Expr size(const Name& array, int dim) { return measure(Aspect::Size, array, dim, "size"); }
  Name alloc(const Name& bound, prim::Type elem, std::vector<Expr> shape, std::vector<int> order = {});
  void free_now(const Name& array);  // that no frame owns
  void share(const seg::PatElem& dst, const Name& src);
  void same(const seg::PatElem& dst, const seg::SubExp& value);

  void check_type(const seg::Type& type) const;
  [[noreturn]] void refuse(const std::string& construct) const { refuse_at(construct, position_); }

  // ---- Scalar statements and control (build_control.cpp). ----
  void emit(const seg::Stm&, const seg::Atom&);
  void emit(const seg::Stm&, const seg::Opaque&);
  void emit(const seg::Stm&, const seg::PrimOp&);
  void emit(const seg::Stm&, const seg::Apply&);
  void emit(const seg::Stm&, const seg::Assert&);
  void emit(const seg::Stm&, const seg::Match&);
  void emit(const seg::Stm&, const seg::Loop&);
  void emit(const seg::Stm&, const seg::WithAcc&);
  void emit(const seg::Stm&, const seg::GetSize&);
  void emit(const seg::Stm&, const seg::GetSizeMax&);
  void emit(const seg::Stm&, const seg::CmpSize&);
  void emit(const seg::Stm&, const seg::CalcNumBlocks&);
  Expr condition(const seg::Match& match, const seg::Case& branch) const;
  void choose_scalars(const seg::Stm& stm, const seg::Match& match);

  // ---- Array operations (build_arrays.cpp). ----
  void emit(const seg::Stm&, const seg::ArrayLit&);
  void emit(const seg::Stm&, const seg::ArrayVal&);
  void emit(const seg::Stm&, const seg::Index&);
  void emit(const seg::Stm&, const seg::Update&);
  void emit(const seg::Stm&, const seg::FlatIndex&);
  void emit(const seg::Stm&, const seg::FlatUpdate&);
  void emit(const seg::Stm&, const seg::Concat&);
  void emit(const seg::Stm&, const seg::Manifest&);
  void emit(const seg::Stm&, const seg::Iota&);
  void emit(const seg::Stm&, const seg::Replicate&);
  void emit(const seg::Stm&, const seg::Scratch&);
  void emit(const seg::Stm&, const seg::Reshape&);
  void emit(const seg::Stm&, const seg::Rearrange&);
  std::vector<Subscript> subscripts(const seg::Slice& slice) const;
  FlatSlice flat_slice(const Name& dst, const Name& array, const seg::FlatSlice& slice) const;
  void write(const Name& dst, const seg::Slice& slice, const seg::SubExp& value, prim::Type elem);
  Expr within_bounds(const Name& array, const seg::Slice& slice);

  // ---- Kernels (build_kernels.cpp). ----
  void emit(const seg::Stm& stm, const seg::SegOp&) { run_kernels(stm); }
  void emit(const seg::Stm& stm, const seg::GpuBody&) { run_kernels(stm); }
  struct Memory {               // of a seg op, where it is here
    std::vector<Name> results;  // by number; those that are in memory of others have none
    std::vector<Name> temporaries;
  };
  void add_tables(const lower::Plan& lowered);
  void add_kernel(const lower::Launch& launch);
  void run_kernels(const seg::Stm& stm);
  void run_launches(const lower::Plan& lowered, Memory memory);
  void find_room(const lower::Rooms& rooms, Memory memory);
  std::vector<Name> allocate(const std::vector<lower::Temporary>& temporaries);
  void release(const std::vector<Name>& arrays);
  std::vector<Expr> scalar_args(const lower::Launch& launch);
  Expr scalar_arg(const lower::ScalarArg& arg);
  void launch(const lower::Launch& launch, const Memory& memory, bool chosen = false);
  void pack(const lower::Pack& pack, const Memory& memory);
  Name buffer(const lower::BufferArg& arg, const Memory& memory) const;
  void choose(const lower::Plan& lowered, const Memory& memory);
  Way way(const lower::Specialized& s, const lower::Launch& direct, Memory memory);
  std::optional<Expr> last_stride(const lower::Launch& launch, const nest::Buffer& buffer);
  Record contraction(const lower::Specialized& s, const nest::Substitution& values);

  // No code can be generated for programs with these among their host statements.
  void emit(const seg::Stm&, const seg::Screma&) { refuse("map, reduce and scan outside kernels"); }
  void emit(const seg::Stm&, const seg::Scatter&) { refuse("scatter outside kernels"); }
  void emit(const seg::Stm&, const seg::Hist&) { refuse("hist outside kernels"); }
  void emit(const seg::Stm&, const seg::Stream&) { refuse("streams outside kernels"); }
  void emit(const seg::Stm&, const seg::Derivative&) { refuse("jvp and vjp outside kernels"); }
  void emit(const seg::Stm&, const seg::UpdateAcc&) { refuse("accumulator updates outside kernels"); }

  Tables& tables_;
  NameSource names_;
  std::vector<Frame> frames_;
  std::unordered_map<Name, Type> types_;    // of scalars and arrays
  std::unordered_map<Name, Name> renamed_;  // where a name had been bound before
  nest::Substitution substitution_;         // the same for scalars
  seg::Position position_;
};

}  // namespace heddle::host
