// Lowers the sequential code of one thread: seg statements with SOACs, loops and branches, to nest statements.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "rewrites/points/kernel_builder.h"

namespace heddle::lower {

// An accumulator, or the bins of a histogram, inside a kernel.
struct AccValue {
  std::vector<ArrayValue> arrays;
  size_t index_rank = 0;
  std::optional<seg::Lambda> op;  // none: updates overwrite
  bool op_takes_index = true;     // before the old and the new values, as the operators of with_acc do
  bool atomic = false;            // other threads update the same arrays
  // Words that guard elements which no atomic operation updates; none: the kernel's (KernelBuilder::locks).
  std::optional<ArrayValue> locks = std::nullopt;
};

using KernelValue = std::variant<nest::Expr, ArrayValue, AccValue>;

// The threads of a block, where they do the work of one point together (body_team.cpp).
struct Team {
  nest::Expr thread, size;  // a thread's number; how many there are, a power of two
  // Makes an array of the block's.
  std::function<ArrayValue(prim::Type elem, const std::vector<nest::Expr>& dims)> make_array;
};

class BodyLowerer : public Binder {
 public:
  explicit BodyLowerer(KernelBuilder& kernel) : kernel_(kernel) {}

  // From here on all threads of a block run the statements together, in step: scalars are the same in all of them, arrays
  // are the block's, and what is written is written by one of them or by each a part, between two barriers.
  void work_together(Team team);
  // `emit_point` for every index of `dims`, by the threads of the team, each of which does some by itself.
  void together(const std::vector<nest::Expr>& dims, const std::function<void(const Indices&)>& emit_point);
  // Each thread of the team does what `emit` emits by itself, between two barriers.
  void separately(const std::function<void()>& emit);

  // Maps whose elements are to be computed where they are read (graph/computed_where_read.h), where that is possible.
  void defer(std::unordered_set<Name> maps) { deferred_ = std::move(maps); }

  // The array of a map, its elements being computed where they are read. The map's asserts hold.
  ArrayValue computed_here(const ComputedArray& array);

  void define(const Name& name, KernelValue value) { env_.insert_or_assign(name, std::move(value)); }
  // The names of a space of these sizes at one of its points.
  void define_point(const seg::SegSpace& space, const std::vector<nest::Expr>& sizes, const Indices& index);
  void stms(const seg::Stms& stms);
  std::vector<KernelValue> body(const seg::Body& body);

  KernelValue value(const seg::SubExp& e);
  nest::Expr scalar(const seg::SubExp& e);
  ArrayValue array(const Name& name);

  // Runs `emit` with the statements it makes going to a block of their own.
  template <class F>
  nest::Block block(F emit) {
    nest::Block saved = std::move(out_);
    out_ = {};
    emit();
    std::swap(saved, out_);
    return saved;
  }

  void emit(nest::Stmt stmt) { out_.push_back(std::move(stmt)); }
  void emit_all(nest::Block block) {
    for (nest::Stmt& s : block) emit(std::move(s));
  }
  nest::Expr bind(nest::Expr e) override;
  nest::Expr let(const Name& like, const nest::Expr& e);

  nest::Expr read(const ArrayValue& a, const Indices& index);
  void store(const ArrayValue& a, const Indices& index, nest::Expr value);
  // Stores a scalar or a whole array at leading indices `prefix` of `a`.
  void store_value(const ArrayValue& a, const Indices& prefix, const KernelValue& value);
  void copy(const ArrayValue& to, const ArrayValue& from);
  // `emit` for every index of `dims`.
  template <class F>
  void for_all(const std::vector<nest::Expr>& dims, F emit_element);

