#include "rewrites/recipes/histogram.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/body.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Elements for each bin that are worth a block more.
constexpr int64_t kElementsOfBin = 4;
constexpr int64_t kRoomForBins = 40 * 1024;  // bytes
// Of a block, for bins that no atomic operation updates.
constexpr int64_t kLocksOfBlock = 1024;
// Where threads that update a bin wait for each other, a block has several of each, so that the threads of a warp seldom meet: how
// many at most, and how much memory for all.
constexpr int64_t kCopiesOfBin = 32;
constexpr int64_t kRoomForCopies = 16 * 1024;  // bytes
// Threads that share an element's row, at most: a warp, or where elements are few a block.
constexpr int64_t kMaxAbreast = 32;
constexpr int64_t kFewElements = kFillingBlocks * (kBlockSize / kMaxAbreast);
// Of bins that stay in the cache of a large device while all elements go by; and how much may be read of each element in all passes before that
// takes longer than to fetch a bin from memory.
constexpr int64_t kRoomInCache = 20 * 1024 * 1024;  // bytes
constexpr int64_t kMostReadOfElement = 64;          // bytes
constexpr int64_t kReadAtATime = 4;
// Where each thread has a segment: threads of a block, the fewest segments that fill a device, and how many there are for each
// element of one, so that many short turns take no longer than few long ones.
constexpr int64_t kThreadsWithBins = 64;
constexpr int64_t kFillingSegments = 4096;
constexpr int64_t kSegmentsOfElement = 16;
constexpr int64_t kElementsAtATime = 8;
constexpr int64_t kWidestAccess = 16;  // bytes

// Whose bins the elements go to first.
enum class Bins { OfThread, OfBlock, Whole };

// What each element of an array is before, if that is known.
std::optional<Expr> filled_with(const Name& array, const HostScope& host) {
  const seg::Exp* made = host.facts.array_definition(array);
  const auto* replicate = made ? std::get_if<seg::Replicate>(made) : nullptr;
  if (!replicate || replicate->value.is_var()) return std::nullopt;
  return nest::constant(replicate->value.value());
}

Expr product(const std::vector<Expr>& sizes) {
  Expr n = i64(1);
  for (const Expr& s : sizes) n = nest::mul(n, s);
  return n;
}

class Histogram {
 public:
  // `fresh`: into memory of its own, whatever there is before.
  Histogram(const seg::SegOp& op, const HostScope& host, NameSource& names, Bins bins, bool fresh)
      : op_(op), names_(names), kernel_(host, names), b_(kernel_), bins_(bins) {
    for (const seg::SegDim& d : op.space.dims) sizes_.push_back(kernel_.host_operand(d.size));
    segments_.assign(sizes_.begin(), sizes_.end() - 1);
    for (const seg::HistOp& h : op.hists) {
      Hist hist{h, {}, {}, {}, h.shape.size(), {}, {}};
      for (const seg::Shape* shape : {&h.shape, &h.op_shape}) {
        for (const seg::SubExp& size : *shape) hist.dims.push_back(kernel_.host_operand(size));
      }
      for (const Name& dest : h.dests) {
        hist.dest.push_back(fresh ? result(dest, hist.dims) : kernel_.host_array(dest, true));
        hist.filled_with.push_back(lower::filled_with(dest, host));
      }
      hists_.push_back(std::move(hist));
    }
  }

  const std::vector<FreshResult>& results() const { return results_; }

  // In the host's terms.
  Expr num_bins() const {
    Expr n = i64(0);
    for (const Hist& h : hists_) n = nest::add(n, kernel_.host_value(product(h.dims)));
    return n;
  }
  Expr bins_fit() const {
    return nest::less(bytes_of_bins(), i64(kRoomForBins / (bins_ == Bins::OfThread ? kThreadsWithBins : 1)));
  }
  // Whether there are so many segments, and so short ones, that a thread for each is quicker than a block.
  Expr many_short_segments() const {
    Expr segments = kernel_.host_value(product(segments_)), width = kernel_.host_value(sizes_.back());
    Expr enough = nest::max(i64(kFillingSegments), nest::mul(width, i64(kSegmentsOfElement)));
    return nest::less(nest::sub(enough, i64(1)), segments);
  }

