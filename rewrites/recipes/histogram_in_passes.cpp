#include "rewrites/recipes/histogram_in_passes.h"

#include <algorithm>

#include "rewrites/points/index_code.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// How much may be read of each element in all passes before that takes longer than to fetch a bin from memory.
constexpr int64_t kMostReadOfElement = 64;  // bytes
constexpr int64_t kReadAtATime = 4;

}  // namespace

Launch HistogramInPasses::run(const std::string& name, const Expr& enabled) {
  HistogramBlocks blocks(kernel_, {});
  const bool in_passes = may_go_in_passes(kernel_);
  HistogramBlocks::Passes make_passes;
  if (in_passes) {
    make_passes = [&] { return ranges_.emplace(kernel_, num_passes()).passes(); };
  }
  Launch launch = blocks.launch(name, enabled, make_passes, [&](const HistogramBlocks::Place& place) {
    body_.separately([&] {
      const HistogramBlocks::Turns turns = blocks.turns(place);
      const Range bins = in_passes ? ranges_->of_pass(place.pass) : Range{};
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

// Several only where a bin's neighbours, which are fetched with it, are updated as well before they leave the cache.
Expr HistogramInPasses::num_passes() const {
  const int64_t read = bytes_read_of_element(kernel_);
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
    auto update = [&] {
      kernel_.update(HistogramKernel::bins(h, h.whole, true), segment, element[k],
                     [&](const HistogramKernel::Emit& emit) { blocks.for_own(h.of_bin(), emit); });
    };
    if (ranges_)
      ranges_->if_in_range(bins, segment, element[k].bin, [&](const Expr&) { update(); });
    else
      body_.if_inside(row(h.whole[0], segment), element[k].bin, update);
  }
}

}  // namespace heddle::lower
