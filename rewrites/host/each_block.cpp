#include "rewrites/host/each_block.h"

#include <algorithm>

namespace heddle::host {

int largest_tag(const Program& program) {
  int tag = next_tag(program) - 1;
  for (const nest::Kernel& k : program.kernels) {
    for (const nest::ScalarParam& p : k.scalars) tag = std::max(tag, p.name.tag);
    for (const nest::Buffer& b : k.buffers) tag = std::max(tag, b.name.tag);
    for (const Name& n : nest::bound_in(k.body)) tag = std::max(tag, n.tag);
  }
  return tag;
}

}  // namespace heddle::host
