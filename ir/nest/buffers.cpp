#include "ir/nest/buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/support/error.h"

namespace heddle::nest {

const Buffer& buffer_named(const std::vector<Buffer>& buffers, const Name& name) {
  auto found = std::ranges::find(buffers, name, &Buffer::name);
  if (found == buffers.end()) throw Refused{internal_error(fmt::format("there is no buffer {}", name.text()))};
  return *found;
}

}  // namespace heddle::nest
