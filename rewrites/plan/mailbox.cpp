#include "rewrites/plan/mailbox.h"

#include <algorithm>

namespace heddle::lower {

namespace {

// Calls f(buffer, argument) for all arguments of launches that are mailboxes.
template <class F>
void for_each_mailbox(PlannedProgram& planned, F f) {
  for (auto& [stm, plan] : planned.plans) {
    for (Launch& launch : plan.launches) {
      for (size_t k = 0; k < launch.buffer_args.size(); ++k) {
        if (std::holds_alternative<Mailbox>(launch.buffer_args[k])) f(launch.kernel.buffers[k], launch.buffer_args[k]);
      }
    }
  }
}

}  // namespace

void provide_mailbox(PlannedProgram& planned, NameSource& names) {
  int64_t words = 0;
  for_each_mailbox(planned, [&](const nest::Buffer&, const BufferArg& argument) {
    words = std::max(words, std::get<Mailbox>(argument).words);
  });
  if (words == 0) return;
  Name name = names.fresh("mailbox");
  seg::SubExp size(prim::Value::i64(words)), zero(prim::Value::i64(0));
  seg::Type type = seg::Type::scalar(prim::Type::I64);
  type.dims = {seg::Dim(size)};
  planned.program.constants.insert(
      planned.program.constants.begin(),
      std::make_shared<const seg::Stm>(seg::Stm{{{name, type}}, {}, {}, seg::Replicate{{size}, zero}, {}}));
  for_each_mailbox(planned, [&](nest::Buffer& buffer, BufferArg& argument) {
    buffer.dims = {nest::constant(words)};
    argument = HostArray{name};
  });
}

}  // namespace heddle::lower