  // Adds to the condition under which it is launched what all its checks come to, where there is such a thing.
  Launch run_threads(const std::string& name, Expr& enabled) {
    Expr count = kernel_.launch_scalar("segments", kernel_.host_value(product(segments_)));
    Name block = names_.fresh("block"), thread = names_.fresh("thread");
    nest::Block work = b_.block([&] {
      Expr segment = b_.bind(nest::add(nest::mul(var(block), i64(kThreadsWithBins)), var(thread)));
      make_bins_of_threads(var(thread));
      b_.guarded(nest::less(segment, count), [&] { all_of(indices(segment)); });
    });
    nest::Facts facts = kernel_.facts(work);
    auto simplified = [&](const std::vector<Expr>& positive) {
      return facts.scope([&] {
        tell_indices(facts, {{block, count}, {thread, i64(kThreadsWithBins)}});
        for (const Expr& size : positive) facts.assume(nest::less(i64(0), size));
        return nest::discharge(work, facts);
      });
    };
    // Elements of clamped indices are there if the array has any. A check that remains keeps threads from loading ahead.
    const std::vector<Expr> sizes = sizes_compared(work);
    nest::Block unchecked = nest::may_fail(work) && !sizes.empty() ? simplified(sizes) : nest::Block{};
    if (!unchecked.empty() && !nest::may_fail(unchecked)) {
      work = std::move(unchecked);
      for (const Expr& size : sizes) enabled = nest::both(enabled, nest::less(i64(0), kernel_.host_value(size)));
    } else {
      work = simplified({});
    }
    if (kernel_.has_scratch()) refuse("a histogram whose threads need memory of their own");
    Expr blocks = kernel_.launch_scalar(
        "blocks", nest::select(enabled, nest::ceil_div(kernel_.host_value(count), i64(kThreadsWithBins)), i64(0)));
    kernel_.add_host_scalars(work);
    work = {loop(thread, i64(kThreadsWithBins), nest::Role::Block, std::move(work))};
    work = {loop(block, blocks, nest::Role::Grid, std::move(work))};
    return std::move(kernel_).finish(name, std::move(work), blocks, i64(kThreadsWithBins), std::nullopt);
  }

  Launch run(const std::string& name, const Expr& enabled) {
    Expr segments = kernel_.host_value(product(segments_)), width = kernel_.host_value(sizes_.back());
    if (threads_share_rows()) {
      abreast_ = kernel_.launch_scalar("abreast", abreast(width));
      elements_at_once_ = kernel_.launch_scalar("elements", nest::div(i64(kBlockSize), kernel_.host_value(abreast_)));
    }
    Expr at_once = kernel_.host_value(elements_at_once_);
    Expr useful = nest::ceil_div(nest::mul(width, updates_of_thread()), nest::mul(at_once, i64(kElementsOfThread)));
    if (has_rows()) useful = nest::min(useful, nest::ceil_div(width, at_once));
    if (bins_ == Bins::OfBlock) {
      Expr worth = nest::mul(nest::mul(width, updates_of_element()), i64(kElementsOfBin));
      useful = nest::min(useful, nest::ceil_div(worth, nest::max(i64(1), num_bins())));
    }
    Expr room = nest::ceil_div(i64(kFillingBlocks), nest::max(i64(1), segments));
    chunks_ = kernel_.launch_scalar("chunks", nest::max(i64(1), nest::min(useful, room)));
    if (bins_ == Bins::OfBlock && !std::ranges::all_of(op_.hists, seg::updates_cheaply))
      copies_ = kernel_.launch_scalar("copies", copies());
    Expr blocks = kernel_.launch_scalar("segments", nest::select(enabled, segments, i64(0)));
    Name segment = names_.fresh("segment"), pass = names_.fresh("pass");
    Name chunk = names_.fresh("chunk"), thread = names_.fresh("thread");
    Expr passes = i64(1);
    if (goes_in_passes()) {
      passes = kernel_.launch_scalar("passes", num_passes());
      bins_of_pass_ = kernel_.launch_scalar("bins", nest::ceil_div(num_bins(), kernel_.host_value(passes)));
      pass_ = var(pass);
    }
    nest::Block work = b_.block([&] { block(var(segment), var(chunk), var(thread)); });
    nest::Facts facts = kernel_.facts(work);
    work = facts.scope([&] {
      tell_indices(facts, {{segment, blocks}, {pass, passes}, {chunk, chunks_}, {thread, i64(kBlockSize)}});
      return nest::discharge(work, facts);
    });
    if (kernel_.has_scratch() || kernel_.one_thread()) refuse("a histogram whose threads need memory of their own");
    kernel_.add_host_scalars(work);
    work = {loop(thread, i64(kBlockSize), nest::Role::Block, std::move(work))};
    work = {loop(chunk, chunks_, nest::Role::Grid, std::move(work))};
    if (pass_) work = {loop(pass, passes, nest::Role::Grid, std::move(work))};
    work = {loop(segment, blocks, nest::Role::Grid, std::move(work))};
    Expr all = nest::mul(nest::mul(blocks, passes), chunks_);
    return std::move(kernel_).finish(name, std::move(work), all, i64(kBlockSize), std::nullopt);
  }

