// Collects the parameters of a kernel while its body is lowered.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rewrites/points/array_value.h"
#include "rewrites/points/host_scope.h"
#include "rewrites/points/launch.h"

namespace heddle::lower {

class KernelBuilder {
 public:
  KernelBuilder(const HostScope& host, NameSource& names) : host_(host), names_(names) {}

  const HostScope& host() const { return host_; }
  NameSource& names() { return names_; }
  // Of which a nest::Fail is to tell, by this number.
  int add_failure(Failure failure) {
    failures_.push_back(std::move(failure));
    return static_cast<int>(failures_.size()) - 1;
  }

  // `wanted` if the kernel has no such name yet, else a fresh one like it.
  Name unique(const Name& wanted);

  // A host scalar, under its own name.
  nest::Expr host_scalar(const Name& name);
  // Makes the host scalars that a body uses parameters.
  void add_host_scalars(const nest::Block& body);
  // Sizes and other operands that are host scalars or constants.
  nest::Expr host_operand(const seg::SubExp& operand);
  // A host array, under its own name; or computed, if it is an iota or the like. Writable: this kernel updates it in
  // place.
  ArrayValue host_array(const Name& name, bool writable);
  // How elements of arrays that contractions may compute are computed; without it they are read from memory.
  using Compute = std::function<ArrayValue(const ComputedArray& array)>;
  void look_through_arrays(Compute compute) { compute_ = std::move(compute); }
  // The arrays of which this was asked.
  const std::vector<Name>& looked_through() const { return looked_through_; }
  // A scalar that the host computes for this launch from host scalars.
  nest::Expr launch_scalar(const std::string& base, nest::Expr host_value);
  // Hands no more than that to the kernel for such a scalar.
  void bound_launch_scalar(const nest::Expr& scalar, const nest::Expr& most);
  // And no less than that.
  void raise_launch_scalar(const nest::Expr& scalar, const nest::Expr& least);
  // The memory of a host array that the kernel reads, under its own name; null where it reads none.
  const nest::Buffer* buffer_of(const Name& array) const;
  // All memory that it knows by now.
  const std::vector<nest::Buffer>& buffers() const { return kernel_.buffers; }
  // Where a host array begins in memory, in elements.
  nest::Expr address_of(const Name& array);
  // The memory of the seg op's i-th result.
  ArrayValue result_array(int index, const FreshResult& result);
  // Memory that the launches of the seg op share (Plan::temporaries), with these dims in terms of the kernel's parameters.
  // `exchanged`: see nest::Buffer.
  ArrayValue temporary_array(int index, prim::Type elem, std::vector<nest::Expr> dims, bool exchanged = false);
  // That many i64 words of the program's mailbox.
  ArrayValue mailbox(int64_t words);
  // Words of it that guard what several threads update, however many elements that are: each has one of these.
  const ArrayValue& locks();
  // Memory for one array per thread; `dims` in terms of the kernel's parameters. Elements of neighbouring threads are
  // neighbours.
  ArrayValue scratch_array(prim::Type elem, std::vector<nest::Expr> dims);
  // The same for an array of which only the thread knows the size: room() elements, as many as the largest has that any thread
  // makes. The host finds that number with a kernel that is told to find_sizes().
  ArrayValue room_array(prim::Type elem);
  bool has_rooms() const { return room_.has_value(); }
  nest::Expr room() const { return nest::var(*room_, prim::Type::I64); }
  // The kernel changes nothing that others see, and tells how much room its arrays need where they do not have it: a thread then
  // stores the number in needed(), lowers the flag fits(), and must do nothing more.
  void find_sizes() { finds_sizes_ = true; }
  bool finds_sizes() const { return finds_sizes_; }
  const ArrayValue& needed() const { return *needed_; }
  nest::Buffer fits() const { return {fits_, prim::Type::Bool, nest::Space::Register, {}, {}}; }
  // What a thread's arrays take, in the host's terms.
  nest::Expr scratch_bytes() const;
  // Memory for one array per block; those of a block lie together.
  struct Blocks {
    nest::Expr block, count;  // this one; how many, a parameter
  };
  ArrayValue block_array(prim::Type elem, std::vector<nest::Expr> dims, const Blocks& blocks);

  // One thread must compute all points, in order, because their updates of the same array cannot be atomic.
  void need_one_thread() { one_thread_ = true; }
  bool one_thread() const { return one_thread_; }

  // Set when a scratch array has been made: the number of threads must be bounded, and `thread` and `num_threads`
  // defined.
  bool has_scratch() const { return has_scratch_; }
  const Name& thread() const { return thread_; }
  const Name& num_threads() const { return num_threads_; }

  // The value of a parameter in terms of host scalars.
  nest::Expr host_value(const nest::Expr& over_parameters) const;
  bool is_parameter(const Name& name) const { return scalar_values_.contains(name); }

  // The launch, complete but for the body and the grid. `num_threads` (host value) is needed if has_scratch().
  Launch finish(std::string name, nest::Block body, nest::Expr num_blocks, nest::Expr block_size,
                const std::optional<nest::Expr>& num_threads) &&;

  // What is known where the kernel's statements begin. No statement but those of `body` stores to a buffer.
  nest::Facts facts(const nest::Block& body);

 private:
  // The elements of an array that need not be read from memory, if it is such a one.
  std::optional<ArrayValue> computed_array(const Name& name);
  void add_scalar(const Name& name, prim::Type type, ScalarArg arg);
  void change_launch_scalar(const nest::Expr& scalar, const std::function<nest::Expr(const nest::Expr&)>& change);

  const HostScope& host_;
  NameSource& names_;
  std::vector<Failure> failures_;
  std::unordered_set<Name> used_;
  std::unordered_map<Name, nest::Expr> scalar_values_;  // parameters that have a host value
  std::unordered_map<Name, ArrayValue> arrays_;
  nest::Kernel kernel_;
  std::vector<ScalarArg> scalar_args_;
  std::vector<BufferArg> buffer_args_;
  std::vector<size_t> scratches_;  // those of buffer_args_ that are of threads
  Compute compute_;
  std::vector<Name> looked_through_;
  bool has_scratch_ = false;
  bool one_thread_ = false;
  std::optional<ArrayValue> locks_;
  Name thread_, num_threads_;
  std::optional<Name> room_;
  bool finds_sizes_ = false;
  std::optional<ArrayValue> needed_;
  Name fits_;
};

}  // namespace heddle::lower
