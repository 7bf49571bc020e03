// A kernel and what the host hands it: arguments, where results go, how many threads.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/seg/syntax.h"

namespace heddle::lower {

// A place where the program may fail at run time: an assert's message and location. Equal ones are not merged: each assert
// keeps its own.
struct Failure {
  std::vector<std::variant<std::string, prim::Type>> message;  // text, or the type of the next argument
  std::string location;                                        // "file.fut:1:2-3", or empty
};

// ---- Arguments of a launch. Expressions are over the host program's scalar names. ----

struct StrideOf {  // the stride, in elements, of one dimension of a host array
  Name array;
  int dim = 0;
};
struct AddressOf {  // where a host array begins in memory, in elements
  Name array;
};
using ScalarArg = std::variant<nest::Expr, StrideOf, AddressOf>;
// The array of which the argument is a property; null where it is computed.
inline const Name* measured_array(const ScalarArg& arg) {
  if (const auto* stride = std::get_if<StrideOf>(&arg)) return &stride->array;
  if (const auto* address = std::get_if<AddressOf>(&arg)) return &address->array;
  return nullptr;
}

struct HostArray {  // an array of the host program, read or updated in place
  Name name;
};
struct ResultArray {  // the array allocated for the seg op's i-th result
  int index = 0;
};
struct ScratchArray {  // memory of undefined content, used by this launch only
  prim::Type elem;
  nest::Expr num_elems;
};
// Memory that several launches of a seg op share, by its number in the temporaries of the plan.
struct TemporaryArray {
  int index = 0;
};
// Memory of all launches: words that are zero when a kernel begins and again when it ends, through which its blocks tell each
// other things (recipes/exchanged_words.h). plan/mailbox.h makes one array of the program's of it.
struct Mailbox {
  int64_t words = 0;
};
using BufferArg = std::variant<HostArray, ResultArray, ScratchArray, TemporaryArray, Mailbox>;

// ---- Where the results of a seg op are. ----

// Fresh memory in which dimension perm.back() is contiguous (perm is the identity for row-major).
struct FreshResult {
  prim::Type elem;
  std::vector<nest::Expr> shape;
  std::vector<int> perm;
};
struct UpdatedResult {  // the memory of a consumed host array
  Name array;
};
using ResultPlace = std::variant<FreshResult, UpdatedResult>;

// What the host sees to before the kernel runs: where it does not hold, the program fails.
struct HostCheck {
  nest::Expr holds;
  int failure;  // of Launch::failures, or where these are numbered
  std::vector<nest::Expr> args;
};

struct Launch {
  nest::Kernel kernel;
  std::vector<ScalarArg> scalar_args;  // one per kernel.scalars
  std::vector<BufferArg> buffer_args;  // one per kernel.buffers
  nest::Expr num_blocks;               // over the kernel's scalar parameters, like the next
  nest::Expr block_size;
  // Those of which the kernel (nest::Fail) or the host's checks may tell, by their numbers here until number_failures.h gives them
  // others; empty where nothing can fail.
  std::vector<Failure> failures{};
  std::vector<HostCheck> checks{};  // in order
};

}  // namespace heddle::lower
