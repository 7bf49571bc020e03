#include "rewrites/recipes/reduction.h"

#include <functional>

#include "ir/nest/traverse.h"
#include "ir/seg/traverse.h"
#include "rewrites/graph/element.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/exchanged_words.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/reduction_shape.h"
#include "rewrites/recipes/words_of_rows.h"
#include "rewrites/seg/statements_in.h"
#include "rewrites/seg/takes_loops.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Type;

namespace {

// A thread's share of what the blocks of a segment have come to: there are several only where a row is a block, and then at most
// kFillingBlocks.
constexpr int64_t kPartialsOfThread = (kFillingBlocks + kBlockSize - 1) / kBlockSize;
// Of all segments together, where a segment has several chunks: two each where there are most of them (`divide`). Threads may look
// behind those of their segment.
constexpr int64_t kMostPartials = 3 * kFillingBlocks + kPartialsOfThread * kBlockSize;
// Of columns threads may have more of them: so many are asked for at a time.
constexpr int64_t kPartialsAtATime = 4;
// Words of an element of which a thread waits for several at once: more would cost all threads registers.
constexpr int64_t kMostWordsTogether = 2;
// With no more, kFillingBlocks run at once. It suffices for elements of one word, of so many arrays, in so many statements.
constexpr int64_t kRegistersOfFilling = 32;
constexpr size_t kMostArraysOfFilling = 2, kMostStatementsOfFilling = 4;
// With tiles a thread keeps the elements of the next one. Elements of so many words of 32 bits fit in 64 registers, and others, at most
// twice as long, in 80: then four and three blocks run at once where kRegistersOfFilling let eight.
constexpr int64_t kWordsOfShortElements = 4;
constexpr int64_t kRegistersOfShort = 64, kRegistersOfLong = 80;
constexpr int64_t filling_blocks(int64_t registers) {
  return kFillingBlocks / 8 * (8 * kRegistersOfFilling / registers);
}
// Of elements that take loops of so many statements in all, too: a thread waits for one load after the other there, and what keeps a multiprocessor busy is
// its blocks. H100, 16 million elements that each look up 16 numbers: 673 us with the 36 registers that the device's compiler took, 269 with 32.
constexpr int kMostStatementsOfLoops = 24;
// The statements that an element and combining it may take where several are asked for before the first of them is combined
// (kElementsAtATime), since they stand there as often.
constexpr size_t kMostAtATime = 16;
// Of several arrays that are taken in tiles: there what is saved is most of the memory's time.
constexpr size_t kMostInTiles = 48;
// Words of the elements, no more than eight, that are asked for at once where combining them takes more statements than kMostAtATime, but no loops, and
// no more than kMostAhead. H200, the least of 10 million numbers that are looked up: 289 us one by one, 213 with four ahead, 189 with eight. Elements of
// more words take the registers of other blocks: of eight words, four at once, 30 million took 101 us for 84.
constexpr int64_t kWordsAhead = 32, kWordsOfAhead = 6;
constexpr size_t kMostAhead = 48;

// Of one element for each thread of a block.
int64_t shared_bytes(const std::vector<seg::Type>& types) {
  int64_t bytes = 0;
  for (const seg::Type& t : types) bytes += kBlockSize * prim::size_bytes(t.elem);
  return bytes;
}

class Reduction {
 public:
  Reduction(const seg::SegOp& op, const HostScope& host, NameSource& names)
      : f_(op, host, names), names_(names), kernel_(f_.kernel()), body_(f_.body()) {
    size_t statements = 0;
    several_at_a_time_ = !f_.has_checks();
    takes_loops_ = seg::takes_loops(*op.body);
    short_loops_ = takes_loops_ && seg::statements_in(op) <= kMostStatementsOfLoops &&
                   num_registers(f_.types()) <= kWordsOfShortElements;
    auto count = [&](const seg::Stms& stms) {
      const graph::Element code(stms);
      several_at_a_time_ &= code.is_straight();
      statements += code.operations();
    };
    count(op.body->stms);
    const bool short_points = statements <= kMostAtATime;
    for (const auto& o : op.ops) count(o.lambda.body->stms);
    const int64_t words = num_registers(f_.types());
    if (several_at_a_time_ && short_points && statements > kMostAtATime && statements <= kMostAhead &&
        words <= kWordsOfAhead)
      ahead_ = kWordsAhead / std::max(kWordsOfShortElements, words);
    in_tiles_ = several_at_a_time_ && statements <= kMostInTiles && !f_.commutative() && num_arrays(op) > 1 &&
                num_registers(f_.types()) <= 2 * kWordsOfShortElements;
    columns_ = f_.commutative() && reads_columns(op, host.layouts);
    if (columns_) columns_of_block_ = columns_of_block(op);
    several_at_a_time_ &= statements <= kMostAtATime;
    fills_device_ =
        several_at_a_time_ && num_arrays(op) <= kMostArraysOfFilling && statements <= kMostStatementsOfFilling;
    const bool in_any_order = several_at_a_time_ && f_.commutative() && f_.mapped_types().empty();
    if (in_any_order) words_of_rows_ = WordsOfRows(op, host.layouts, std::ssize(f_.types()));
  }

