// The nest IR: how one kernel computes. Loops with roles, buffers with a memory space, guarded statements.
//
// Semantics:
//  * A kernel's body is executed for every combination of its Grid, Block, Warp and Lane loop indices at once; the
//    other loops run in order within a thread. Grid loops enclose Block loops. The extents of Grid and Block loops
//    depend on the kernel's scalar parameters only, so that the host can compute the launch.
//  * Indices of loads and stores are per dimension and must be within the buffer's dims; strides only say where an
//    element lies. Reading an element that nothing wrote is an error (the evaluator reports it).
//  * Global buffers come from outside (parameters) and are shared by all threads; Shared ones live as long as the
//    thread block; Register ones belong to one thread, have constant dims, and stay in registers if all their indices
//    become constants once Unrolled loops are. A Register buffer of rank 0 is a mutable scalar. The dims of Shared ones
//    depend on the kernel's scalar parameters only. Two buffers overlap only if nothing is written to either.
//  * An AsyncCopy reads its source at once or later, and its destination holds neither old nor new values until an
//    AsyncWait of the same thread has waited for it; other threads see them after the next barrier.
//  * A kernel's constants are values that are fixed when it is compiled: what must be constant may depend on them.
//  * Between two barriers no thread may write an element that another thread of the block reads or writes. Threads of
//    different blocks never exchange data within a kernel except by AtomicUpdate, within Locked, and through buffers that
//    say so (Buffer::exchanged). Blocks begin in the order of their numbers, so that one may wait for those before it.
//  * Expressions have no effects. Operators for which prim::can_fail holds must stay behind the guards they stand
//    behind; so must loads. All else may be moved and duplicated freely.
//  * Scalars, operators and builtin functions are seg's (ir/prim); nothing here repeats them.
//
// Nests have a text form that loses nothing: printer.h writes it, reader.h reads it and has its grammar.
//
// All nodes are immutable and shared; make them with the functions below, which check types.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/prim/prim.h"
#include "ir/support/names.h"

