// Kernels as linear code over numbered slots, so that a thread can stop at a barrier and go on later: its state is a
// place in the code and the values of its slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

// A slot of the thread, or, if negative, the constant number ~operand.
using Operand = int32_t;

enum class Code : uint8_t {
  Apply,        // dst = op(args)
  Call,         // dst = function(args)
  Copy,         // dst = args[0]
  Load,         // dst = buffer[args]
  Store,        // buffer[args but the last] = last of args
  AtomicLoad,   // like Load, as the first half of an atomic update
  AtomicStore,  // like Store, as its second half
  Alloc,        // the buffer's elements become unwritten
  Jump,         // to target
  JumpUnless,   // to target unless args[0]
  AsyncCopy,    // starts copying one element: args are the indices in buffer, those in buffer `target`, and the guard
  AsyncCommit,
  AsyncWait,  // for all groups but the `target` youngest
  BlockBarrier,
  WarpBarrier,
  Shuffle,  // dst = args[0] of the lane args[1] of the warp
  Fail,     // number `target` with args
  End,
};

struct Instr {
  Code code;
  prim::Op op{prim::Family::Add, prim::Type::I64};
  const prim::Function* function = nullptr;
  int32_t dst = 0;
  int32_t target = 0;
  int32_t buffer = 0;
  int32_t first_arg = 0;  // in EvalCode::args
  int32_t num_args = 0;
};

struct EvalBuffer {
  std::string name;
  Space space;
  prim::Type elem;
  std::vector<int64_t> dims, strides;
  bool tracked;       // shared between threads and written by the kernel
  int64_t num_elems;  // of shared and register buffers: from the first to the end of the last
  bool exchanged;
};

struct EvalCode {
  std::vector<Instr> code;
  std::vector<Operand> args;
  std::vector<prim::Value> constants;
  std::vector<EvalBuffer> buffers;  // first the kernel's parameters
  int32_t num_slots = 0;
  int32_t block_slot = 0, thread_slot = 0;  // where a thread finds its numbers
};

// The kernel's scalar parameters must have been replaced by constants. Throws std::invalid_argument with a message if a
// size is not a constant then.
EvalCode compile(const Kernel& kernel);

}  // namespace heddle::nest
