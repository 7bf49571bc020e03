#include "rewrites/plan/mailbox.h"

#include <algorithm>

#include "ir/seg/host_stms.h"

namespace heddle::lower {

namespace {

// Of the kernels that the host runs one after the other each has another, as long as there are more.
constexpr size_t kMostMailboxes = 4;

struct Letters {  // an argument of a launch that is to be a mailbox
  nest::Buffer& buffer;
  BufferArg& argument;
  int64_t words() const { return std::get<Mailbox>(argument).words; }
};

// In the order of the host's launches.
std::vector<Letters> letters(PlannedProgram& planned) {
  std::vector<Letters> found;
  seg::for_each_host_stm(planned.program, [&](const seg::StmPtr& s) {
    auto it = planned.plans.find(s.get());
    if (it == planned.plans.end()) return;
    for (Launch& launch : it->second.launches) {
      for (size_t k = 0; k < launch.buffer_args.size(); ++k) {
        if (std::holds_alternative<Mailbox>(launch.buffer_args[k]))
          found.push_back({launch.kernel.buffers[k], launch.buffer_args[k]});
      }
    }
  });
  return found;
}

seg::StmPtr made(const Name& mailbox, int64_t words) {
  seg::SubExp size(prim::Value::i64(words)), zero(prim::Value::i64(0));
  seg::Type type = seg::Type::scalar(prim::Type::I64);
  type.dims = {seg::Dim(size)};
  return std::make_shared<const seg::Stm>(seg::Stm{{{mailbox, type}}, {}, {}, seg::Replicate{{size}, zero}, {}});
}

}  // namespace

void provide_mailbox(PlannedProgram& planned, NameSource& names) {
  std::vector<Letters> all = letters(planned);
  for (size_t first = 0; first < std::min(kMostMailboxes, all.size()); ++first) {
    int64_t words = 0;
    for (size_t i = first; i < all.size(); i += kMostMailboxes) words = std::max(words, all[i].words());
    const Name name = names.fresh("mailbox");
    planned.program.constants.insert(planned.program.constants.begin(), made(name, words));
    for (size_t i = first; i < all.size(); i += kMostMailboxes) {
      all[i].buffer.dims = {nest::constant(words)};
      all[i].argument = HostArray{name};
    }
  }
}

}  // namespace heddle::lower
