// The host IR: when a program's kernels run, and what memory they find. Statements in order, with explicit lifetimes.
//
// Semantics:
//  * Statements are executed in order. Launches, copies and fills are queued in that order on one device, and each sees
//    what those before it have written. Only ReadElement, Trace and the end of a function wait for the device.
//  * A name is bound once in a function, and is in scope behind the statement that binds it, to the end of its block.
//    Scalars are values that never change. An array is a window (offset, shape, strides) onto a block of memory, and holds
//    one reference to that block; names of arrays are not names of their elements, which statements may overwrite.
//  * Who binds an array owns it: its name must end exactly once on every way through the block that binds it, by a Free, as
//    the block's yield, as the initial value of a loop, or as the array that an Alloc takes its memory from. Behind that
//    it is not mentioned again. A block ends no names that blocks around it have bound; inputs of functions and constants
//    are borrowed, and no statement ends them. Memory is given back with its last reference, once what was queued before is
//    done with it; a failure gives back all that is owned.
//  * A yielded scalar or array becomes a result of the statement with the block, or a parameter of a loop's next iteration;
//    the parameters change all at once. Nothing is copied then.
//  * Alloc makes memory of undefined content. With `from`, it is the memory of that array if nobody else holds it and it
//    has the size, else new: whoever reads it before writing to it is wrong in either case. A view, Share or Reshape
//    refers to the memory of the array that it is of. Manifest makes new memory.
//  * A failure ends the function: of an Assert or a Check at once, of a kernel at the latest when the host next waits.
//    Kernels queued behind it do nothing. No other statement has an effect but on memory, so all else that binds names which
//    nobody uses may be left out; so may writing to memory that nobody reads.
//  * Expressions have no loads. One that may fail (prim::can_fail) stays behind the assert that it stands behind. Indices
//    and windows are within their arrays.
//  * Choose asks in order, for each way whose guard holds, whether there is a kernel compiled for the sizes at hand. The first
//    that has one runs. A family may also decide that its way is the right one but that its kernel is yet to be compiled: then
//    no other way is asked. A body may yield whether it has computed all; if it has not, it has changed nothing but what the others
//    overwrite without reading it, and those behind it are asked. Where none runs, `otherwise` does. All compute the same.
//  * Entry points whose inputs contradict each other in a size are refused by Checks.
//
// Programs have a text form that loses nothing: printer.h writes it, reader.h reads it and has its grammar.
//
// All nodes are immutable and shared.
#pragma once

#include "ir/nest/nest.h"
#include "ir/seg/syntax.h"

