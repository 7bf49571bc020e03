#include "rewrites/host/write_by_kernel.h"

#include <fmt/format.h>

namespace heddle::host {

WrittenByKernel write_by_kernel(const WriteElement& write, int kernel_number, NameSource& names) {
  WrittenByKernel made{{}, {}, {kernel_number, {}, {write.array}}};
  auto pass = [&](const char* what, const Expr& value) {
    const Name name = names.fresh(what);
    made.kernel.scalars.push_back({name, value->type});
    made.launch.scalars.push_back(value);
    return nest::var(name, value->type);
  };
  auto measured = [&](Aspect aspect, size_t dim) {
    const Name name = names.fresh("measured");
    made.measures.push_back(stmt(Measure{name, aspect, write.array, static_cast<int>(dim)}));
    return nest::var(name, prim::Type::I64);
  };
  std::vector<Expr> dims, strides, index;
  for (size_t d = 0; d < write.index.size(); ++d) {
    dims.push_back(pass("size", measured(Aspect::Size, d)));
    strides.push_back(pass("stride", measured(Aspect::Stride, d)));
    index.push_back(pass("at", write.index[d]));
  }
  const Expr value = pass("value", write.value), one = nest::constant(int64_t{1});
  const Name array = names.fresh(write.array), block = names.fresh("block"), thread = names.fresh("thread");
  made.kernel.buffers.push_back({array, value->type, nest::Space::Global, dims, strides});
  const nest::Stmt store = nest::stmt(nest::Store{array, index, value});
  const nest::Stmt threads = nest::stmt(nest::For{thread, one, nest::Role::Block, {store}});
  made.kernel.body = {nest::stmt(nest::For{block, one, nest::Role::Grid, {threads}})};
  made.kernel.name = fmt::format("written_{}", block.tag);
  return made;
}

}  // namespace heddle::host