  // An array of this thread's own, or of the team's, of undefined content.
  ArrayValue fresh_array(prim::Type elem, const std::vector<nest::Expr>& dims);
  // Has what the statements return be made in that place, where it would else be made in memory of the thread's own and copied there. Nobody else
  // has anything there meanwhile.
  void make_in(const ArrayValue& place, const seg::Stms& stms, const seg::SubExp& result);
  // An array for what will be known by the name, in the place where it is wanted.
  ArrayValue fresh_array_for(const Name& name, prim::Type elem, const std::vector<nest::Expr>& dims);
  // A variable for arrays of any size; what it is for those of these dims.
  ArrayValue variable_of_any_size(prim::Type elem);
  ArrayValue of_size(const ArrayValue& variable, const std::vector<nest::Expr>& dims);
  void update_acc(const AccValue& acc, const Indices& index, const std::vector<KernelValue>& values);
  // Variables that change: a rank-0 register for a scalar, an array of the thread's own for an array.
  ArrayValue variable(const seg::Type& type, const std::string& base, const Name* known_as = nullptr);
  KernelValue current(const ArrayValue& variable);
  // Sets several variables at once from values that may be computed from their old contents.
  void assign(std::vector<ArrayValue> variables, std::vector<KernelValue> values);

  std::vector<KernelValue> call(const seg::Lambda& lambda, const std::vector<KernelValue>& args);
  // `emit_body` for 0, 1, ... below the extent, in order.
  void loop(const nest::Expr& extent, const std::function<void(const nest::Expr&)>& emit_body);
  void guarded(const nest::Expr& condition, const std::function<void()>& emit_body);
  // Emits the body where the indices are within the array's leading dimensions.
  void if_inside(const ArrayValue& a, const Indices& index, const std::function<void()>& emit_body);
  // Stores what is at `slice` if the whole slice is within the array; else nothing happens.
  void checked_store(const ArrayValue& a, const seg::Slice& slice, const KernelValue& value);

 private:
  class SegLoops;
  class TeamOps;
  // An array that is now in one, now in another of several pieces of memory: one that each step of a loop makes anew has two of them, of which it
  // reads one and makes the other, and arrays that change places have as many as they are.
  struct Pieces {
    ArrayValue all;    // of rank one more than the array
    ArrayValue which;  // where the array is; changes
  };

  // What `emit` emits is done by each thread by itself.
  nest::Block by_itself(const std::function<void()>& emit);
  void emit_for_all(nest::Block block);
  void barrier();
  void end_if_one_failed();
  nest::Block failing(int id, std::vector<nest::Expr> args);
  std::vector<KernelValue> by_team(const seg::Pat& pat, const seg::SegOp& e);
  // Puts in the place of the old elements what the operator makes of them and of the new ones, given its other arguments.
  void replace(const AccValue& acc, const Indices& index, std::vector<KernelValue> args,
               const std::vector<KernelValue>& values);
  void replace_locked(const AccValue& acc, const Indices& index, const std::vector<KernelValue>& args,
                      const std::vector<KernelValue>& values);

  static nest::Expr within(const nest::Expr& i, const nest::Expr& size);
  // The array itself if this thread may overwrite it, else a copy.
  ArrayValue writable(const ArrayValue& a);
  ArrayValue copied(const ArrayValue& a);
  // The value, independent of memory that this thread may overwrite later.
  ArrayValue stabilised(const ArrayValue& a) { return a.stable ? a : copied(a); }
  std::optional<nest::Expr> over_parameters(const nest::Expr& e);
  // Sees to it that memory whose size the host does not know has room for an array of these dims.
  void need_room(const std::vector<nest::Expr>& dims);
  // The results of a branch or the parameters of a loop, under these names and with these types: scalars first, since they
  // may be the arrays' sizes. Returns what each is; where there is no variable, nothing.
  template <class Elems>
  std::vector<ArrayValue> define_current(const std::vector<ArrayValue>& variables, const Elems& elems);
  std::vector<nest::Expr> dims(const seg::Type& type);
  bool fits_registers(prim::Type elem, const std::vector<nest::Expr>& dims);
  bool fixed_in_memory(const seg::Loop& e, size_t param, const std::vector<bool>& constant);
  ArrayValue pieces(const seg::Type& type, int64_t count);
  bool is_handed(const seg::SubExp& array) const { return array.is_var() && handed_.contains(array.name()); }
  ArrayValue sliced(const ArrayValue& a, const seg::Slice& slice);
  ArrayValue flat_sliced(const ArrayValue& a, const seg::FlatSlice& slice);

  void stm(const seg::Stm& s);
  void one(const seg::Stm& s, KernelValue value);  // binds the only name of the pattern
  void all(const seg::Stm& s, std::vector<KernelValue> values);