  bool in_tiles() const { return in_tiles_; }
  // Whether threads side by side have several elements of a segment under way each.
  bool strided_together() const { return several_at_a_time_ && f_.commutative(); }

  // Nothing if the kernel is none that blocks can run (reduction.h).
  std::optional<Launch> run(const std::string& name, std::vector<ResultPlace>& places) {
    for (size_t k = 0; k < f_.types().size(); ++k) {
      FreshResult place{f_.types()[k].elem, f_.segment_sizes(), {}};
      for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
      results_.push_back(kernel_.result_array(static_cast<int>(k), place));
      places.emplace_back(std::move(place));
      num_words_ += static_cast<int64_t>(num_words(f_.types()[k].elem));
    }
    for (const seg::Type& t : f_.mapped_types()) {
      FreshResult place{t.elem, f_.sizes(), {}};
      for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
      mapped_.push_back(kernel_.result_array(static_cast<int>(places.size()), place));
      places.emplace_back(std::move(place));
    }
    words_ = kernel_.mailbox(num_words_ * most_partials());
    const Expr width = kernel_.host_value(f_.width());
    const Expr elements = in_tiles_                                ? i64(kElementsAtATime)
                          : f_.commutative() && several_at_a_time_ ? elements_of_many(f_.segments(), width)
                                                                   : i64(1);
    const Division d = divide(f_.segments(), width, elements, takes_loops_ ? 1 : kElementsAtATime,
                              filling_blocks(registers()), columns_of_block_);
    // The program's own names, where they are sizes: its checks are about these.
    segments_ = f_.sizes().size() == 2 ? f_.sizes()[0] : kernel_.launch_scalar("segments", f_.segments());
    lanes_ = kernel_.launch_scalar("lanes", d.lanes);
    rows_ = kernel_.launch_scalar("rows", d.rows);
    Expr blocks = kernel_.launch_scalar("blocks", d.blocks);
    chunks_ = kernel_.launch_scalar("chunks", d.chunks);
    if (in_tiles_ || several_at_a_time_ || !f_.commutative())
      rounds_ = kernel_.launch_scalar("rounds", rounds(d, width));
    if (words_of_rows_.is_any())
      turns_ = kernel_.launch_scalar("turns", words_of_rows_.turns(nest::mul(d.chunks, d.lanes), width));
    Name block = names_.fresh("segment_block"), chunk = names_.fresh("chunk"), row = names_.fresh("row"),
         lane = names_.fresh("lane");
    nest::Block work = body_.block([&] {
      segment_ = body_.bind(nest::add(nest::mul(index(block), rows_), index(row)));
      row_ = index(row), lane_ = index(lane);
      thread(index(chunk));
    });
    nest::Facts facts = kernel_.facts(work);
    work = facts.scope([&] {
      tell_indices(facts, {{block, blocks}, {chunk, chunks_}, {row, rows_}, {lane, lanes_}});
      return nest::discharge(work, facts);
    });
    if (kernel_.has_scratch() || kernel_.one_thread() || nest::may_fail(work)) return std::nullopt;
    kernel_.add_host_scalars(work);
    auto among_threads = [&](const Name& index, const Expr& extent) {
      work = {loop(index, extent, nest::Role::Block, std::move(work))};
    };
    // What is inside are neighbours.
    if (columns_) {
      among_threads(row, rows_);
      among_threads(lane, lanes_);
    } else {
      among_threads(lane, lanes_);
      among_threads(row, rows_);
    }
    work = {loop(chunk, chunks_, nest::Role::Grid, std::move(work))};
    work = {loop(block, blocks, nest::Role::Grid, std::move(work))};
    Launch launch = std::move(kernel_).finish(name, std::move(work), nest::mul(blocks, chunks_),
                                              nest::mul(rows_, lanes_), std::nullopt);
    if (in_tiles_ || words_of_rows_.is_any() || (fills_device_ && num_words_ == 1) || short_loops_)
      launch.kernel.bounds = nest::LaunchBounds{i64(kBlockSize), i64(registers())};
    launch.kernel.keeps_loops = words_of_rows_.keeps_loops();
    return launch;
  }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }
  static Expr not_above(const Expr& a, const Expr& b) {
    return nest::operation(prim::Op(Family::Sle, Type::I64), {a, b});
  }
  static Expr bits_of(const Expr& a, const Expr& mask) {
    return nest::operation(prim::Op(Family::And, Type::I64), {a, mask});
  }