namespace heddle::host {

using nest::Expr;

struct Type {
  prim::Type elem = prim::Type::Unit;
  int rank = 0;  // 0: a scalar
  bool operator==(const Type&) const = default;
};
struct Binder {
  Name name;
  Type type;
};

// A scalar, or an array that is given away.
using Value = std::variant<Expr, Name>;

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;
struct Block {
  std::vector<Stmt> stmts;
  std::vector<Value> yields;
};

// ---- Scalars. ----

struct Let {
  Name name;
  Expr value;
};
// What is known of an array without looking at its elements, as an i64. Strides count elements, Alignment and Address say where
// it begins: the number of elements that the block's beginning is away from it, and where it is in memory.
enum class Aspect { Size, Stride, Alignment, Address };
struct Measure {
  Name name;
  Aspect aspect;
  Name array;
  int dim = 0;  // of Size and Stride
};
// What the runtime knows of the device, as an i64; in Choose only.
//   Parts         into how many parts a reduction of so many points, extent and depth is to be split
//   DetourPays    whether so many steps of a reduction take longer than so many bytes, moved by so many kernels, and there is room for so many
//   RowAlignment  a power of two that divides both all bits of the first and is as wide as an access of such elements may be
enum class Question { Parts, DetourPays, RowAlignment };
struct Ask {
  Name name;
  Question question;
  std::vector<Expr> args;  // i64
};
struct GetParam {  // a tuning parameter's value, i64
  Name name;
  std::string param;
};
struct GetMax {  // what parameters of this class may be at most, i64
  Name name;
  seg::SizeClassKind kind;
};
struct Compare {  // param <= value, bool; the tuner is told of the value
  Name name;
  std::string param;
  Expr value;
};
struct ReadElement {
  Name name;
  prim::Type type;
  Name array;
  std::vector<Expr> index;
};

// ---- Memory. ----

struct Alloc {
  Name name;
  prim::Type elem;
  std::vector<Expr> shape;
  std::vector<int> order;  // dimension order.back() is contiguous, the others follow; 0, 1, 2 is row-major
  std::optional<Name> from = {};
  bool for_host = false;  // where the host reads it without a copy, while kernels reach it slowly; not with `from`
};
struct Free {
  Name array;
};
struct Share {  // another reference, with the same window
  Name name, array;
};

// ---- Other windows onto the same memory. ----

struct Range {
  Expr start, count, stride;
};
using Subscript = std::variant<Expr, Range>;  // an index, which takes the dimension away, or a range of them
struct Slice {
  Name name, array;
  std::vector<Subscript> subscripts;
};
struct FlatSlice {  // of an array of rank 1
  Name name, array;
  Expr offset;
  std::vector<Expr> counts, strides;
};
struct Rearrange {  // dimension i is dimension perm[i] of the array
  Name name, array;
  std::vector<int> perm;
};
struct Broadcast {  // the array for every index of outer dimensions of these sizes
  Name name, array;
  std::vector<Expr> sizes;
};
struct Reshape {  // the same elements in row-major order, undefined ones if sizes differ; new memory where it must be
  Name name, array;
  std::vector<Expr> shape;
};

// ---- Elements. ----

struct Manifest {  // in new memory, laid out like that of an Alloc
  Name name, array;
  std::vector<int> order;
};
struct Deliver {  // as results of functions are: row-major, and in memory that is no constant's; shared or new
  Name name, array;
};
struct Copy {  // between arrays of the same shape, which are identical or do not overlap
  Name to, from;
};
struct Pack {  // the same for what these strides show of both, from where each begins
  Name to, from;
  std::vector<Expr> shape, to_strides, from_strides;
};
struct Fill {
  Name array;
  Expr value;
};
struct Iota {  // of rank 1
  Name array;
  Expr start, step;  // i64
};
struct Upload {  // all elements of a dense array
  Name array;
  std::vector<Expr> values;
};
struct WriteElement {
  Name array;
  std::vector<Expr> index;
  Expr value;
};

// ---- Kernels. ----

struct Launch {
  int kernel;                 // of Program::kernels
  std::vector<Expr> scalars;  // one for each of the kernel's, and so on
  std::vector<Name> buffers;
  // What is launched next, in the same block and with nothing queued between, needs nothing of this kernel, nor this of that: both may
  // run at the same time, unless it turns out that memory of one was given to the other.
  bool beside_next = false;
};
// The kernel of a way, in its body, with the constants that were chosen; repeated while choices are measured.
struct LaunchChosen {
  std::vector<Expr> scalars;
  std::vector<Name> buffers;
};

// What a family is told of the sizes: a struct of its own, whose members have these values.
struct Record;
// Copied by functions of their own: where GCC 12 inlines copies of members into each other, it destroys some twice when memory ends.
struct Records : std::vector<Record> {
  using std::vector<Record>::vector;
  Records();
  Records(const Records& other);
  Records(Records&& other) noexcept;
  Records& operator=(const Records& other);
  Records& operator=(Records&& other) noexcept;
  ~Records();
};
struct Member {
  std::string name;
  std::variant<Expr, std::vector<Expr>, Records> value;  // expressions are i64 or bool, those of a list alike
};
struct Record {
  std::string type;
  std::vector<Member> members;
};
struct Way {
  int kernel;                // of Program::family_kernels
  Block asked;               // scalars that the guard is about
  Expr guard;                // bool
  Block measured;            // scalars that the rest is about, besides those
  Record shape;              // i64
  std::vector<Expr> sizes;   // of the kernel's geometry, i64
  std::vector<Expr> fixed;   // values of the kernel's last constants, i64
  std::vector<Expr> places;  // what must be narrow (nest::Kernel::address_scalars), i64
  Block body;                // in which LaunchChosen stands once
};
struct Choose {  // ways' bodies may yield a bool, see above; all other blocks yield nothing
  std::vector<Way> ways;
  Block otherwise;
};

// ---- Control. ----

struct Case {
  Expr condition;
  Block body;
};
struct If {
  std::vector<Case> cases;  // the first whose condition holds
  Block otherwise;
  std::vector<Binder> results;
};

struct LoopParam {
  Binder binder;
  Value init;
};
struct ForEach {  // index = 0, ..., bound - 1
  Name index;
  Expr bound;
};
struct WhileTrue {
  Name condition;  // a parameter, or from outside of the loop, which then makes no step or never ends
};
struct Loop {
  std::vector<LoopParam> params;
  std::variant<ForEach, WhileTrue> form;
  Block body;
  std::vector<Name> results;  // the parameters in the end, with their types
};

struct Assert {
  Expr condition;
  int failure;  // of Program::failures
  std::vector<Expr> args;
};
struct Check {  // fails with a message that is no failure of the program's own
  Expr condition;
  std::string message;
};
struct Trace {  // prints a value; arrays are only looked at
  std::string tag;
  Value value;
};

struct StmtNode {
  std::variant<Let, Measure, Ask, GetParam, GetMax, Compare, ReadElement, Alloc, Free, Share, Slice, FlatSlice,
               Rearrange, Broadcast, Reshape, Manifest, Deliver, Copy, Pack, Fill, Iota, Upload, WriteElement, Launch,
               LaunchChosen, Choose, If, Loop, Assert, Check, Trace>
      node;
};

template <class Node>
Stmt stmt(Node node) {
  return std::make_shared<const StmtNode>(StmtNode{std::move(node)});
}

// ---- Programs. ----

struct TuningParam {
  std::string name;
  seg::SizeClass size_class;
};

// A place where the program may fail: what it says, and where in the source. nest::Fail has their numbers, too.
struct Failure {
  std::vector<std::variant<std::string, prim::Type>> message;  // text, or the type of the next argument
  std::string location;                                        // "file.fut:1:2-3", or empty
};

// A kernel that is compiled once sizes are known, since some of its constants are chosen for them.
struct FamilyKernel {
  std::string family;  // "contraction"
  std::string label;   // for tuning files: "main.contraction_0"
  nest::Kernel kernel;
  // The constants that the family chooses, by what it calls them: "parallel[0].points".
  struct Chosen {
    std::string member;
    Name constant;
  };
  std::vector<Chosen> chosen;
  // How large everything is for a choice and for these sizes: functions of both, each of which fills the members of a struct.
  std::vector<Name> sizes;
  struct Result {
    std::string member;
    Expr value;
  };
  struct Function {
    std::string name;  // of the struct: "tile_geometry"
    std::vector<Result> results;
  };
  std::vector<Function> functions;
};

struct Function {
  seg::EntryPoint entry;
  std::vector<Binder> inputs;  // the constituents of its parameters
  Block body;                  // yields those of its results
};

struct Program {
  std::vector<seg::OpaqueDef> types;
  std::vector<TuningParam> params;
  std::vector<Failure> failures;
  std::vector<nest::Kernel> kernels;
  std::vector<FamilyKernel> family_kernels;
  // Computed before any function runs: `init` yields their values. In functions they are in scope under these names.
  std::vector<Binder> constants;
  Block init;
  std::vector<Function> functions;
};

// The number of a tuning parameter, which the program has.
int param_number(const Program& program, const std::string& name);

// A list 0, 1, ..., rank - 1.
std::vector<int> row_major(size_t rank);
bool is_row_major(const std::vector<int>& order);

}  // namespace heddle::host
