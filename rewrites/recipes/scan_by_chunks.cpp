#include "rewrites/recipes/scan_by_chunks.h"

#include <algorithm>
#include <functional>

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/exchanged_words.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/needed_before.h"
#include "rewrites/seg/own_memory.h"
#include "rewrites/seg/rounds.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Type;

// So many chunks keep all cores busy to the end, in all segments together,
constexpr int64_t kMostChunks = 512;
// elements of this many have no more to gain by being one chunk, and where they are few, as they may be dear, there are so many.
constexpr int64_t kElementsOfChunk = 4096;
constexpr int64_t kFewChunks = 64;
// Of short segments, as maps have them (direct.cpp).
constexpr int64_t kRunsOfLaunch = 256;
constexpr int64_t kPointsOfRun = 1024;

Expr truth(bool b) { return nest::constant(prim::Value::of_bool(b)); }

// Which part of a segment a thread has.
struct Part {
  Indices segment;
  Expr first, count;  // of its elements
};

class ScanByChunks {
 public:
  ScanByChunks(const seg::SegOp& op, const seg::Pat& pat, const seg::NameSet* unread, const HostScope& host,
               NameSource& names)
      : op_(op), f_(op, host, names), b_(f_.body()), rounds_(seg::rounds(op)) {
    for (const seg::PatElem& p : pat) stored_.push_back(unread == nullptr || !unread->contains(p.name));
    std::vector<bool> wanted(stored_.begin(), stored_.begin() + static_cast<long>(f_.types().size()));
    said_ = seg::needed_before(op, std::move(wanted));
    for (size_t k = 0; k < said_.size(); ++k) {
      if (said_[k]) num_words_ += static_cast<int64_t>(num_words(f_.types()[k].elem));
    }
  }

  // For the chunks of segments that have several, or for the segments that are one.
  Launch chunks(const std::string& name, std::vector<ResultPlace>& places);
  Launch whole_segments(const std::string& name, std::vector<ResultPlace>& places);

 private:
  using Values = std::vector<KernelValue>;
  using Variables = std::vector<ArrayValue>;

  // In the host's terms: how many a segment has, none of them empty, and of how many elements.
  struct Chunks {
    Expr count, size;
  };
  Chunks chunks_of_segment() {
    const Expr width = f_.kernel().host_value(f_.width()), segments = nest::max(i64(1), f_.segments());
    const Expr most = nest::div(i64(kMostChunks), segments);
    const Expr wanted = nest::max(nest::ceil_div(width, i64(kElementsOfChunk)), nest::div(i64(kFewChunks), segments));
    const Expr size = nest::max(i64(1), nest::ceil_div(width, nest::max(i64(1), nest::min(most, wanted))));
    return {nest::ceil_div(width, size), size};
  }

  void make_results(std::vector<ResultPlace>& places) {
    places.clear();
    KernelBuilder& kernel = f_.kernel();
    for (size_t k = 0; k < op_.types.size(); ++k) {
      const seg::Type& t = op_.types[k];
      FreshResult place{t.elem, f_.sizes(), {}};
      for (const seg::Dim& d : t.dims) place.shape.push_back(kernel.host_operand(d.size()));
      for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
      results_.emplace_back();
      if (stored_[k]) results_.back() = kernel.result_array(static_cast<int>(k), place);
      places.emplace_back(std::move(place));
    }
  }

  // As how many parts at a time a thread scans a chunk, so that no step waits for the one before: of what rounds a processor could do several
  // at a time.
  int lanes_of() const {
    return std::ranges::all_of(op_.ops, [](const seg::SegBinOp& o) { return o.lambda.body->stms.size() == 1; }) ? 4 : 1;
  }

  // ---- What a thread does with its elements. ----

  Variables variables(const Values& values) {
    Variables v = f_.variables();
    b_.assign(v, values);
    return v;
  }