  // That a thread may have, of which it depends how many blocks run at once.
  int64_t registers() const {
    if (in_tiles_) return num_registers(f_.types()) <= kWordsOfShortElements ? kRegistersOfShort : kRegistersOfLong;
    return words_of_rows_.is_any() ? words_of_rows_.registers() : kRegistersOfFilling;
  }

  // Threads of columns may look behind those of their segment, too, by the chunks of all but one of those that they ask for at a time.
  int64_t most_partials() const {
    constexpr int64_t kBehind = (kPartialsAtATime - 1) * kBlockSize;
    return columns_ ? columns_of_block_ * kFillingBlocks + kBehind : kMostPartials;
  }

  // How often threads take elements, or several with tiles, until those of a segment are through, in an expression of the host.
  Expr rounds(const Division& d, const Expr& width) const {
    Expr threads = nest::mul(d.chunks, d.lanes), threads_elements = nest::mul(threads, i64(kElementsAtATime));
    if (in_tiles_) return nest::ceil_div(width, threads_elements);
    return f_.commutative() && several_at_a_time_ ? nest::div(width, threads_elements) : nest::ceil_div(width, threads);
  }

  void thread(const Expr& chunk) {
    shared_ = f_.shared({rows_, lanes_});
    inside_ = nest::less(segment_, segments_);
    of_segment_ = f_.segment_indices(segment_);
    auto result = [&](const std::vector<ArrayValue>& acc,
                      const std::function<void(const std::vector<KernelValue>&)>& keep) {
      body_.guarded(nest::both(equal_to(lane_, i64(0)), inside_), [&] { keep(f_.current(acc)); });
    };
    auto store = [&](const std::vector<KernelValue>& values) { f_.store(results_, of_segment_, values); };
    const std::vector<ArrayValue> sum = in_tiles_ ? by_tiles(chunk) : reduce([&](const std::vector<ArrayValue>& acc) {
      Expr thread = body_.bind(nest::add(nest::mul(chunk, lanes_), lane_));
      f_.commutative() ? strided(thread, acc) : neighbours(thread, acc);
    });
    f_.if_else(
        nest::less(i64(1), chunks_),
        [&] {
          result(sum, [&](const std::vector<KernelValue>& values) { f_.say(words_, word_of(chunk), values); });
          body_.guarded(equal_to(chunk, nest::sub(chunks_, i64(1))), [&] {
            f_.barrier(nest::Scope::Block);
            result(reduce([&](const std::vector<ArrayValue>& acc) { partials(acc); }), store);
          });
        },
        [&] { result(sum, store); });
  }

  // ---- Elements. ----

  // What is combined, then what is stored.
  std::vector<KernelValue> point(const Expr& j) {
    Indices at = of_segment_;
    at.push_back(j);
    return f_.point(at);
  }

  void keep(const Expr& j, const std::vector<KernelValue>& values) {
    Indices at = of_segment_;
    at.push_back(j);
    for (size_t k = 0; k < mapped_.size(); ++k) body_.store_value(mapped_[k], at, values[f_.types().size() + k]);
  }