namespace heddle::nest {

// ---- Expressions: scalar values. ----

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

struct Const {
  prim::Value value;
};
struct Var {  // a parameter, loop index or Let
  Name name;
};
struct Operation {
  prim::Op op;
  std::vector<Expr> args;
};
struct Call {
  const prim::Function* function;
  std::vector<Expr> args;
};
struct Select {  // only the chosen side is evaluated
  Expr condition, if_true, if_false;
};
struct Load {
  Name buffer;
  std::vector<Expr> index;
};

struct ExprNode {
  prim::Type type;
  std::variant<Const, Var, Operation, Call, Select, Load> node;
};

Expr constant(prim::Value value);
Expr constant(int64_t value);  // i64
Expr var(Name name, prim::Type type);
Expr operation(prim::Op op, std::vector<Expr> args);  // folds constants and neutral elements
Expr call(const prim::Function* function, std::vector<Expr> args);
Expr select(Expr condition, Expr if_true, Expr if_false);
Expr load(Name buffer, prim::Type type, std::vector<Expr> index);

// i64 arithmetic for indices.
Expr add(Expr a, Expr b);
Expr sub(Expr a, Expr b);
Expr mul(Expr a, Expr b);
Expr div(Expr a, Expr b);  // floor; b > 0
Expr mod(Expr a, Expr b);  // floor; b > 0
Expr ceil_div(Expr a, Expr b);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr less(Expr a, Expr b);  // bool
Expr both(Expr a, Expr b);  // bool
Expr negate(Expr a);        // bool
std::optional<int64_t> int_constant(const Expr& e);
bool is_constant_zero(const Expr& e);      // of any type
bool equal(const Expr& a, const Expr& b);  // structurally

// ---- Buffers. ----

enum class Space { Global, Shared, Register };

struct Buffer {
  Name name;
  prim::Type elem;
  Space space;
  std::vector<Expr> dims;
  std::vector<Expr> strides;  // in elements, one per dimension
  // Of Global ones: other blocks may write an element while this one reads it, and each load and store takes place where
  // it stands, at once and on the whole element. They order nothing else: what belongs together goes into one element.
  bool exchanged = false;
  // Of Global ones that no thread writes: whoever reads an element reads it once, and for long nobody else. Caches may do without it, for
  // what is needed again. What is computed is the same.
  bool read_once = false;
};
// Row-major strides for `dims`.
std::vector<Expr> dense_strides(const std::vector<Expr>& dims);

// ---- Statements. ----

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;
using Block = std::vector<Stmt>;

enum class Role { Grid, Block, Warp, Lane, Serial, Unrolled, Vector };

struct Let {
  Name name;
  Expr value;
};
struct Alloc {  // Shared or Register; lives until the end of the enclosing block of statements
  Buffer buffer;
};
struct Store {
  Name buffer;
  std::vector<Expr> index;
  Expr value;
};
struct For {    // index runs from 0 to extent - 1; no iterations where extent <= 0
  Name index;   // i64
  Expr extent;  // i64
  Role role;
  Block body;
};
struct While {
  Expr condition;
  Block body;
  // Nanoseconds that a device's threads rest before each iteration: of loops that wait for other blocks, whose questions would keep the
  // memory from what these write. 0 for all others.
  int rest = 0;
};
struct If {
  Expr condition;
  Block then_body, else_body;
};
// buffer[index] = f(old value), atomically: `compute` may use `old`, and `value` is the result.
struct AtomicUpdate {
  Name buffer;
  std::vector<Expr> index;
  Name old;
  Block compute;
  Expr value;
};
// Executes `body` while no other thread executes one whose `lock[index]` is the same element. It has no barriers, locks or failures
// inside. The element, an i32 or i64 in Global or Shared memory, is zero before and after; nothing else touches it. What the
// body writes, others read and write by AtomicUpdate, under the same lock, or with a barrier or the kernel's end between.
struct Locked {
  Name lock;
  std::vector<Expr> index;
  Block body;
};
// Starts to copy `elems` neighbouring elements along the last dimension of both buffers: 2, 4, 8 or 16 bytes, aligned to
// as many, or one element. Where not `valid`, nothing is read and the destination is filled with zeros.
struct AsyncCopy {
  Name to;  // Shared
  std::vector<Expr> to_index;
  Name from;  // Global, and written by no thread of the kernel
  std::vector<Expr> from_index;
  Expr elems;  // constant
  Expr valid;
  bool is_kept =
      false;  // whether other blocks read some of it, too, at about the same time, so that caches are to keep it
};
// The thread's copies since the last one are a group.
struct AsyncCommit {};
// Waits until all groups of this thread but the `pending` youngest have arrived.
struct AsyncWait {
  Expr pending;  // constant
};
enum class Scope { Block, Warp };
struct Barrier {
  Scope scope;
};
// All lanes of a warp together, each once: `name` is what `value` is in the lane of number `lane`, which is one of the 32. It orders no
// accesses to memory. Threads of Block loops are lanes by their numbers; a block has whole warps of them then.
struct Shuffle {
  Name name;
  Expr value;
  Expr lane;  // i64
};
// Reports failure `id` of the program's table with its arguments, and ends the thread.
struct Fail {
  int id;
  std::vector<Expr> args;
};

struct StmtNode {
  std::variant<Let, Alloc, Store, For, While, If, AtomicUpdate, Locked, AsyncCopy, AsyncCommit, AsyncWait, Barrier,
               Shuffle, Fail>
      node;
};

template <class Node>
Stmt stmt(Node node) {
  return std::make_shared<const StmtNode>(StmtNode{std::move(node)});
}

// ---- Kernels. ----

struct ScalarParam {
  Name name;
  prim::Type type;
};

// What the compiler is told about a kernel's launches, over its constants.
struct LaunchBounds {
  Expr threads;    // in a block, exactly
  Expr registers;  // that a thread may have
};

struct Kernel {
  std::string name;  // a C identifier
  std::vector<ScalarParam> scalars;
  std::vector<Buffer> buffers;  // Global parameters; their dims and strides use the scalars only
  Block body;
  std::vector<Name> constants = {};  // i64
  // Scalars and register buffers of rank 0, i64, that only say where elements lie. In every launch they, the strides of
  // parameters and the indices of elements are between -2^30 and 2^30, and they are passed and kept with 32 bits.
  std::vector<Name> address_scalars = {};
  std::optional<LaunchBounds> bounds = {};
  // How many turns of Serial loops are written out has been chosen, as it always has been where there are constants: compilers leave them as they are.
  bool keeps_loops = false;
};

// Structurally; names are equal when their tags are.
bool equal_kernels(const Kernel& a, const Kernel& b);

inline bool is_address_scalar(const Kernel& k, const Name& scalar) {
  return std::find(k.address_scalars.begin(), k.address_scalars.end(), scalar) != k.address_scalars.end();
}

}  // namespace heddle::nest
