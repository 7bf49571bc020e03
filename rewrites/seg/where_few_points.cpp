#include "rewrites/seg/where_few_points.h"

#include <algorithm>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/split_histogram.h"
#include "rewrites/seg/two_ways.h"

namespace heddle::seg {

namespace {

// The least of a histogram's bins that are worth a kernel more.
constexpr int64_t kManyBins = 4096;

SubExp product_of(Builder& b, SubExp product, const Shape& sizes) {
  for (const SubExp& s : sizes) product = product == i64(1) ? s : b.mul(product, s);
  return product;
}

}  // namespace

Stms where_few_points(const Stm& histogram, const Stms& others, NameSource& names) {
  const auto& op = std::get<SegOp>(histogram.exp);
  const auto are_few = [](const HistOp& h) {
    const auto bins = h.shape[0].int_constant();
    return h.shape.size() == 1 && bins && *bins < kManyBins;
  };
  if (std::ranges::any_of(op.hists, are_few)) return others;
  Builder b(names);
  Shape points;
  for (const SegDim& d : op.space.dims) points.push_back(d.size);
  const Shape segments(points.begin(), points.end() - 1);
  SubExp bins = product_of(b, product_of(b, i64(1), segments), op.hists[0].shape);
  const SubExp times = b.mul(product_of(b, i64(1), points), i64(4));
  const SubExp few = b.let("few_points", Type::scalar(prim::Type::Bool),
                           PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {times, bins}});
  b.add(two_ways(histogram, few, just(histogram), others, names));
  return b.take();
}

Result<Program> where_few_points(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    const auto parts = split_histogram(s, names);
    return parts ? where_few_points(s, *parts, names) : just(s);
  });
}

}  // namespace heddle::seg