  Indices index_of(const Part& p, const Expr& i) {
    Indices index = p.segment;
    index.push_back(b_.bind(nest::add(p.first, i)));
    return index;
  }
  void each(const Part& p, const std::function<void(const Indices&)>& emit) {
    b_.loop(p.count, [&](const Expr& i) { emit(index_of(p, i)); });
  }
  // The element, combined with what the variables are; what points return besides is stored.
  void take(const Indices& index, const Variables& running, bool stores) {
    Values values = f_.point(index);
    const size_t scanned = running.size();
    for (size_t k = scanned; stores && k < values.size(); ++k) {
      if (stored_[k]) b_.store_value(results_[k], index, values[k]);
    }
    values.resize(scanned);
    f_.combine(running, values);
  }
  void store(const Indices& index, const Values& values) {
    for (size_t k = 0; k < values.size(); ++k) {
      if (stored_[k]) b_.store(results_[k], index, std::get<Expr>(values[k]));
    }
  }
  Values read_results(const Indices& index) {
    Values values;
    for (size_t k = 0; k < f_.types().size(); ++k) values.emplace_back(b_.bind(b_.read(results_[k], index)));
    return values;
  }

  // The results of the part, before which all comes to `running`, which is then what the part comes to, too.
  void scan_on(const Part& p, const Variables& running) {
    b_.loop(p.count, [&](const Expr& i) { step(p, i, running); });
  }
  void step(const Part& p, const Expr& i, const Variables& running) {
    const Indices index = index_of(p, i);
    take(index, running, true);
    store(index, f_.current(running));
  }
  // By itself.
  Values stored_by_itself(const Part& p) {
    const Variables running = variables(f_.neutral());
    scan_on(p, running);
    return f_.current(running);
  }
  // The same behind what comes to `carry`, each result being computed as by a thread that learns of that later. Yields what all comes to.
  Values scan_behind(const Part& p, const Variables& carry) {
    const Variables running = variables(f_.neutral());
    each(p, [&](const Indices& index) {
      take(index, running, true);
      store(index, f_.combined(f_.current(carry), f_.current(running)));
    });
    return f_.combined(f_.current(carry), f_.current(running));
  }
  // What the part comes to by itself.
  Values folded(const Part& p) {
    const Variables running = variables(f_.neutral());
    each(p, [&](const Indices& index) { take(index, running, false); });
    return f_.current(running);
  }
  // Results that were stored without what comes before.
  void add_before(const Part& p, const Variables& before) {
    each(p, [&](const Indices& index) { store(index, f_.combined(f_.current(before), read_results(index))); });
  }

  // ---- Between chunks: each is told by the one before, and takes away what it was told. ----

  Indices word(const Expr& chunk, int64_t number) const {
    return {nest::add(nest::mul(chunk, i64(num_words_)), i64(number))};
  }
  // Sets those of the variables that are said, and yields whether the chunk before has said them all.
  Expr heard(const Variables& into) {
    Expr all = truth(true);
    int64_t next = 0;
    for (size_t k = 0; k < said_.size(); ++k) {
      const Type type = f_.types()[k].elem;
      std::vector<Expr> words;
      for (size_t w = 0; said_[k] && w < num_words(type); ++w) {
        words.push_back(b_.bind(b_.read(words_, word(before_, next++))));
        all = nest::both(all, nest::negate(equal_to(words.back(), i64(0))));
      }
      if (said_[k]) b_.assign({into[k]}, {from_words(type, words)});
    }
    return b_.bind(all);
  }
  void forget() {
    for (int64_t k = 0; k < num_words_; ++k) b_.store(words_, word(before_, k), i64(0));
  }
  ArrayValue flag(bool value) {
    ArrayValue v = b_.variable(seg::Type::scalar(Type::Bool), "flag");
    b_.assign({v}, {truth(value)});
    return v;
  }
  // Whether it is known what comes before, which is then in `carry`; of the first chunk it is.
  Expr hear(const Variables& carry) {
    const ArrayValue known = flag(true);
    b_.guarded(nest::negate(is_first_), [&] {
      const Expr all = heard(carry);
      b_.assign({known}, {all});
      b_.guarded(all, [&] { forget(); });
    });
    return b_.bind(b_.read(known, {}));
  }
  void wait(const Variables& carry) {
    const ArrayValue waits = flag(true);
    auto listen = [&] { b_.assign({waits}, {nest::negate(heard(carry))}); };
    listen();
    b_.emit(nest::stmt(nest::While{b_.read(waits, {}), b_.block(listen)}));
    forget();
  }
  void say(const Values& values);
  void in_lanes(const Part& p);
  void chunk(const Part& p);

