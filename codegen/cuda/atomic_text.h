// Atomic updates as C statements: one instruction where the device has it, else a loop around compare-and-exchange.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "codegen/c_expr.h"

namespace heddle::codegen {

// The single statement that does the update, if there is one. `on_processor`: plain accesses do, where the thread is told that it is alone.
std::optional<std::string> direct_atomic(const nest::AtomicUpdate& update, const BufferTable& buffers,
                                         bool on_processor);

// The parts of the loop: `head`, then the statements of `compute`, then `tail`.
struct ExchangeLoop {
  std::vector<std::string> head;
  std::vector<std::string> tail;
};
ExchangeLoop exchange_loop(const nest::AtomicUpdate& update, const BufferTable& buffers, bool on_processor);

}  // namespace heddle::codegen