 private:
  // An array for all bins of all segments, in the place of `dest`.
  ArrayValue result(const Name& dest, const std::vector<Expr>& dims) {
    FreshResult place{kernel_.host().types.at(dest).elem, segments_, {}};
    place.shape.insert(place.shape.end(), dims.begin(), dims.end());
    for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
    results_.push_back(std::move(place));
    return kernel_.result_array(static_cast<int>(results_.size()) - 1, results_.back());
  }

  // Whether elements are rows of arrays of which neighbours are neighbours in memory, and each of several threads may find out which.
  bool threads_share_rows() const {
    bool rows = false;
    for (const seg::StmPtr& s : op_.body->stms) {
      const auto* index = std::get_if<seg::Index>(&s->exp);
      if (!index && !std::holds_alternative<seg::PrimOp>(s->exp)) return false;
      if (!index || s->pat[0].type.dims.empty()) continue;
      auto perm = kernel_.host().layouts.dense_perm(index->array);
      if (perm && perm->back() + 1 != static_cast<int>(perm->size())) return false;
      rows = true;
    }
    return rows && has_rows();
  }
  bool has_rows() const {
    return std::ranges::any_of(hists_, [](const Hist& h) { return h.dims.size() > h.rank; });
  }
  // How many threads share the elements of a row, a power of two. Neighbours then read neighbours, and meet in no bin.
  Expr abreast(const Expr& elements) const {
    Expr longest = i64(1);
    for (const Hist& h : hists_) {
      if (h.dims.size() > h.rank) longest = nest::max(longest, kernel_.host_value(h.dims.back()));
    }
    Expr most = nest::select(nest::less(elements, i64(kFewElements)), i64(kBlockSize), i64(kMaxAbreast));
    return power_of_two(log2_up(nest::min(longest, most)));
  }
  // Bins that an element updates, of all histograms; and those by one thread.
  Expr updates_of_element() const {
    Expr updates = i64(0);
    for (const Hist& h : hists_) updates = nest::add(updates, kernel_.host_value(product(h.of_bin())));
    return updates;
  }
  Expr updates_of_thread() const {
    Expr updates = i64(1);
    for (const Hist& h : hists_) {
      std::vector<Expr> sizes = h.of_bin();
      for (Expr& size : sizes) size = kernel_.host_value(size);
      if (abreast_ && !sizes.empty()) sizes.back() = nest::ceil_div(sizes.back(), kernel_.host_value(abreast_));
      if (!sizes.empty()) updates = nest::max(updates, product(sizes));
    }
    return updates;
  }

