#include "rewrites/seg/store_elements.h"

#include "ir/seg/traverse.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

Stms store_elements(const Stm& folded, NameSource& names) {
  const auto& op = std::get<SegOp>(folded.exp);
  size_t num_folded = 0;
  for (const SegBinOp& o : op.ops) num_folded += o.lambda.ret.size();
  Shape space;
  for (const SegDim& d : op.space.dims) space.push_back(d.size);

  SegOp map = op;
  map.kind = SegKind::Map;
  map.ops.clear();
  Pat pat = folded.pat;
  for (size_t k = 0; k < num_folded; ++k) pat[k] = {names.fresh("element"), array_of(op.types[k], space)};

  SegOp fold = op;
  fold.types.resize(num_folded);
  fold.space.flat = names.fresh(op.space.flat);
  std::vector<SubExp> index;
  for (SegDim& d : fold.space.dims) {
    d.index = names.fresh(d.index);
    index.emplace_back(d.index);
  }
  Builder point(names);
  auto body = std::make_shared<KernelBody>();
  for (size_t k = 0; k < num_folded; ++k) {
    Name element = point.let("element", op.types[k], Index{pat[k].name, row_slice(index, op.types[k])});
    body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, element});
  }
  body->stms = point.take();
  fold.body = std::move(body);

  Builder host(names);
  host.add(Stm{std::move(pat), folded.attrs, folded.certs, std::move(map), folded.position});
  host.add(Stm{{folded.pat.begin(), folded.pat.begin() + static_cast<long>(num_folded)},
               {},
               {},
               std::move(fold),
               folded.position});
  return host.take();
}

}  // namespace heddle::seg