  Launch finish(const std::string& name, nest::Block work, const std::vector<recognize::Index>& grid) {
    KernelBuilder& kernel = f_.kernel();
    nest::Facts facts = kernel.facts(work);
    work = facts.scope([&] {
      tell_indices(facts, grid);
      return nest::discharge(work, facts);
    });
    if (kernel.has_scratch() || kernel.one_thread() || nest::may_fail(work))
      refuse("points would need memory of their own, or might fail, while others wait for them");
    kernel.add_host_scalars(work);
    work = {loop(f_.names().fresh("lane"), i64(1), nest::Role::Block, std::move(work))};
    Expr num_blocks = i64(1);
    for (size_t k = grid.size(); k-- > 0;) {
      work = {loop(grid[k].name, grid[k].extent, nest::Role::Grid, std::move(work))};
      num_blocks = nest::mul(grid[k].extent, num_blocks);
    }
    return std::move(kernel).finish(name, std::move(work), num_blocks, i64(1), std::nullopt);
  }

  const seg::SegOp& op_;
  Folds f_;
  BodyLowerer& b_;
  bool rounds_;
  std::vector<bool> stored_;
  std::vector<ArrayValue> results_;  // no place for those that are not stored
  // Those of the values that chunks tell each other: what follows for what is stored.
  std::vector<bool> said_;
  int64_t num_words_ = 0;
  ArrayValue words_;
  Expr number_, before_, is_first_, is_last_;  // the chunk, and whether it is the first or last of its segment
};

// What the chunk's thread says to the next.
void ScanByChunks::say(const Values& values) {
  b_.guarded(nest::negate(is_last_), [&] {
    int64_t next = 0;
    for (size_t k = 0; k < said_.size(); ++k) {
      if (!said_[k]) continue;
      for (const Expr& w : to_words(b_, std::get<Expr>(values[k]))) b_.store(words_, word(number_, next++), w);
    }
  });
}

// Each lane but the first begins behind what those before it come to.
void ScanByChunks::in_lanes(const Part& p) {
  const int lanes = lanes_of();
  const Expr in_lane = lanes == 1 ? p.count : b_.bind(nest::div(p.count, i64(lanes)));
  std::vector<Part> parts;
  std::vector<Variables> running;
  for (int lane = 0; lane < lanes; ++lane) {
    parts.push_back({p.segment, b_.bind(nest::add(p.first, nest::mul(i64(lane), in_lane))), in_lane});
    running.push_back(variables(f_.neutral()));
  }
  b_.loop(in_lane, [&](const Expr& i) {
    for (size_t lane = 0; lane < parts.size(); ++lane) step(parts[lane], i, running[lane]);
  });
  if (lanes > 1) {
    // The last one has what is left.
    parts.back().count = nest::sub(p.count, nest::mul(i64(lanes - 1), in_lane));
    Part rest = parts.back();
    rest.first = b_.bind(nest::add(rest.first, in_lane));
    rest.count = nest::sub(p.count, nest::mul(i64(lanes), in_lane));
    scan_on(rest, running.back());
  }
  const Variables before = variables(f_.neutral());
  b_.guarded(nest::negate(is_first_), [&] {
    wait(before);
    add_before(parts[0], before);
  });
  for (size_t lane = 1; lane < parts.size(); ++lane) {
    f_.combine(before, f_.current(running[lane - 1]));
    add_before(parts[lane], before);
  }
  f_.combine(before, f_.current(running.back()));
  say(f_.current(before));
}

void ScanByChunks::chunk(const Part& p) {
  const size_t scanned = f_.types().size();
  const bool stores_all =
      std::ranges::all_of(stored_.begin(), stored_.begin() + static_cast<long>(scanned), std::identity());
  if (rounds_ && stores_all) return in_lanes(p);
  const Variables carry = variables(f_.neutral());
  auto from_carry = [&] {
    scan_on(p, carry);
    say(f_.current(carry));
  };
  auto if_known = [&](const std::function<void()>& known) {
    f_.if_else(hear(carry), known, [&] {
      const Values total = stores_all ? stored_by_itself(p) : folded(p);
      wait(carry);
      say(f_.combined(f_.current(carry), total));
      if (stores_all) return add_before(p, carry);
      if (rounds_) return static_cast<void>(scan_behind(p, carry));
      scan_on(p, carry);
    });
  };
  if (!rounds_) return if_known(from_carry);
  f_.if_else(is_first_, from_carry, [&] { if_known([&] { say(scan_behind(p, carry)); }); });
}