  void lower(const seg::Stm& s, const seg::Atom& e);
  void lower(const seg::Stm& s, const seg::Opaque& e);
  void lower(const seg::Stm& s, const seg::PrimOp& e);
  void lower(const seg::Stm& s, const seg::ArrayLit& e);
  void lower(const seg::Stm& s, const seg::ArrayVal& e);
  void lower(const seg::Stm& s, const seg::Assert& e);
  void lower(const seg::Stm& s, const seg::Index& e);
  void lower(const seg::Stm& s, const seg::Update& e);
  void lower(const seg::Stm& s, const seg::FlatIndex& e);
  void lower(const seg::Stm& s, const seg::FlatUpdate& e);
  void lower(const seg::Stm& s, const seg::Concat& e);
  void lower(const seg::Stm& s, const seg::Manifest& e);
  void lower(const seg::Stm& s, const seg::Iota& e);
  void lower(const seg::Stm& s, const seg::Replicate& e);
  void lower(const seg::Stm& s, const seg::Scratch& e);
  void lower(const seg::Stm& s, const seg::Reshape& e);
  void lower(const seg::Stm& s, const seg::Rearrange& e);
  void lower(const seg::Stm& s, const seg::UpdateAcc& e);
  void lower(const seg::Stm& s, const seg::Apply& e);
  void lower(const seg::Stm& s, const seg::Match& e);
  void lower(const seg::Stm& s, const seg::Loop& e);
  void lower(const seg::Stm& s, const seg::WithAcc& e);
  void lower(const seg::Stm& s, const seg::Screma& e);
  void lower(const seg::Stm& s, const seg::Scatter& e);
  void lower(const seg::Stm& s, const seg::Hist& e);
  void lower(const seg::Stm& s, const seg::Stream& e);
  void lower(const seg::Stm& s, const seg::Derivative& e);
  void lower(const seg::Stm& s, const seg::SegOp& e);
  void lower(const seg::Stm& s, const seg::GetSize& e);
  void lower(const seg::Stm& s, const seg::GetSizeMax& e);
  void lower(const seg::Stm& s, const seg::CmpSize& e);
  void lower(const seg::Stm& s, const seg::CalcNumBlocks& e);
  void lower(const seg::Stm& s, const seg::GpuBody& e);

  bool deferred(const seg::Stm& s, const seg::Screma& e);
  bool has_varying_size(const seg::Pat& pat);
  nest::Expr match_condition(const std::vector<seg::SubExp>& subjects, const seg::Case& c);
  void lower_cases(const seg::Match& e, size_t next, const std::vector<ArrayValue>& results);

  KernelBuilder& kernel_;
  nest::Block out_;
  std::unordered_map<Name, KernelValue> env_;
  std::unordered_set<Name> deferred_;
  std::unordered_map<Name, std::shared_ptr<std::optional<ArrayValue>>>
      wanted_;                               // until one of the names that share it is made there
  std::unordered_map<Name, Pieces> handed_;  // arrays that a loop leaves to loops within it
  std::optional<Team> team_;                 // none while a thread works by itself
  ArrayValue team_failed_;                   // what each of them says to the others; no place where there is no team
  bool asserts_hold_ = false;
  std::unordered_map<Name, nest::Expr> definitions_;  // of Lets, to find sizes that the host can compute
};

template <class Elems>
std::vector<ArrayValue> BodyLowerer::define_current(const std::vector<ArrayValue>& variables, const Elems& elems) {
  std::vector<ArrayValue> now = variables;
  for (bool of_any_size : {false, true}) {
    for (size_t k = 0; k < variables.size(); ++k) {
      const ArrayValue& v = variables[k];
      if (!v.read || (v.memory != nullptr) != of_any_size) continue;
      if (of_any_size) now[k] = of_size(v, dims(elems[k].type));
      define(elems[k].name, current(now[k]));
    }
  }
  return now;
}

template <class F>
void BodyLowerer::for_all(const std::vector<nest::Expr>& dims, F emit_element) {
  if (team_) return together(dims, emit_element);
  Indices index;
  std::function<void()> level = [&] {
    if (index.size() == dims.size()) return emit_element(index);
    loop(dims[index.size()], [&](const nest::Expr& i) {
      index.push_back(i);
      level();
      index.pop_back();
    });
  };
  level();
}

}  // namespace heddle::lower
