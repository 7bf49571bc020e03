#include "rewrites/points/parameters.h"

namespace heddle::lower {

void take_parameters(Launch& to, nest::NameSet used, const std::vector<const Launch*>& from) {
  for (const Launch* l : from) {
    for (size_t k = 0; k < l->kernel.buffers.size(); ++k) {
      const nest::Buffer& b = l->kernel.buffers[k];
      if (!used.erase(b.name)) continue;
      to.kernel.buffers.push_back(b);
      to.buffer_args.push_back(l->buffer_args[k]);
      for (const auto* sizes : {&b.dims, &b.strides}) {
        for (const nest::Expr& e : *sizes) used.merge(nest::free_names(e));
      }
    }
  }
  for (const Launch* l : from) {
    for (size_t k = 0; k < l->kernel.scalars.size(); ++k) {
      if (!used.erase(l->kernel.scalars[k].name)) continue;
      to.kernel.scalars.push_back(l->kernel.scalars[k]);
      to.scalar_args.push_back(l->scalar_args[k]);
    }
  }
}

}  // namespace heddle::lower
