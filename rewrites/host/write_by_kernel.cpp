#include "rewrites/host/write_by_kernel.h"

namespace heddle::host {

OneThread::Made write_by_kernel(const WriteElement& write, int kernel_number, NameSource& names) {
  OneThread thread(names);
  const Name array = thread.array(write.array, write.value->type, write.index.size());
  std::vector<Expr> index;
  for (const Expr& i : write.index) index.push_back(thread.argument("at", i));
  const nest::Stmt store = nest::stmt(nest::Store{array, std::move(index), thread.argument("value", write.value)});
  return std::move(thread).finish("written", kernel_number, {store});
}

}  // namespace heddle::host