  // Of the row's first thread they become what the elements of its segment come to, of which `own` has this thread combine some.
  std::vector<ArrayValue> reduce(const std::function<void(const std::vector<ArrayValue>& acc)>& own) {
    std::vector<ArrayValue> acc = f_.variables();
    body_.assign(acc, f_.neutral());
    body_.guarded(inside_, [&] { own(acc); });
    if (columns_) {
      f_.store(shared_, {row_, lane_}, f_.current(acc));
      f_.levels_in_memory(row_of_threads(), acc, shared_, 1, role_of_levels());
    } else {
      f_.levels(row_of_threads(), acc, shared_, role_of_levels());
    }
    return acc;
  }

  Folds::RowOfThreads row_of_threads() {
    return {{row_}, lane_, lanes_, columns_ ? nullptr : body_.bind(nest::add(nest::mul(row_, lanes_), lane_))};
  }
  nest::Role role_of_levels() const { return several_at_a_time_ ? nest::Role::Unrolled : nest::Role::Serial; }

  void take(const std::vector<ArrayValue>& acc, const Expr& j, const std::vector<KernelValue>& values) {
    keep(j, values);
    f_.combine(acc, values);
  }

  // One after the other.
  void take_each(const std::vector<ArrayValue>& acc, const Expr& count,
                 const std::function<Expr(const Expr& k)>& place) {
    body_.loop(count, [&](const Expr& k) {
      Expr j = body_.bind(place(k));
      if (!f_.has_checks()) return take(acc, j, point(j));
      // What the loop's extent says in a way that checks of indices are not decided by.
      Expr is_element = nest::both(not_above(i64(0), j), nest::less(j, f_.width()));
      body_.guarded(is_element, [&] { take(acc, j, point(j)); });
    });
  }

  // So many turns, in each of which elements are asked for before the first of them is combined. The operator's text is there once.
  void take_ahead(const std::vector<ArrayValue>& acc, const Expr& turns,
                  const std::function<Expr(const Expr& k)>& place) {
    auto each = [&](const std::function<void(const Expr& k)>& emit) {
      Name k = names_.fresh("ahead");
      body_.emit(loop(k, i64(ahead_), nest::Role::Unrolled, body_.block([&] { emit(index(k)); })));
    };
    body_.loop(turns, [&](const Expr& turn) {
      const std::vector<ArrayValue> elements = f_.own(ahead_);
      each([&](const Expr& k) {
        Expr j = body_.bind(place(nest::add(nest::mul(turn, i64(ahead_)), k)));
        std::vector<KernelValue> values = point(j);
        keep(j, values);
        values.resize(elements.size());
        f_.store(elements, {k}, values);
      });
      each([&](const Expr& k) { f_.combine(acc, f_.read(elements, {k})); });
    });
  }

  // One after the other, each as far from the next as the segment has threads. Beside what a long body keeps in registers there is but the
  // element's number (codegen/cuda/turns.h).
  void take_turns(const std::vector<ArrayValue>& acc, const Expr& thread, const Expr& threads) {
    Expr done = i64(0);
    if (ahead_ > 1) {
      Expr turns = body_.bind(nest::div(f_.width(), nest::mul(threads, i64(ahead_))));
      take_ahead(acc, turns, [&](const Expr& k) { return nest::add(thread, nest::mul(k, threads)); });
      done = body_.bind(nest::mul(turns, i64(ahead_)));
    }
    body_.loop(nest::sub(nest::ceil_div(f_.width(), threads), done), [&](const Expr& round) {
      Expr j = body_.bind(nest::add(nest::mul(nest::add(done, round), threads), thread));
      body_.guarded(nest::less(j, f_.width()), [&] {
        if (!f_.has_checks()) return take(acc, j, point(j));
        // What the turns say in a way that checks of indices are not decided by.
        body_.guarded(not_above(i64(0), j), [&] { take(acc, j, point(j)); });
      });
    });
  }

