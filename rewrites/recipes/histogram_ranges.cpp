#include "rewrites/recipes/histogram_ranges.h"

#include <algorithm>

#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

bool may_go_in_passes(const HistogramKernel& kernel) {
  if (kernel.hists().size() != 1 || kernel.has_rows()) return false;
  return std::ranges::all_of(kernel.op().body->stms, [](const seg::StmPtr& s) {
    return std::holds_alternative<seg::Index>(s->exp) || std::holds_alternative<seg::PrimOp>(s->exp);
  });
}

int64_t bytes_read_of_element(const HistogramKernel& kernel) {
  int64_t read = 0;
  for (const seg::StmPtr& s : kernel.op().body->stms) {
    if (std::holds_alternative<seg::Index>(s->exp)) read += prim::size_bytes(s->pat[0].type.elem);
  }
  return read;
}

BinRanges::BinRanges(HistogramKernel& kernel, const Expr& passes) : kernel_(kernel) {
  KernelBuilder& builder = kernel.builder();
  passes_ = builder.launch_scalar("passes", passes);
  bins_of_each_ = builder.launch_scalar("bins", nest::ceil_div(kernel.num_bins(), kernel.host(passes_)));
}

BinRanges::Range BinRanges::of_pass(const Expr& pass) {
  Expr begin = kernel_.body().bind(nest::mul(pass, bins_of_each_));
  Expr all = HistogramKernel::product(kernel_.hists()[0].dims);
  return {begin, kernel_.body().bind(nest::min(nest::add(begin, bins_of_each_), all))};
}

void BinRanges::if_in_range(const Range& range, const Indices& segment, const Indices& bin,
                            const std::function<void(const Expr& number)>& emit) {
  BodyLowerer& body = kernel_.body();
  const HistogramKernel::Hist& h = kernel_.hists()[0];
  auto if_in_pass = [&] {
    Expr number = i64(0);
    for (size_t d = 0; d < h.rank; ++d) number = nest::add(nest::mul(number, h.dims[d]), bin[d]);
    number = body.bind(number);
    Expr has_begun = nest::operation(prim::Op(prim::Family::Sle, Type::I64), {range.begin, number});
    body.guarded(nest::both(has_begun, nest::less(number, range.end)), [&] { emit(number); });
  };
  // Of one dimension none is in a pass that is not inside.
  if (h.rank == 1) return if_in_pass();
  body.if_inside(row(h.whole[0], segment), bin, if_in_pass);
}

}  // namespace heddle::lower