Launch ScanByChunks::chunks(const std::string& name, std::vector<ResultPlace>& places) {
  KernelBuilder& kernel = f_.kernel();
  make_results(places);
  const Chunks host = chunks_of_segment();
  const bool segmented = f_.sizes().size() > 1;
  const Expr chunks = kernel.launch_scalar("chunks", host.count), size = kernel.launch_scalar("size", host.size);
  std::vector<recognize::Index> grid;
  if (segmented) {
    // Where segments are one chunk each, another kernel does them.
    grid.push_back(
        {f_.names().fresh("segment"),
         kernel.launch_scalar("segments", nest::select(nest::less(i64(1), host.count), f_.segments(), i64(0)))});
  }
  grid.push_back({f_.names().fresh("chunk"), chunks});
  words_ = kernel.mailbox((kMostChunks + kFewChunks) * num_words_);
  nest::Block work = b_.block([&] {
    const Expr c = nest::var(grid.back().name, Type::I64);
    const Expr first = b_.bind(nest::mul(c, size));
    Part p{{}, first, nest::min(size, nest::sub(f_.width(), first))};
    number_ = c;
    if (segmented) {
      const Expr segment = nest::var(grid[0].name, Type::I64);
      p.segment = f_.segment_indices(segment);
      number_ = b_.bind(nest::add(nest::mul(segment, chunks), c));
    }
    is_first_ = equal_to(c, i64(0));
    is_last_ = equal_to(c, nest::sub(chunks, i64(1)));
    before_ = nest::sub(number_, i64(1));
    chunk(p);
  });
  return finish(name, std::move(work), grid);
}

Launch ScanByChunks::whole_segments(const std::string& name, std::vector<ResultPlace>& places) {
  KernelBuilder& kernel = f_.kernel();
  make_results(places);
  const Expr width = kernel.host_value(f_.width());
  const Expr points = nest::max(
      i64(1), nest::min(nest::ceil_div(nest::mul(f_.segments(), width), i64(kRunsOfLaunch)), i64(kPointsOfRun)));
  const Expr rows = kernel.launch_scalar("rows", nest::max(i64(1), nest::div(points, nest::max(i64(1), width))));
  const Expr segments = kernel.launch_scalar("segments", f_.segments());
  const Expr one_chunk = nest::negate(nest::less(i64(1), chunks_of_segment().count));
  const Expr runs = kernel.launch_scalar(
      "runs", nest::select(one_chunk, nest::ceil_div(f_.segments(), kernel.host_value(rows)), i64(0)));
  const Name run = f_.names().fresh("run");
  nest::Block work = b_.block([&] {
    const Expr first = b_.bind(nest::mul(nest::var(run, Type::I64), rows));
    b_.loop(nest::min(rows, nest::sub(segments, first)), [&](const Expr& r) {
      const Expr segment = b_.bind(nest::add(first, r));
      scan_on({f_.segment_indices(segment), i64(0), f_.width()}, variables(f_.neutral()));
    });
  });
  return finish(name, std::move(work), {{run, runs}});
}

}  // namespace

Proposal scan_by_chunks(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                        const seg::NameSet* unread) {
  seg::SegOp op = std::get<seg::SegOp>(stm.exp);
  const auto is_acc = [](const seg::Type& t) { return t.is_acc() || t.elem == Type::Unit; };
  if (!seg::of_scalars(op) || std::ranges::any_of(op.types, is_acc))
    return Refusal{"its operator is not one of scalars"};
  op.body = std::make_shared<const seg::KernelBody>(seg::with_own_memory(*op.body, names));
  return or_refusal([&]() -> Proposal {
    Plan lowered;
    lowered.recipe = "scan by chunks";
    lowered.why_not = "it is a scan";
    ScanByChunks chunks(op, stm.pat, unread, host, names);
    lowered.launches.push_back(chunks.chunks(kernel_name, lowered.results));
    if (op.space.dims.size() > 1) {
      ScanByChunks whole(op, stm.pat, unread, host, names);
      lowered.launches.push_back(whole.whole_segments(kernel_name + "_whole", lowered.results));
    }
    return lowered;
  });
}

}  // namespace heddle::lower
