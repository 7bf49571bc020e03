#include "rewrites/recipes/histogram_by_block.h"

#include <algorithm>

#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Elements for each bin that are worth a block more.
constexpr int64_t kElementsOfBin = 4;
// For bins that no atomic operation updates.
constexpr int64_t kLocksOfBlock = 1024;
// Where threads that update a bin wait for each other, a block has several of each, so that the threads of a warp seldom meet: how
// many at most, and how much memory for all.
constexpr int64_t kCopiesOfBin = 32;
constexpr int64_t kRoomForCopies = 16 * 1024;  // bytes
// Locks, and what lies between arrays.
constexpr int64_t kRoomForRest = 6 * 1024;  // bytes
// How much may be read of each element in all passes, and what going over it once more costs beside that.
constexpr int64_t kMostReadOfElement = 32, kCostOfPass = 4;  // bytes

}  // namespace

Expr HistogramByBlock::bins_fit() const { return nest::less(kernel_.bytes_of_bins(), i64(seg::kRoomForBins)); }

// What a block's memory exchanges in a loop it does not do more than once for each element.
bool HistogramByBlock::may_have_ranges() const {
  return may_go_in_passes(kernel_) && kernel_.hists()[0].rank == 1 &&
         std::ranges::all_of(kernel_.op().hists, seg::is_done_by_memory_of_block);
}

// The elements are gone over as often as takes less time than to fetch their bins from memory, whose parts then fit.
Expr HistogramByBlock::num_passes(const Expr& block_memory) const {
  if (!may_have_ranges()) return i64(1);
  const int64_t most = kMostReadOfElement / (kCostOfPass + bytes_read_of_element(kernel_));
  Expr room = nest::max(i64(1), nest::sub(block_memory, i64(kRoomForRest)));
  Expr passes = nest::ceil_div(kernel_.bytes_of_bins(), room);
  return nest::max(i64(1), nest::min(passes, i64(std::max(int64_t{1}, most))));
}

Expr HistogramByBlock::bins_fill(const Expr& block_memory) const {
  Expr of_pass = nest::ceil_div(kernel_.bytes_of_bins(), num_passes(block_memory));
  Expr fit = nest::less(nest::add(of_pass, i64(kRoomForRest)), block_memory);
  Expr worth_blocks = nest::div(bins_worth(), nest::max(i64(1), kernel_.num_bins()));
  return nest::both(fit, nest::less(i64(filling_.blocks - 1), nest::mul(kernel_.num_segments(), worth_blocks)));
}

Launch HistogramByBlock::run(const std::string& name, const Expr& enabled, const std::optional<Expr>& block_memory) {
  HistogramBlocks blocks(kernel_, filling_, most_blocks());
  if (!std::ranges::all_of(kernel_.op().hists, seg::updates_cheaply_in_block))
    copies_ = kernel_.builder().launch_scalar("copies", num_copies(blocks));
  HistogramBlocks::Passes in_passes;
  if (block_memory && may_have_ranges())
    in_passes = [&] { return ranges_.emplace(kernel_, num_passes(*block_memory)).passes(); };
  return blocks.launch(name, enabled, in_passes, [&](const HistogramBlocks::Place& place) {
    if (ranges_) range_ = ranges_->of_pass(place.pass);
    make_bins(place.element);
    body_.separately([&] {
      blocks.for_all(blocks.turns(place), [&](const Expr& j) {
        const HistogramKernel::Element element = kernel_.element(place.segment, j);
        for (size_t k = 0; k < own_.size(); ++k) {
          const Own& h = own_[k];
          auto update = [&](const HistogramKernel::Update& u) {
            kernel_.update(HistogramKernel::bins(h.hist, h.bins, true, locks_), {}, u,
                           [&](const HistogramKernel::Emit& emit) { blocks.for_own(h.hist.of_bin(), emit); });
          };
          if (ranges_) {
            ranges_->if_in_range(range_, place.segment, element[k].bin, [&](const Expr& number) {
              update({{body_.bind(nest::sub(number, range_.begin))}, element[k].values});
            });
          } else {
            body_.if_inside(row(h.hist.whole[0], place.segment), element[k].bin, [&] { update(element[k]); });
          }
        }
      });
    });
    add_bins(place.segment, blocks);
  });
}

// Bins of a segment that its elements are worth, in all blocks together.
Expr HistogramByBlock::bins_worth() const {
  return nest::mul(nest::mul(kernel_.host(kernel_.width()), updates_of_element()), i64(kElementsOfBin));
}

// Blocks of a segment that are worth the bins that each adds to the whole.
Expr HistogramByBlock::most_blocks() const {
  return nest::ceil_div(bins_worth(), nest::max(i64(1), kernel_.num_bins()));
}

// Bins that an element updates, of all histograms.
Expr HistogramByBlock::updates_of_element() const {
  Expr updates = i64(0);
  for (const HistogramKernel::Hist& h : kernel_.hists())
    updates = nest::add(updates, kernel_.host(HistogramKernel::product(h.of_bin())));
  return updates;
}

