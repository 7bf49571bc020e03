#include "rewrites/recipes/histogram_in_passes.h"

#include <algorithm>

#include "rewrites/points/index_code.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// How much may be read of each element in all passes before that takes longer than to fetch a bin from memory.
constexpr int64_t kMostReadOfElement = 64;  // bytes
constexpr int64_t kReadAtATime = 4;

}  // namespace

Launch HistogramInPasses::run(const std::string& name, const Expr& enabled) {
  HistogramBlocks blocks(kernel_, {});
  const bool in_passes = may_go_in_passes();
  HistogramBlocks::Passes make_passes;
  if (in_passes) {
    make_passes = [&] {
      KernelBuilder& builder = kernel_.builder();
      Expr passes = builder.launch_scalar("passes", num_passes());
      bins_of_each_ = builder.launch_scalar("bins", nest::ceil_div(kernel_.num_bins(), kernel_.host(passes)));
      return passes;
    };
  }
  Launch launch = blocks.launch(name, enabled, make_passes, [&](const HistogramBlocks::Place& place) {
    body_.separately([&] {
      const HistogramBlocks::Turns turns = blocks.turns(place);
      const Range bins = in_passes ? bins_of_pass(place.pass) : Range{};
      if (in_passes && seg::updates_cheaply(kernel_.op().hists[0]))
        return several_at_a_time(place.segment, turns, blocks, bins);
      blocks.for_all(turns,
                     [&](const Expr& j) { add(place.segment, kernel_.element(place.segment, j), blocks, bins); });
    });
  });
  if (in_passes) {
    // Else they would push bins out of the cache.
    const std::vector<Name> elements = read_once();
    for (nest::Buffer& b : launch.kernel.buffers) b.read_once = std::ranges::find(elements, b.name) != elements.end();
  }
  return launch;
}

// Whether its elements cost so little that they may be made several times.
bool HistogramInPasses::may_go_in_passes() const {
  if (kernel_.hists().size() != 1 || kernel_.has_rows()) return false;
  return std::ranges::all_of(kernel_.op().body->stms, [](const seg::StmPtr& s) {
    return std::holds_alternative<seg::Index>(s->exp) || std::holds_alternative<seg::PrimOp>(s->exp);
  });
}

// Several only where a bin's neighbours, which are fetched with it, are updated as well before they leave the cache.
Expr HistogramInPasses::num_passes() const {
  int64_t read = 0;
  for (const seg::StmPtr& s : kernel_.op().body->stms) {
    if (std::holds_alternative<seg::Index>(s->exp)) read += prim::size_bytes(s->pat[0].type.elem);
  }
  Expr passes = nest::ceil_div(kernel_.bytes_of_bins(), i64(seg::kRoomInCache));
  Expr are_worth = nest::both(nest::less(i64(0), passes),
                              nest::less(passes, i64(kMostReadOfElement / std::max(int64_t{1}, read) + 1)));
  are_worth = nest::both(are_worth, nest::less(nest::sub(kernel_.num_bins(), i64(1)), kernel_.host(kernel_.width())));
  return nest::select(are_worth, passes, i64(1));
}

// The arrays of which each point reads an element of its own, and nothing else does.
std::vector<Name> HistogramInPasses::read_once() const {
  const std::vector<seg::SegDim>& dims = kernel_.op().space.dims;
  std::vector<Name> once, again;
  for (const seg::StmPtr& s : kernel_.op().body->stms) {
    const auto* read = std::get_if<seg::Index>(&s->exp);
    if (!read) continue;
    const bool own = read->slice.size() == dims.size() && std::ranges::all_of(dims, [&](const seg::SegDim& d) {
                       return std::ranges::find(read->slice, seg::DimIndex(seg::DimFix{d.index})) != read->slice.end();
                     });
    const bool is_first = std::ranges::find(once, read->array) == once.end();
    (own && is_first ? once : again).push_back(read->array);
  }
  std::erase_if(once, [&](const Name& a) { return std::ranges::find(again, a) != again.end(); });
  return once;
}

HistogramInPasses::Range HistogramInPasses::bins_of_pass(const Expr& pass) {
  Expr begin = body_.bind(nest::mul(pass, bins_of_each_));
  Expr all = HistogramKernel::product(kernel_.hists()[0].dims);
  return {begin, body_.bind(nest::min(nest::add(begin, bins_of_each_), all))};
}

// What several elements read is on its way before the first bin is updated.
void HistogramInPasses::several_at_a_time(const Indices& segment, const HistogramBlocks::Turns& turns,
                                          HistogramBlocks& blocks, const Range& bins) {
  body_.loop(body_.bind(nest::ceil_div(turns.rounds, i64(kReadAtATime))), [&](const Expr& turn) {
    struct OfRound {
      Expr is_there;
      HistogramKernel::Element element;
    };
    std::vector<OfRound> elements;
    for (int64_t k = 0; k < kReadAtATime; ++k) {
      Expr round = nest::add(nest::mul(turn, i64(kReadAtATime)), i64(k));
      Expr j = body_.bind(nest::add(turns.first, nest::mul(round, turns.stride)));
      // Behind the last element that one again, which is not used.
      Expr last = nest::sub(kernel_.width(), i64(1));
      Expr there = body_.bind(nest::min(j, last));
      elements.push_back({nest::less(j, kernel_.width()), kernel_.element(segment, there)});
    }
    for (const OfRound& e : elements) body_.guarded(e.is_there, [&] { add(segment, e.element, blocks, bins); });
  });
}

void HistogramInPasses::add(const Indices& segment, const HistogramKernel::Element& element, HistogramBlocks& blocks,
                            const Range& bins) {
  for (size_t k = 0; k < element.size(); ++k) {
    const HistogramKernel::Hist& h = kernel_.hists()[k];
    if_in_range(h, segment, element[k].bin, bins, [&] {
      kernel_.update(HistogramKernel::bins(h, h.whole, true), segment, element[k],
                     [&](const HistogramKernel::Emit& emit) { blocks.for_own(h.of_bin(), emit); });
    });
  }
}

void HistogramInPasses::if_in_range(const HistogramKernel::Hist& h, const Indices& segment, const Indices& bin,
                                    const Range& bins, const std::function<void()>& emit) {
  auto if_in_pass = [&] {
    Expr number = i64(0);
    for (size_t d = 0; d < h.rank; ++d) number = nest::add(nest::mul(number, h.dims[d]), bin[d]);
    number = body_.bind(number);
    Expr has_begun = nest::operation(prim::Op(prim::Family::Sle, Type::I64), {bins.begin, number});
    body_.guarded(nest::both(has_begun, nest::less(number, bins.end)), emit);
  };
  // Of one dimension none is in a pass that is not inside.
  if (!bins.begin)
    body_.if_inside(row(h.whole[0], segment), bin, emit);
  else if (h.rank == 1)
    if_in_pass();
  else
    body_.if_inside(row(h.whole[0], segment), bin, if_in_pass);
}

}  // namespace heddle::lower
