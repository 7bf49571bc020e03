#include "rewrites/host/one_thread.h"

#include <fmt/format.h>

#include "rewrites/host/read_in_kernel.h"

namespace heddle::host {

Expr OneThread::argument(const char* what, const Expr& of_host) {
  const Name name = names_.fresh(what);
  made_.kernel.scalars.push_back({name, of_host->type});
  made_.launch.scalars.push_back(of_host);
  return nest::var(name, of_host->type);
}

Expr OneThread::in_kernel(const Expr& of_host) {
  nest::for_each_expr(of_host, [&](const Expr& x) {
    const auto* v = std::get_if<nest::Var>(&x->node);
    if (v && !here_.contains(v->name)) here_.emplace(v->name, argument("argument", x));
  });
  return with_exact_products(nest::substitute(here_, of_host));
}

void OneThread::define(nest::Block& block, const Name& of_host, const Expr& value) {
  const Name here = names_.fresh(of_host);
  block.push_back(nest::stmt(nest::Let{here, value}));
  here_.insert_or_assign(of_host, nest::var(here, value->type));
}

Expr OneThread::measured(Aspect aspect, const Name& array, size_t dim) {
  const Name name = names_.fresh("measured");
  made_.measures.push_back(stmt(Measure{name, aspect, array, static_cast<int>(dim)}));
  return nest::var(name, prim::Type::I64);
}

Name OneThread::buffer(const Name& of_host, prim::Type elem, std::vector<Expr> dims, std::vector<Expr> strides) {
  Name here = names_.fresh(of_host);
  made_.kernel.buffers.push_back({here, elem, nest::Space::Global, std::move(dims), std::move(strides)});
  made_.launch.buffers.push_back(of_host);
  arrays_.emplace(of_host, here);
  return here;
}

Name OneThread::array(const Name& of_host, prim::Type elem, size_t rank) {
  if (auto known = arrays_.find(of_host); known != arrays_.end()) return known->second;
  std::vector<Expr> dims, strides;
  for (size_t d = 0; d < rank; ++d) {
    dims.push_back(argument("size", measured(Aspect::Size, of_host, d)));
    strides.push_back(argument("stride", measured(Aspect::Stride, of_host, d)));
  }
  return buffer(of_host, elem, std::move(dims), std::move(strides));
}

Name OneThread::element(const Name& of_host, prim::Type elem) {
  const Expr one = nest::constant(int64_t{1});
  return buffer(of_host, elem, {one}, {one});
}

OneThread::Made OneThread::finish(const char* name, int kernel_number, nest::Block body) && {
  const Name block = names_.fresh("block"), thread = names_.fresh("thread");
  const Expr one = nest::constant(int64_t{1});
  nest::Stmt threads = nest::stmt(nest::For{thread, one, nest::Role::Block, std::move(body)});
  made_.kernel.body = {nest::stmt(nest::For{block, one, nest::Role::Grid, {std::move(threads)}})};
  made_.kernel.name = fmt::format("{}_{}", name, block.tag);
  made_.launch.kernel = kernel_number;
  return std::move(made_);
}

}  // namespace heddle::host
