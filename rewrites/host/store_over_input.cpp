#include "rewrites/host/store_over_input.h"

#include <algorithm>

#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"
#include "rewrites/host/store_in_place.h"

namespace heddle::host {

namespace {

bool all_equal(const std::vector<Expr>& a, const std::vector<Expr>& b) { return std::ranges::equal(a, b, nest::equal); }

// Whether arrays that a kernel knows like this are of the same size and lie in memory alike.
bool alike(const nest::Buffer& a, const nest::Buffer& b) {
  return a.elem == b.elem && !a.exchanged && !b.exchanged && all_equal(a.dims, b.dims) &&
         all_equal(a.strides, b.strides) && all_equal(b.strides, nest::dense_strides(b.dims));
}

class StoreOverInput {
 public:
  StoreOverInput(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, Block& body)
      : kernels_(kernels), launches_(launches), body_(body), memory_(body) {}

  void over(const Name& input) {
    for (size_t i = 0; i < body_.stmts.size(); ++i) {
      const auto* launch = std::get_if<Launch>(&body_.stmts[i]->node);
      const auto from = launch ? std::ranges::find(launch->buffers, input) : decltype(launch->buffers.begin()){};
      if (!launch || from == launch->buffers.end() || is_needed_behind(i, input)) continue;
      if (launches_[static_cast<size_t>(launch->kernel)] != 1) continue;
      for (size_t to = 0; to < launch->buffers.size(); ++to) {
        if (store_there(i, static_cast<size_t>(from - launch->buffers.begin()), to)) return;
      }
    }
  }

 private:
  bool is_needed_behind(size_t launch, const Name& input) const {
    const Name memory = memory_.of(input);
    for (size_t i = launch + 1; i < body_.stmts.size(); ++i) {
      if (!std::holds_alternative<Free>(body_.stmts[i]->node) && memory_.touches(body_.stmts[i], input)) return true;
    }
    return std::ranges::any_of(body_.yields, [&](const Value& v) {
      const auto* name = std::get_if<Name>(&v);
      return name && memory_.of(*name) == memory;
    });
  }

  // Where the array is made of which the launch is the first to know, if it is for kernels and row-major.
  std::optional<size_t> made_for(const Name& array, size_t launch) const {
    for (size_t i = launch; i-- > 0;) {
      const auto* alloc = std::get_if<Alloc>(&body_.stmts[i]->node);
      if (alloc && alloc->name == array) {
        const bool usual = !alloc->from && !alloc->for_host && is_row_major(alloc->order);
        return usual ? std::optional(i) : std::nullopt;
      }
      if (memory_.touches(body_.stmts[i], array)) return std::nullopt;
    }
    return std::nullopt;
  }

  bool store_there(size_t at, size_t from, size_t to) {
    Launch launch = std::get<Launch>(body_.stmts[at]->node);
    nest::Kernel& kernel = kernels_[static_cast<size_t>(launch.kernel)];
    const Name input = launch.buffers[from], result = launch.buffers[to];
    const auto once = [&](const Name& array) {
      return std::ranges::count_if(launch.buffers, [&](const Name& b) { return memory_.of(b) == memory_.of(array); }) ==
             1;
    };
    if (!alike(kernel.buffers[from], kernel.buffers[to]) || !once(input) || !once(result)) return false;
    const std::optional<size_t> made = made_for(result, at);
    if (!made) return false;
    const Name read = kernel.buffers[from].name, stored = kernel.buffers[to].name;
    const std::vector<bool> is_one(kernel.buffers[from].dims.size(), false);
    const auto place = place_of_stores(kernel, stored, read, is_one, [](const Index&, const Place&) { return false; });
    const auto is_start = [](const Place::Dim& d) { return d.start.is_zero(); };
    if (!place || !std::ranges::all_of(place->dims, is_start)) return false;
    kernel = storing_there(std::move(kernel), stored, read, *place);
    launch.buffers[from] = result;
    launch.buffers.erase(launch.buffers.begin() + static_cast<std::ptrdiff_t>(to));
    body_.stmts[at] = stmt(std::move(launch));
    body_.stmts[*made] = stmt(Share{result, input});
    return true;
  }

  std::vector<nest::Kernel>& kernels_;
  const std::vector<int>& launches_;
  Block& body_;
  const SameMemory memory_;
};

}  // namespace

Program store_over_input(Program program) {
  const std::vector<int> launches = launches_of_kernels(program);
  for (Function& f : program.functions) {
    if (f.inputs.size() != f.entry.params.size()) continue;  // of some only parts would be given away
    for (size_t i = 0; i < f.inputs.size(); ++i) {
      if (f.entry.params[i].unique && f.inputs[i].type.rank > 0)
        StoreOverInput(program.kernels, launches, f.body).over(f.inputs[i].name);
    }
  }
  return program;
}

}  // namespace heddle::host