  // Several elements, of which it is known whether each is one: all are asked for first.
  void take_several(const std::vector<ArrayValue>& acc, const std::function<Expr(int64_t k)>& place,
                    bool are_elements) {
    std::vector<std::pair<Expr, std::vector<KernelValue>>> several;
    for (int64_t k = 0; k < kElementsAtATime; ++k) {
      Expr j = body_.bind(place(k));
      several.emplace_back(j, point(are_elements ? j : body_.bind(nest::min(j, nest::sub(f_.width(), i64(1))))));
    }
    for (const auto& element : several) {
      auto take_it = [&] { take(acc, element.first, element.second); };
      are_elements ? take_it() : body_.guarded(nest::less(element.first, f_.width()), take_it);
    }
  }

  // This thread's elements, which lie as far apart as the segment has threads.
  void strided(const Expr& thread, const std::vector<ArrayValue>& acc) {
    Expr threads = body_.bind(nest::mul(chunks_, lanes_));
    auto place = [&](const Expr& k) { return nest::add(thread, nest::mul(k, threads)); };
    if (!several_at_a_time_) return take_turns(acc, thread, threads);
    auto of_round = [&](const Expr& round) {
      return [&, round](int64_t k) { return place(nest::add(nest::mul(round, i64(kElementsAtATime)), i64(k))); };
    };
    auto by_elements = [&] {
      body_.loop(rounds_, [&](const Expr& round) { take_several(acc, of_round(round), true); });
      Expr left = body_.bind(of_round(rounds_)(0));
      // Short rows have one for each thread.
      Expr of_all = body_.bind(nest::mul(rounds_, nest::mul(i64(kElementsAtATime), threads)));
      Expr one = not_above(nest::sub(f_.width(), of_all), threads);
      body_.guarded(nest::less(left, f_.width()), [&] {
        f_.if_else(
            one, [&] { take(acc, left, point(left)); }, [&] { take_several(acc, of_round(rounds_), false); });
      });
    };
    Expr are_words;
    nest::Block wide = body_.block([&] {
      are_words = words_of_rows_.combine(f_, {thread, threads, turns_}, acc, [&](const Expr& j) { return point(j); });
    });
    if (!are_words) return by_elements();
    f_.if_else(
        are_words, [&] { body_.emit_all(std::move(wide)); }, by_elements);
  }

  // Those that come one after the other.
  void neighbours(const Expr& thread, const std::vector<ArrayValue>& acc) {
    Expr first = body_.bind(nest::mul(thread, rounds_));
    Expr count = body_.bind(nest::min(rounds_, nest::sub(f_.width(), first)));
    Expr done = i64(0);
    if (several_at_a_time_) {
      Expr turns = body_.bind(nest::div(nest::max(count, i64(0)), i64(kElementsAtATime)));
      body_.loop(turns, [&](const Expr& turn) {
        auto place = [&](int64_t k) {
          return nest::add(first, nest::add(nest::mul(turn, i64(kElementsAtATime)), i64(k)));
        };
        take_several(acc, place, true);
      });
      done = body_.bind(nest::mul(turns, i64(kElementsAtATime)));
    } else if (ahead_ > 1) {
      Expr turns = body_.bind(nest::div(nest::max(count, i64(0)), i64(ahead_)));
      take_ahead(acc, turns, [&](const Expr& k) { return nest::add(first, k); });
      done = body_.bind(nest::mul(turns, i64(ahead_)));
    }
    take_each(acc, nest::sub(count, done), [&](const Expr& k) { return nest::add(first, nest::add(done, k)); });
  }

  // ---- Tiles of elements that the threads of a warp take together, some neighbours each. ----