// How many bins a block has of each, a power of two: as many as there is room for and as a block's elements are worth.
Expr HistogramByBlock::num_copies(const HistogramBlocks& blocks) const {
  Expr of_block = nest::div(kernel_.host(kernel_.width()), kernel_.host(blocks.chunks()));
  Expr worth = nest::div(of_block, nest::mul(nest::max(i64(1), kernel_.num_bins()), i64(kElementsOfBin)));
  Expr room = nest::div(i64(kRoomForCopies), nest::max(i64(1), kernel_.bytes_of_bins()));
  Expr most = nest::max(i64(1), nest::min(i64(kCopiesOfBin), nest::min(worth, room)));
  return power_of_two(nest::sub(log2_up(nest::add(most, i64(1))), i64(1)));
}

std::vector<Expr> HistogramByBlock::dims_of_block(const HistogramKernel::Hist& h) const {
  return ranges_ ? std::vector<Expr>{ranges_->bins_of_each()} : h.dims;
}

void HistogramByBlock::make_bins(const Expr& element) {
  Indices copy;  // this thread's
  if (copies_) copy = {body_.bind(modulo_power(element, copies_))};
  auto make = [&](Type elem, std::vector<Expr> dims) {
    if (copies_) dims.push_back(copies_);
    nest::Buffer b{kernel_.names().fresh("of_block"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
    body_.emit(nest::stmt(nest::Alloc{b}));
    return b;
  };
  auto fill = [&](const std::vector<ArrayValue>& arrays, const std::vector<KernelValue>& values) {
    body_.together(arrays[0].dims, [&](const Indices& i) {
      for (size_t k = 0; k < arrays.size(); ++k) body_.store_value(arrays[k], i, values[k]);
    });
  };
  for (const HistogramKernel::Hist& h : kernel_.hists()) {
    Own& own = own_.emplace_back(Own{h, {}, {}});
    std::vector<KernelValue> neutral;
    for (size_t k = 0; k < h.whole.size(); ++k) {
      const nest::Buffer b = make(h.whole[k].elem, dims_of_block(h));
      own.copies.push_back(whole_buffer(b, true));
      own.bins.push_back(whole_buffer(b, true, copy));
      neutral.push_back(body_.value(h.op.neutral[k]));
    }
    fill(own.copies, neutral);
  }
  if (std::ranges::any_of(own_, [](const Own& h) { return h.bins.size() > 1; })) {
    Expr locks = copies_
                     ? kernel_.builder().launch_scalar("locks", nest::div(i64(kLocksOfBlock), kernel_.host(copies_)))
                     : i64(kLocksOfBlock);
    const nest::Buffer b = make(Type::I32, {locks});
    locks_ = whole_buffer(b, true, copy);
    fill({whole_buffer(b, true)}, {nest::constant(prim::Value::i32(0))});
  }
}

// To the segment's.
void HistogramByBlock::add_bins(const Indices& segment, const HistogramBlocks& blocks) {
  for (const Own& h : own_) {
    const std::vector<Expr> dims = dims_of_block(h.hist);
    body_.together(dims, [&](const Indices& bin) {
      auto of_copy = [&](const Expr& copy) {
        Indices i = bin;
        if (copies_) i.push_back(copy);
        std::vector<KernelValue> values;
        for (const ArrayValue& a : h.copies) values.emplace_back(body_.bind(body_.read(a, i)));
        return values;
      };
      Indices of_segment = segment;
      of_segment.insert(of_segment.end(), bin.begin(), bin.end());
      if (ranges_) of_segment.back() = body_.bind(nest::add(range_.begin, bin[0]));
      // `shared`: by several blocks.
      auto add = [&](const std::vector<KernelValue>& values, bool shared) {
        auto update = [&] {
          body_.update_acc(HistogramKernel::bins(h.hist, h.hist.whole, shared), of_segment, values);
        };
        if (!ranges_) return update();
        body_.guarded(nest::less(of_segment.back(), range_.end), update);
      };
      if (!copies_) return add(of_copy({}), true);
      std::vector<ArrayValue> first;
      for (const ArrayValue& a : h.copies) {
        first.push_back(view(a, dims, [](Binder&, Indices i) {
          i.push_back(i64(0));
          return i;
        }));
      }
      const AccValue sums = HistogramKernel::bins(h.hist, std::move(first), false);
      body_.loop(nest::sub(copies_, i64(1)), [&](const Expr& others) {
        body_.update_acc(sums, bin, of_copy(body_.bind(nest::add(others, i64(1)))));
      });
      const std::vector<KernelValue> all = of_copy(i64(0));
      Expr is_alone = equal_to(blocks.chunks(), i64(1));
      body_.guarded(is_alone, [&] { add(all, false); });
      body_.guarded(nest::negate(is_alone), [&] { add(all, true); });
    });
  }
}

}  // namespace heddle::lower