  Expr bytes_of_bins() const {
    Expr bytes = i64(0);
    for (const Hist& h : hists_) {
      int64_t bin = 0;
      for (const ArrayValue& dest : h.dest) bin += prim::size_bytes(dest.elem);
      bytes = nest::add(bytes, nest::max(i64(0), nest::mul(kernel_.host_value(product(h.dims)), i64(bin))));
    }
    return bytes;
  }
  // How many bins a block has of each, a power of two: as many as there is room for and as a block's elements are worth.
  Expr copies() const {
    Expr of_block = nest::div(kernel_.host_value(sizes_.back()), kernel_.host_value(chunks_));
    Expr worth = nest::div(of_block, nest::mul(nest::max(i64(1), num_bins()), i64(kElementsOfBin)));
    Expr room = nest::div(i64(kRoomForCopies), nest::max(i64(1), bytes_of_bins()));
    Expr most = nest::max(i64(1), nest::min(i64(kCopiesOfBin), nest::min(worth, room)));
    return power_of_two(nest::sub(log2_up(nest::add(most, i64(1))), i64(1)));
  }

  // Whether its elements cost so little that they may be made several times.
  bool goes_in_passes() const {
    if (bins_ != Bins::Whole || hists_.size() != 1 || has_rows()) return false;
    return std::ranges::all_of(op_.body->stms, [](const seg::StmPtr& s) {
      return std::holds_alternative<seg::Index>(s->exp) || std::holds_alternative<seg::PrimOp>(s->exp);
    });
  }
  // Several only where a bin's neighbours, which are fetched with it, are updated as well before they leave the cache.
  Expr num_passes() const {
    int64_t read = 0;
    for (const seg::StmPtr& s : op_.body->stms) {
      if (std::holds_alternative<seg::Index>(s->exp)) read += prim::size_bytes(s->pat[0].type.elem);
    }
    Expr passes = nest::ceil_div(bytes_of_bins(), i64(kRoomInCache));
    Expr are_worth = nest::both(nest::less(i64(0), passes),
                                nest::less(passes, i64(kMostReadOfElement / std::max(int64_t{1}, read) + 1)));
    are_worth = nest::both(are_worth, nest::less(nest::sub(num_bins(), i64(1)), kernel_.host_value(sizes_.back())));
    return nest::select(are_worth, passes, i64(1));
  }

  struct Hist {
    const seg::HistOp& op;
    std::vector<Expr> dims;  // of the bins, then of what is in one
    // An array for each component of a bin: the whole, of all segments; the block's or the thread's, or this thread's of its copies.
    std::vector<ArrayValue> dest, own;
    size_t rank;                                   // of the bins
    std::vector<std::optional<Expr>> filled_with;  // what each element of the whole is before, if that is known
    std::vector<ArrayValue> copies;                // the block's, with a dimension of copies behind the others

    std::vector<Expr> of_bin() const { return {dims.begin() + static_cast<long>(rank), dims.end()}; }
  };

  static Expr var(const Name& n) { return nest::var(n, Type::I64); }
  static nest::Stmt loop(const Name& i, Expr extent, nest::Role role, nest::Block body) {
    return nest::stmt(nest::For{i, std::move(extent), role, std::move(body)});
  }