  // Like `reduce`, over this chunk of the row's segment. A warp's tiles come one after the other, so that no warp waits for another one
  // before the end, and while it combines the elements of a tile, those of the next one are under way.
  std::vector<ArrayValue> by_tiles(const Expr& chunk) {
    Expr threads = body_.bind(nest::min(lanes_, i64(kLanesOfWarp)));  // of the row, in this warp
    Expr in_warp = body_.bind(bits_of(lane_, nest::sub(threads, i64(1))));
    const Expr number = row_of_threads().thread;
    Expr of_thread = body_.bind(nest::mul(rounds_, i64(kElementsAtATime)));
    Expr first_lane = nest::sub(nest::add(nest::mul(chunk, lanes_), lane_), in_warp);
    Expr first = body_.bind(nest::mul(first_lane, of_thread));
    Expr end = body_.bind(nest::min(f_.width(), nest::add(first, nest::mul(threads, of_thread))));
    std::vector<std::vector<ArrayValue>> next;
    for (int64_t k = 0; k < kElementsAtATime; ++k) next.push_back(f_.variables());
    std::vector<ArrayValue> acc = f_.variables(), own = f_.variables();
    body_.assign(acc, f_.neutral());
    body_.loop(nest::add(rounds_, i64(1)), [&](const Expr& round) {
      Expr is_tile = nest::less(i64(0), round);
      body_.guarded(is_tile, [&] {
        body_.assign(own, f_.current(next[0]));
        for (size_t k = 1; k < next.size(); ++k) f_.combine(own, f_.current(next[k]));
      });
      body_.guarded(nest::less(round, rounds_), [&] {
        Expr lanes_before = nest::add(nest::mul(round, threads), in_warp);
        load(next, body_.bind(nest::add(first, nest::mul(lanes_before, i64(kElementsAtATime)))), end);
      });
      body_.guarded(is_tile, [&] {
        f_.levels_of_warp({{row_}, in_warp, threads, number}, own, role_of_levels());
        body_.guarded(equal_to(in_warp, i64(0)), [&] { f_.combine(acc, f_.current(own)); });
      });
    });
    body_.guarded(equal_to(in_warp, i64(0)), [&] { f_.store(shared_, {row_, lane_}, f_.current(acc)); });
    f_.levels_in_memory(row_of_threads(), acc, shared_, kLanesOfWarp, role_of_levels());
    return acc;
  }

  // The elements from `begin` on, and what leaves others as they are behind `end`.
  void load(const std::vector<std::vector<ArrayValue>>& into, const Expr& begin, const Expr& end) {
    auto place = [&](size_t k) { return body_.bind(nest::add(begin, i64(static_cast<int64_t>(k)))); };
    auto take = [&](size_t k, const Expr& j, const std::vector<KernelValue>& values) {
      keep(j, values);
      body_.assign(into[k], {values.begin(), values.begin() + static_cast<long>(f_.types().size())});
    };
    f_.if_else(
        nest::both(inside_, not_above(nest::add(begin, i64(kElementsAtATime)), end)),
        [&] {
          std::vector<std::pair<Expr, std::vector<KernelValue>>> all;
          for (size_t k = 0; k < into.size(); ++k) {
            Expr j = place(k);
            all.emplace_back(j, point(j));
          }
          for (size_t k = 0; k < into.size(); ++k) take(k, all[k].first, all[k].second);
        },
        [&] {
          for (size_t k = 0; k < into.size(); ++k) {
            Expr j = place(k);
            body_.assign(into[k], f_.neutral());
            body_.guarded(nest::both(inside_, nest::less(j, end)), [&] { take(k, j, point(j)); });
          }
        });
  }

  // ---- Between the blocks of a segment. ----

  std::function<Indices(int64_t)> word_of(const Expr& chunk) {
    Expr partial = body_.bind(nest::add(nest::mul(segment_, chunks_), chunk));
    return [partial, most = most_partials()](int64_t word) { return Indices{nest::add(i64(word * most), partial)}; };
  }

  // This thread's share of what the segment's blocks have come to. A row is a block then, but of columns.
  void partials(const std::vector<ArrayValue>& acc) {
    const bool strided = f_.commutative();
    const Expr threads = columns_ ? lanes_ : i64(kBlockSize);
    Expr each = body_.bind(nest::ceil_div(chunks_, threads));
    Expr first = strided ? lane_ : body_.bind(nest::mul(lane_, each));
    auto chunk = [&](const Expr& k) { return body_.bind(nest::add(first, strided ? nest::mul(k, threads) : k)); };
    auto some = [&](int64_t count, const std::function<Expr(int64_t k)>& number) {
      std::vector<Partial> all;
      for (int64_t k = 0; k < count; ++k) {
        Expr c = chunk(number(k)), is_one = nest::less(c, chunks_);
        all.push_back({c, body_.bind(strided ? is_one : nest::both(nest::less(number(k), each), is_one))});
      }
      hear(acc, all);
    };
    if (columns_ && num_words_ <= kMostWordsTogether) {
      return body_.loop(nest::ceil_div(each, i64(kPartialsAtATime)), [&](const Expr& round) {
        some(kPartialsAtATime, [&](int64_t k) { return nest::add(nest::mul(round, i64(kPartialsAtATime)), i64(k)); });
      });
    }
    if (columns_ || !several_at_a_time_ || num_words_ > kMostWordsTogether) {
      return body_.loop(each, [&](const Expr& k) {
        Expr c = chunk(k);
        body_.guarded(nest::less(c, chunks_), [&] { hear(acc, {{c, nullptr}}); });
      });
    }
    some(kPartialsOfThread, [](int64_t k) { return i64(k); });
  }

