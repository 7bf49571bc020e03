#include "rewrites/recipes/way.h"

#include "ir/nest/threads.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

void add_temporary(Way& way, const nest::Buffer& buffer) {
  nest::Substitution values = host_values(way.direct);
  Expr num_elems = nest::constant(int64_t{1});
  for (const Expr& d : buffer.dims) num_elems = nest::mul(num_elems, nest::substitute(values, d));
  add_buffer(way, buffer, TemporaryArray{static_cast<int>(way.temporaries.size())});
  way.temporaries.push_back({buffer.elem, num_elems});
}

void see(Way& way, contraction::Viewed viewed) {
  for (contraction::View& v : viewed.views) add_buffer(way, std::move(v.buffer), argument_of(way, v.of));
  way.match = std::move(viewed.contraction);
}

void demand(Way& way, const Expr& condition) { way.guard = way.guard ? nest::both(way.guard, condition) : condition; }

nest::Substitution host_values(const Launch& launch) {
  nest::Substitution values;
  for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
    if (const auto* e = std::get_if<Expr>(&launch.scalar_args[i])) {
      values.emplace(launch.kernel.scalars[i].name, *e);
    }
  }
  return values;
}

void keep_used(Launch& launch) {
  nest::NameSet used = nest::free_names(launch.kernel.body);
  std::vector<nest::Buffer> buffers;
  std::vector<BufferArg> buffer_args;
  for (size_t i = 0; i < launch.kernel.buffers.size(); ++i) {
    const nest::Buffer& b = launch.kernel.buffers[i];
    if (!used.contains(b.name)) continue;
    buffers.push_back(b);
    buffer_args.push_back(launch.buffer_args[i]);
  }
  for (const nest::Buffer& b : buffers) {
    for (const std::vector<Expr>* list : {&b.dims, &b.strides}) {
      for (const Expr& e : *list) {
        for (const Name& n : nest::free_names(e)) used.insert(n);
      }
    }
  }
  std::vector<nest::ScalarParam> scalars;
  std::vector<ScalarArg> scalar_args;
  for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
    if (!used.contains(launch.kernel.scalars[i].name)) continue;
    scalars.push_back(launch.kernel.scalars[i]);
    scalar_args.push_back(launch.scalar_args[i]);
  }
  launch.kernel.buffers = std::move(buffers);
  launch.buffer_args = std::move(buffer_args);
  launch.kernel.scalars = std::move(scalars);
  launch.scalar_args = std::move(scalar_args);
}

Launch launch_per_point(const Way& way, const std::string& suffix, const std::vector<recognize::Index>& box,
                        nest::Block point, NameSource& names) {
  constexpr int64_t kBlockSize = 256;
  Launch launch = way.direct;
  launch.kernel.name += suffix;
  launch.failures.clear();

  Name block = names.fresh("block"), thread = names.fresh("thread"), number = names.fresh("number");
  Expr total = nest::constant(int64_t{1}), rest = nest::var(number, Type::I64);
  for (const recognize::Index& i : box) total = nest::mul(total, i.extent);
  std::vector<nest::Stmt> indices;
  for (size_t d = box.size(); d-- > 0;) {
    indices.push_back(nest::stmt(nest::Let{box[d].name, d > 0 ? nest::mod(rest, box[d].extent) : rest}));
    rest = nest::div(rest, box[d].extent);
  }
  point.insert(point.begin(), indices.begin(), indices.end());
  Expr at = nest::add(nest::mul(nest::var(block, Type::I64), nest::constant(kBlockSize)), nest::var(thread, Type::I64));
  nest::Block body = {nest::stmt(nest::Let{number, at}),
                      nest::stmt(nest::If{nest::less(nest::var(number, Type::I64), total), std::move(point), {}})};
  body = {nest::stmt(nest::For{thread, nest::constant(kBlockSize), nest::Role::Block, body})};
  launch.kernel.body = {
      nest::stmt(nest::For{block, nest::ceil_div(total, nest::constant(kBlockSize)), nest::Role::Grid, body})};
  launch.num_blocks = nest::num_blocks(launch.kernel);
  launch.block_size = nest::block_size(launch.kernel);
  keep_used(launch);
  return launch;
}

}  // namespace heddle::lower