  void block(const Expr& segment, const Expr& chunk, const Expr& thread) {
    auto make_array = [this](Type elem, const std::vector<Expr>& dims) {
      nest::Buffer b{names_.fresh("of_block"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
      b_.emit(nest::stmt(nest::Alloc{b}));
      return whole_buffer(b, true);
    };
    b_.work_together({thread, i64(kBlockSize), make_array});
    Indices at = indices(segment);
    Expr element = abreast_ ? b_.bind(nest::div(thread, abreast_)) : thread;
    if (bins_ == Bins::OfBlock) make_bins_of_block(element);
    b_.separately([&] {
      Expr stride = b_.bind(nest::mul(chunks_, elements_at_once_));
      if (abreast_) lane_ = b_.bind(below(thread, abreast_));
      Expr first = b_.bind(nest::add(nest::mul(chunk, elements_at_once_), element));
      Expr rounds = b_.bind(nest::ceil_div(nest::sub(sizes_.back(), first), stride));
      if (pass_) {
        first_bin_ = b_.bind(nest::mul(pass_, bins_of_pass_));
        end_of_bins_ = b_.bind(nest::min(nest::add(first_bin_, bins_of_pass_), product(hists_[0].dims)));
        if (seg::updates_cheaply(op_.hists[0])) return several_at_a_time(at, first, stride, rounds);
      }
      b_.loop(rounds, [&](const Expr& round) {
        Expr j = b_.bind(nest::add(first, nest::mul(round, stride)));
        Expr zero = i64(0);
        // What the loop's extent says in a way that checks of indices are not decided by.
        Expr inside = nest::both(nest::operation(prim::Op(prim::Family::Sle, Type::I64), {zero, j}),
                                 nest::less(j, sizes_.back()));
        b_.guarded(inside, [&] { point(at, j); });
      });
    });
    if (bins_ == Bins::OfBlock) add_bins_of_block(at);
  }

  // The elements first, first + stride, ...: what several read is on its way before the first bin is updated.
  void several_at_a_time(const Indices& segment, const Expr& first, const Expr& stride, const Expr& rounds) {
    b_.loop(b_.bind(nest::ceil_div(rounds, i64(kReadAtATime))), [&](const Expr& turn) {
      struct OfRound {
        Expr is_there;
        Element element;
      };
      std::vector<OfRound> elements;
      for (int64_t k = 0; k < kReadAtATime; ++k) {
        Expr round = nest::add(nest::mul(turn, i64(kReadAtATime)), i64(k));
        Expr j = b_.bind(nest::add(first, nest::mul(round, stride)));
        // Behind the last element that one again, which is not used.
        Expr last = nest::sub(sizes_.back(), i64(1));
        Expr there = b_.bind(nest::min(j, last));
        elements.push_back({nest::less(j, sizes_.back()), element(segment, there)});
      }
      for (const OfRound& e : elements) b_.guarded(e.is_there, [&] { add(segment, e.element); });
    });
  }

  // x modulo a power of two.
  static Expr below(const Expr& x, const Expr& power) {
    return nest::operation(prim::Op(prim::Family::And, Type::I64), {x, nest::sub(power, i64(1))});
  }

  void make_bins_of_block(const Expr& element) {
    Indices copy;  // this thread's
    if (copies_) copy = {b_.bind(below(element, copies_))};
    auto make = [&](Type elem, std::vector<Expr> dims) {
      if (copies_) dims.push_back(copies_);
      return nest::Buffer{names_.fresh("of_block"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
    };
    auto fill = [&](const std::vector<ArrayValue>& arrays, const std::vector<KernelValue>& values) {
      b_.together(arrays[0].dims, [&](const Indices& i) {
        for (size_t k = 0; k < arrays.size(); ++k) b_.store_value(arrays[k], i, values[k]);
      });
    };
    for (Hist& h : hists_) {
      std::vector<KernelValue> neutral;
      for (size_t k = 0; k < h.dest.size(); ++k) {
        nest::Buffer b = make(h.dest[k].elem, h.dims);
        b_.emit(nest::stmt(nest::Alloc{b}));
        h.copies.push_back(whole_buffer(b, true));
        h.own.push_back(whole_buffer(b, true, copy));
        neutral.push_back(b_.value(h.op.neutral[k]));
      }
      fill(h.copies, neutral);
    }
    if (std::ranges::any_of(hists_, [](const Hist& h) { return h.dest.size() > 1; })) {
      Expr locks = copies_ ? kernel_.launch_scalar("locks", nest::div(i64(kLocksOfBlock), kernel_.host_value(copies_)))
                           : i64(kLocksOfBlock);
      nest::Buffer b = make(Type::I32, {locks});
      b_.emit(nest::stmt(nest::Alloc{b}));
      locks_ = whole_buffer(b, true, copy);
      fill({whole_buffer(b, true)}, {nest::constant(prim::Value::i32(0))});
    }
  }

  // To the segment's.
  void add_bins_of_block(const Indices& segment) {
    for (const Hist& h : hists_) {
      b_.together(h.dims, [&](const Indices& bin) {
        auto of_copy = [&](const Expr& copy) {
          Indices i = bin;
          if (copies_) i.push_back(copy);
          std::vector<KernelValue> values;
          for (const ArrayValue& a : h.copies) values.emplace_back(b_.bind(b_.read(a, i)));
          return values;
        };
        if (!copies_) return update(h, segment, false, bin, of_copy({}));
        AccValue first{{}, bin.size(), h.op.op, false};
        for (const ArrayValue& a : h.copies) {
          first.arrays.push_back(view(a, h.dims, [](Binder&, Indices i) {
            i.push_back(i64(0));
            return i;
          }));
        }
        b_.loop(nest::sub(copies_, i64(1)),
                [&](const Expr& others) { b_.update_acc(first, bin, of_copy(b_.bind(nest::add(others, i64(1))))); });
        const std::vector<KernelValue> all = of_copy(i64(0));
        Expr is_alone = nest::operation(prim::Op(prim::Family::Eq, Type::I64), {chunks_, i64(1)});
        b_.guarded(is_alone, [&] { update(h, segment, false, bin, all, true); });
        b_.guarded(nest::negate(is_alone), [&] { update(h, segment, false, bin, all); });
      });
    }
  }

  Indices indices(const Expr& segment) {
    Indices at;
    Expr rest = segment;
    for (size_t d = segments_.size(); d-- > 0;) {
      at.insert(at.begin(), d == 0 ? rest : b_.bind(nest::mod(rest, segments_[d])));
      if (d > 0) rest = b_.bind(nest::div(rest, segments_[d]));
    }
    return at;
  }

  // The host's scalars that something is compared with to be less.
  std::vector<Expr> sizes_compared(const nest::Block& work) const {
    std::vector<Expr> sizes;
    nest::for_each_expr(work, [&](const Expr& e) {
      const auto* o = std::get_if<nest::Operation>(&e->node);
      if (!o || o->op != prim::Op(prim::Family::Slt, Type::I64)) return;
      const auto* v = std::get_if<nest::Var>(&o->args[1]->node);
      const bool is_known = std::ranges::any_of(sizes, [&](const Expr& s) { return nest::equal(s, o->args[1]); });
      if (v && !is_known && kernel_.is_parameter(v->name)) sizes.push_back(o->args[1]);
    });
    return sizes;
  }

  // Neighbours' bins of the same number are neighbours, so that no two threads of a warp meet in a bank.
  void make_bins_of_threads(const Expr& thread) {
    for (Hist& h : hists_) {
      std::vector<Expr> dims = h.dims;
      dims.push_back(i64(kThreadsWithBins));
      for (const ArrayValue& dest : h.dest) {
        nest::Buffer b{names_.fresh("of_thread"), dest.elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
        b_.emit(nest::stmt(nest::Alloc{b}));
        h.own.push_back(whole_buffer(b, true, {thread}));
      }
    }
  }

  // A segment, by one thread in the order of its elements.
  void all_of(const Indices& segment) {
    for (const Hist& h : hists_) {
      for (size_t k = 0; k < h.dest.size(); ++k) {
        ArrayValue whole = row(h.dest[k], segment);
        const std::optional<Expr>& filler = h.filled_with[k];
        b_.for_all(h.dims, [&](const Indices& i) { b_.store(h.own[k], i, filler ? *filler : b_.read(whole, i)); });
      }
    }
    elements(segment);
    for (const Hist& h : hists_) {
      for (size_t k = 0; k < h.dest.size(); ++k) {
        const int64_t width = width_of_access(h, k);
        if (width > 1) {
          store_wide(h, k, segment, width);
        } else {
          ArrayValue whole = row(h.dest[k], segment);
          b_.for_all(h.dims, [&](const Indices& i) { b_.store(whole, i, b_.read(h.own[k], i)); });
        }
      }
    }
  }

  // How many neighbouring bins may be stored at once: memory of its own begins where the widest access may, and so does each row of bins.
  int64_t width_of_access(const Hist& h, size_t k) const {
    const int64_t widest = kWidestAccess / std::max<int64_t>(1, prim::size_bytes(h.dest[k].elem));
    const std::optional<int64_t> bins = nest::int_constant(h.dims.back());
    return !results_.empty() && bins && *bins % widest == 0 ? widest : 1;
  }

  // Segments' bins lie one row after the other: stored one by one, those of a warp's threads would be in as many places each time.
  void store_wide(const Hist& h, size_t k, const Indices& segment, int64_t width) {
    std::vector<Expr> words = h.dims;
    words.back() = i64(*nest::int_constant(words.back()) / width);
    b_.for_all(words, [&](const Indices& word) {
      nest::Buffer values{names_.fresh("bins"), h.dest[k].elem, nest::Space::Register, {i64(width)}, {i64(1)}};
      b_.emit(nest::stmt(nest::Alloc{values}));
      const ArrayValue in_registers = whole_buffer(values, true);
      auto of_word = [&](nest::Role role, const std::function<void(const Expr& bin, const Indices& at)>& emit) {
        Name bin = names_.fresh("bin");
        nest::Block body = b_.block([&] {
          Indices at = word;
          at.back() = nest::add(nest::mul(word.back(), i64(width)), var(bin));
          emit(var(bin), at);
        });
        b_.emit(loop(bin, i64(width), role, std::move(body)));
      };
      of_word(nest::Role::Unrolled,
              [&](const Expr& bin, const Indices& at) { b_.store(in_registers, {bin}, b_.read(h.own[k], at)); });
      const ArrayValue whole = row(h.dest[k], segment);
      of_word(nest::Role::Vector,
              [&](const Expr& bin, const Indices& at) { b_.store(whole, at, b_.read(in_registers, {bin})); });
    });
  }

  // Some at a time, where it is known that this comes out: a thread waits for what they read once.
  void elements(const Indices& segment) {
    const std::optional<int64_t> width = nest::int_constant(sizes_.back());
    if (!width || *width % kElementsAtATime != 0)
      return b_.loop(sizes_.back(), [&](const Expr& j) { point(segment, j); });
    b_.loop(i64(*width / kElementsAtATime), [&](const Expr& turn) {
      Name k = names_.fresh("element");
      nest::Block body =
          b_.block([&] { point(segment, b_.bind(nest::add(nest::mul(turn, i64(kElementsAtATime)), var(k)))); });
      b_.emit(loop(k, i64(kElementsAtATime), nest::Role::Unrolled, std::move(body)));
    });
  }

  struct Update {
    Indices bin;
    std::vector<KernelValue> values;
  };
  using Element = std::vector<Update>;  // of each histogram

  Element element(const Indices& segment, const Expr& j) {
    Indices index = segment;
    index.push_back(j);
    b_.define_point(op_.space, sizes_, index);
    b_.stms(op_.body->stms);
    auto returned = [&](size_t k) { return b_.value(std::get<seg::Returns>(op_.body->results[k]).value); };
    size_t next = 0, value = 0;
    for (const Hist& h : hists_) value += h.rank;
    Element element;
    for (const Hist& h : hists_) {
      Update& u = element.emplace_back();
      for (size_t d = 0; d < h.rank; ++d) u.bin.push_back(std::get<Expr>(returned(next++)));
      for (size_t k = 0; k < h.dest.size(); ++k) u.values.push_back(returned(value++));
    }
    return element;
  }

  void point(const Indices& segment, const Expr& j) { add(segment, element(segment, j)); }

  void add(const Indices& segment, const Element& element) {
    for (size_t k = 0; k < hists_.size(); ++k) {
      const Hist& h = hists_[k];
      const Update& u = element[k];
      if_own(h, segment, u.bin, [&] {
        for_own(h.of_bin(), [&](const Indices& i) {
          Indices at = u.bin;
          at.insert(at.end(), i.begin(), i.end());
          std::vector<KernelValue> values;
          for (const KernelValue& v : u.values) {
            const auto* scalar = std::get_if<Expr>(&v);
            values.emplace_back(scalar ? *scalar : b_.read(std::get<ArrayValue>(v), i));
          }
          update(h, segment, bins_ != Bins::Whole, at, values);
        });
      });
    }
  }

  // If the bin is one of those that this block updates.
  void if_own(const Hist& h, const Indices& segment, const Indices& bin, const std::function<void()>& emit) {
    auto in_pass = [&] {
      Expr number = i64(0);
      for (size_t d = 0; d < h.rank; ++d) number = nest::add(nest::mul(number, h.dims[d]), bin[d]);
      number = b_.bind(number);
      Expr has_begun = nest::operation(prim::Op(prim::Family::Sle, Type::I64), {first_bin_, number});
      b_.guarded(nest::both(has_begun, nest::less(number, end_of_bins_)), emit);
    };
    if (!pass_)
      b_.if_inside(row(h.dest[0], segment), bin, emit);
    else if (h.rank == 1)
      in_pass();
    else
      b_.if_inside(row(h.dest[0], segment), bin, in_pass);
  }

  // For every index of `dims` that is this thread's, of those that share an element.
  void for_own(std::vector<Expr> dims, const std::function<void(const Indices&)>& emit) {
    if (!abreast_) return b_.for_all(dims, emit);
    if (dims.empty()) {
      Expr is_first = nest::operation(prim::Op(prim::Family::Eq, Type::I64), {lane_, i64(0)});
      return b_.guarded(is_first, [&] { emit({}); });
    }
    Expr columns = dims.back();
    dims.pop_back();
    b_.for_all(dims, [&](Indices i) {
      i.emplace_back();
      b_.loop(nest::ceil_div(columns, abreast_), [&](const Expr& turn) {
        i.back() = b_.bind(nest::add(nest::mul(turn, abreast_), lane_));
        b_.guarded(nest::less(i.back(), columns), [&] { emit(i); });
      });
    });
  }

  // Of the block's or thread's own bins, or of the segment's, which may be nobody else's.
  void update(const Hist& h, const Indices& segment, bool own, Indices at, const std::vector<KernelValue>& x,
              bool alone = false) {
    AccValue bins{own ? h.own : h.dest,       0, h.op.op, false, bins_ != Bins::OfThread && !alone,
                  own ? locks_ : std::nullopt};
    if (!own) at.insert(at.begin(), segment.begin(), segment.end());
    bins.index_rank = at.size();
    b_.update_acc(bins, at, x);
  }

  const seg::SegOp& op_;
  NameSource& names_;
  KernelBuilder kernel_;
  BodyLowerer b_;
  Bins bins_;
  std::vector<Expr> sizes_, segments_;
  std::vector<Hist> hists_;
  std::vector<FreshResult> results_;
  std::optional<ArrayValue> locks_;  // of the block, where needed
  Expr chunks_;
  Expr pass_, bins_of_pass_, first_bin_, end_of_bins_;  // which bins this block updates; null: all
  Expr copies_;                                         // of each of the block's bins; null: one
  Expr abreast_, lane_;  // threads that share an element, and this one's number among them; null: each has its own
  Expr elements_at_once_ = i64(kBlockSize);  // by a block
};

}  // namespace

Plan lower_histogram(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  const bool has_segments = op.space.dims.size() > 1;
  std::vector<Name> dests;
  for (const seg::HistOp& h : op.hists) dests.insert(dests.end(), h.dests.begin(), h.dests.end());
  // What threads with segments of their own store need not have been filled before.
  const bool fresh =
      has_segments && std::ranges::all_of(dests, [&](const Name& d) { return filled_with(d, host).has_value(); });
  Histogram small(op, host, names, Bins::OfBlock, fresh), large(op, host, names, Bins::Whole, fresh);
  Plan lowered;
  lowered.recipe = "histogram by blocks of threads";
  lowered.why_not = "it is a histogram";
  Expr fits = small.bins_fit(), by_threads = nest::constant(prim::Value::of_bool(false));
  if (has_segments) {
    Histogram tiny(op, host, names, Bins::OfThread, fresh);
    by_threads = nest::both(tiny.many_short_segments(), tiny.bins_fit());
    lowered.launches.push_back(tiny.run_threads(kernel_name + "_threads", by_threads));
  }
  for (size_t k = 0; k < dests.size(); ++k) {
    if (fresh) {
      lowered.results.emplace_back(small.results()[k]);
      lowered.filled.push_back({static_cast<int>(k), *filled_with(dests[k], host), nest::negate(by_threads)});
    } else {
      lowered.results.emplace_back(UpdatedResult{dests[k]});
    }
  }
  lowered.launches.push_back(small.run(kernel_name, nest::both(fits, nest::negate(by_threads))));
  lowered.launches.push_back(large.run(kernel_name + "_large", nest::negate(fits)));
  return lowered;
}

}  // namespace heddle::lower