  // What the block of a chunk has come to, where the chunk is one of this thread's; always if nothing says so.
  struct Partial {
    Expr chunk, is_mine;
  };

  // Combines them when all are there. Their words are zero again then.
  void hear(const std::vector<ArrayValue>& acc, const std::vector<Partial>& partials) {
    std::vector<std::function<Indices(int64_t)>> places;
    std::vector<std::vector<ArrayValue>> values;
    for (const Partial& p : partials) {
      places.push_back(word_of(p.chunk));
      values.push_back(f_.variables());
    }
    ArrayValue waits = body_.variable(seg::Type::scalar(Type::Bool), "waits");
    body_.assign({waits}, {nest::constant(prim::Value::of_bool(true))});
    nest::Block listen = body_.block([&] {
      Expr there = nest::constant(prim::Value::of_bool(true));
      for (size_t k = 0; k < partials.size(); ++k)
        there = nest::both(there, f_.hear(words_, places[k], values[k], partials[k].is_mine));
      body_.assign({waits}, {nest::negate(there)});
    });
    body_.emit(nest::stmt(nest::While{body_.read(waits, {}), std::move(listen)}));
    for (size_t k = 0; k < partials.size(); ++k) {
      auto take_it = [&] {
        for (int64_t word = 0; word < num_words_; ++word) body_.store(words_, places[k](word), i64(0));
        f_.combine(acc, f_.current(values[k]));
      };
      partials[k].is_mine ? body_.guarded(partials[k].is_mine, take_it) : take_it();
    }
  }

  Folds f_;
  NameSource& names_;
  KernelBuilder& kernel_;
  BodyLowerer& body_;
  bool several_at_a_time_ = false, in_tiles_ = false, fills_device_ = false, takes_loops_ = false, short_loops_ = false;
  int64_t ahead_ = 1;     // elements that are asked for before any is combined, where these are not several_at_a_time_
  bool columns_ = false;  // neighbouring threads have neighbouring segments, of which a block has
  int64_t columns_of_block_ = 1;
  WordsOfRows words_of_rows_;  // of nothing, unless elements may be taken in any order and nothing is stored
  int64_t num_words_ = 0;
  Expr segments_, lanes_, rows_, chunks_, rounds_, turns_;
  std::vector<ArrayValue> results_, mapped_, shared_;
  ArrayValue words_;
  Indices of_segment_;
  Expr segment_, row_, lane_, inside_;  // of the thread
};

}  // namespace

Proposal lower_reduction(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host,
                         NameSource& names) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  if (shared_bytes(folded_types(op)) > kSharedBytes) return Refusal{"a block has no room for its elements"};
  Plan lowered;
  lowered.recipe = "reduction by blocks of threads";
  lowered.why_not = "it is a reduction of whole segments";
  std::optional<Launch> launch = Reduction(op, host, names).run(kernel_name, lowered.results);
  if (!launch) return not_together();
  lowered.launches.push_back(std::move(*launch));
  return lowered;
}

std::optional<LongSegments> longer_than_threads_suit(const seg::SegOp& op, const HostScope& host, NameSource& names) {
  if (!reads_neighbours(op, host.layouts)) return std::nullopt;
  const Reduction reduction(op, host, names);
  const seg::SubExp& width = op.space.dims.back().size;
  if (reduction.strided_together()) return LongSegments{width, long_side_by_side(op)};
  if (!reduction.in_tiles()) return std::nullopt;
  return LongSegments{width, long_for_tiles(op)};
}

}  // namespace heddle::lower
