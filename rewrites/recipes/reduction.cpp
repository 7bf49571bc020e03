#include "rewrites/recipes/reduction.h"

#include <functional>
#include <set>

#include "ir/nest/traverse.h"
#include "rewrites/graph/element.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/exchanged_words.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Type;

namespace {

// Of all segments together, where a segment has several chunks: then there are fewer than kFillingBlocks segments.
constexpr int64_t kMostPartials = 2 * kFillingBlocks;
// Elements that a thread asks for before it combines the first of them, so that as many are under way; and the statements that
// an element and combining it may take for that, since they stand there as often.
constexpr int64_t kElementsAtATime = 4;
constexpr size_t kMostAtATime = 16;
// Of several arrays that are loaded in tiles: there what is saved is most of the memory's time.
constexpr size_t kMostInTiles = 48;
// Elements in shared memory lie so far apart for neighbouring threads: one more than each combines, so that they are in different
// banks.
constexpr int64_t kStagedApart = kElementsAtATime + 1;

std::vector<seg::Type> folded_types(const seg::SegOp& op) {
  std::vector<seg::Type> types;
  for (const seg::SegBinOp& o : op.ops) types.insert(types.end(), o.lambda.ret.begin(), o.lambda.ret.end());
  return types;
}

// Of one element for each thread of a block.
int64_t shared_bytes(const std::vector<seg::Type>& types) {
  int64_t bytes = 0;
  for (const seg::Type& t : types) bytes += kBlockSize * prim::size_bytes(t.elem);
  return bytes;
}

// Of those that points read and write one after the other. Where each thread goes through neighbours of several by itself, the
// lines of all do not stay in a multiprocessor's cache until they are used up.
size_t num_arrays(const seg::SegOp& op) {
  std::set<Name> arrays;
  for (const seg::StmPtr& s : op.body->stms) {
    if (const auto* index = std::get_if<seg::Index>(&s->exp)) arrays.insert(index->array);
  }
  return arrays.size() + op.types.size() - folded_types(op).size();
}

// How the work is divided, in expressions of the host.
struct Division {
  Expr levels, lanes, rows, blocks, chunks;
};

Division divide(const Expr& segments, const Expr& width) {
  Division d;
  d.levels = log2_up(nest::max(i64(1), nest::min(width, i64(kBlockSize))));
  d.lanes = power_of_two(d.levels);
  d.rows = nest::div(i64(kBlockSize), d.lanes);
  d.blocks = nest::ceil_div(segments, d.rows);
  Expr useful = nest::ceil_div(width, nest::mul(d.lanes, i64(kElementsOfThread)));
  Expr room = nest::ceil_div(i64(kFillingBlocks), nest::max(i64(1), d.blocks));
  d.chunks = nest::max(i64(1), nest::min(useful, room));
  return d;
}

class Reduction {
 public:
  Reduction(const seg::SegOp& op, const HostScope& host, NameSource& names)
      : f_(op, host, names), names_(names), kernel_(f_.kernel()), body_(f_.body()) {
    size_t statements = 0;
    several_at_a_time_ = !f_.has_checks();
    auto count = [&](const seg::Stms& stms) {
      const graph::Element code(stms);
      several_at_a_time_ &= code.is_straight();
      statements += code.operations();
    };
    count(op.body->stms);
    for (const auto& o : op.ops) count(o.lambda.body->stms);
    staged_ = several_at_a_time_ && statements <= kMostInTiles && !f_.commutative() && num_arrays(op) > 1 &&
              (kStagedApart + 1) * shared_bytes(f_.types()) <= kSharedBytes;
    several_at_a_time_ &= statements <= kMostAtATime;
  }

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
    words_ = kernel_.mailbox(num_words_ * kMostPartials);
    const Division d = divide(f_.segments(), kernel_.host_value(f_.width()));
    // The program's own names, where they are sizes: its checks are about these.
    segments_ = f_.sizes().size() == 2 ? f_.sizes()[0] : kernel_.launch_scalar("segments", f_.segments());
    levels_ = kernel_.launch_scalar("levels", d.levels);
    lanes_ = kernel_.launch_scalar("lanes", d.lanes);
    rows_ = kernel_.launch_scalar("rows", d.rows);
    Expr blocks = kernel_.launch_scalar("blocks", d.blocks);
    chunks_ = kernel_.launch_scalar("chunks", d.chunks);
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
    work = {loop(lane, lanes_, nest::Role::Block, std::move(work))};
    work = {loop(row, rows_, nest::Role::Block, std::move(work))};
    work = {loop(chunk, chunks_, nest::Role::Grid, std::move(work))};
    work = {loop(block, blocks, nest::Role::Grid, std::move(work))};
    return std::move(kernel_).finish(name, std::move(work), nest::mul(blocks, chunks_), nest::mul(rows_, lanes_),
                                     std::nullopt);
  }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }
  static Expr not_above(const Expr& a, const Expr& b) {
    return nest::operation(prim::Op(Family::Sle, Type::I64), {a, b});
  }
  static nest::Stmt loop(const Name& i, Expr extent, nest::Role role, nest::Block body) {
    return nest::stmt(nest::For{i, std::move(extent), role, std::move(body)});
  }

  void thread(const Expr& chunk) {
    shared_ = f_.shared({rows_, lanes_});
    inside_ = nest::less(segment_, segments_);
    of_segment_ = f_.segment_indices(segment_);
    auto result = [&](const std::function<void(const std::vector<KernelValue>&)>& keep) {
      body_.guarded(nest::both(equal_to(lane_, i64(0)), inside_), [&] { keep(f_.read(shared_, {row_, lane_})); });
    };
    auto store = [&](const std::vector<KernelValue>& values) { f_.store(results_, of_segment_, values); };
    if (staged_) {
      by_tiles(chunk);
    } else {
      Expr threads = nest::mul(chunks_, lanes_);
      reduce({f_.width(), nest::add(nest::mul(chunk, lanes_), lane_), threads, several_at_a_time_},
             {[&](const Expr& j) { return point(j); }, [&](const Expr& j, const auto& values) { keep(j, values); }});
    }
    f_.if_else(
        nest::less(i64(1), chunks_),
        [&] {
          result([&](const std::vector<KernelValue>& values) { f_.say(words_, word_of(chunk), values); });
          body_.guarded(equal_to(chunk, nest::sub(chunks_, i64(1))), [&] {
            f_.barrier(nest::Scope::Block);
            reduce({chunks_, lane_, lanes_, false}, {[&](const Expr& j) { return hear(j); }, {}});
            result(store);
          });
        },
        [&] { result(store); });
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

  // Elements 0..count-1, of which this thread of several takes some.
  struct Share {
    Expr count, thread, threads;
    bool several_at_a_time;
  };

  // How an element is had, and what is done with it besides, if anything.
  struct Elements {
    std::function<std::vector<KernelValue>(const Expr& j)> at;
    std::function<void(const Expr& j, const std::vector<KernelValue>& values)> keep;
  };

  // shared_[row][0] becomes what the elements of the row's segment come to.
  void reduce(const Share& share, const Elements& elements) {
    std::vector<ArrayValue> acc = f_.variables();
    body_.assign(acc, f_.neutral());
    body_.guarded(inside_, [&] { own(share, acc, elements); });
    f_.store(shared_, {row_, lane_}, f_.current(acc));
    tree();
  }

  // shared_[row][0] becomes what shared_[row] comes to.
  void tree() {
    body_.loop(levels_, [&](const Expr& level) {
      f_.barrier(nest::Scope::Block);
      Expr apart = body_.bind(power_of_two(level));
      Expr among =
          nest::operation(prim::Op(Family::And, Type::I64), {lane_, nest::sub(nest::mul(i64(2), apart), i64(1))});
      body_.guarded(equal_to(among, i64(0)), [&] {
        std::vector<KernelValue> other = f_.read(shared_, {row_, nest::add(lane_, apart)});
        f_.combine(element_of(shared_, lane_), other);
      });
    });
  }

  // array[row][place] of each, as variables.
  std::vector<ArrayValue> element_of(const std::vector<ArrayValue>& arrays, const Expr& place) {
    std::vector<ArrayValue> result;
    for (const ArrayValue& a : arrays) result.push_back(lower::row(lower::row(a, {row_}), {place}));
    return result;
  }

  // What this thread takes of them.
  void own(const Share& share, const std::vector<ArrayValue>& acc, const Elements& elements) {
    bool strided = f_.commutative();
    Expr each = strided ? nullptr : body_.bind(nest::ceil_div(share.count, share.threads));
    Expr first = body_.bind(strided ? share.thread : nest::mul(share.thread, each));
    Expr left = nest::sub(share.count, first);
    Expr count = body_.bind(strided ? nest::ceil_div(left, share.threads) : nest::min(each, left));
    auto place = [&](const Expr& k) { return body_.bind(nest::add(first, strided ? nest::mul(k, share.threads) : k)); };
    auto take = [&](const Expr& j, const std::vector<KernelValue>& values) {
      if (elements.keep) elements.keep(j, values);
      f_.combine(acc, values);
    };
    Expr done = i64(0);
    if (share.several_at_a_time) {
      Expr rounds = body_.bind(nest::div(nest::max(count, i64(0)), i64(kElementsAtATime)));
      body_.loop(rounds, [&](const Expr& round) {
        std::vector<std::pair<Expr, std::vector<KernelValue>>> several;
        for (int64_t k = 0; k < kElementsAtATime; ++k) {
          Expr j = place(nest::add(nest::mul(round, i64(kElementsAtATime)), i64(k)));
          several.emplace_back(j, elements.at(j));
        }
        for (const auto& [j, values] : several) take(j, values);
      });
      done = body_.bind(nest::mul(rounds, i64(kElementsAtATime)));
    }
    body_.loop(nest::sub(count, done), [&](const Expr& k) {
      Expr j = place(nest::add(done, k));
      if (!f_.has_checks()) return take(j, elements.at(j));
      // What the loop's extent says in a way that checks of indices are not decided by.
      Expr is_element = nest::both(not_above(i64(0), j), nest::less(j, share.count));
      body_.guarded(is_element, [&] { take(j, elements.at(j)); });
    });
  }

  // ---- Tiles of elements that the threads of a row load together and then combine in order. ----

  // Like `reduce`, over this chunk of the row's segment.
  void by_tiles(const Expr& chunk) {
    Expr tile_size = body_.bind(nest::mul(lanes_, i64(kElementsAtATime)));
    Expr tiles_of_chunk = nest::ceil_div(nest::ceil_div(f_.width(), chunks_), tile_size);
    Expr each = body_.bind(nest::mul(tiles_of_chunk, tile_size));
    Expr first = body_.bind(nest::mul(chunk, each));
    Expr end = body_.bind(nest::min(f_.width(), nest::add(first, each)));
    std::vector<ArrayValue> staged = f_.shared({rows_, nest::mul(lanes_, i64(kStagedApart))});
    std::vector<ArrayValue> acc = f_.variables(), own = f_.variables();
    body_.assign(acc, f_.neutral());
    Expr tiles = body_.bind(nest::ceil_div(nest::max(nest::sub(end, first), i64(0)), tile_size));
    body_.loop(tiles, [&](const Expr& tile) {
      Expr begin = body_.bind(nest::add(first, nest::mul(tile, tile_size)));
      auto place = [&](int64_t k) { return nest::add(nest::mul(i64(k), lanes_), lane_); };
      auto stage = [&](int64_t k, const std::vector<KernelValue>& values) {
        Expr at = body_.bind(nest::add(place(k), nest::div(place(k), i64(kElementsAtATime))));
        f_.store(staged, {row_, at}, {values.begin(), values.begin() + static_cast<long>(f_.types().size())});
      };
      Expr full = body_.bind(nest::both(inside_, not_above(nest::add(begin, tile_size), end)));
      f_.if_else(
          full,
          [&] {
            std::vector<std::pair<Expr, std::vector<KernelValue>>> several;
            for (int64_t k = 0; k < kElementsAtATime; ++k) {
              Expr j = body_.bind(nest::add(begin, place(k)));
              several.emplace_back(j, point(j));
            }
            for (int64_t k = 0; k < kElementsAtATime; ++k) {
              const auto& [j, values] = several[static_cast<size_t>(k)];
              keep(j, values);
              stage(k, values);
            }
          },
          [&] {
            for (int64_t k = 0; k < kElementsAtATime; ++k) {
              Expr j = body_.bind(nest::add(begin, place(k)));
              stage(k, f_.neutral());
              body_.guarded(nest::both(inside_, nest::less(j, end)), [&] {
                std::vector<KernelValue> values = point(j);
                keep(j, values);
                stage(k, values);
              });
            }
          });
      f_.barrier(nest::Scope::Block);
      auto mine = [&](int64_t k) { return nest::add(nest::mul(lane_, i64(kStagedApart)), i64(k)); };
      body_.assign(own, f_.read(staged, {row_, mine(0)}));
      for (int64_t k = 1; k < kElementsAtATime; ++k) f_.combine(own, f_.read(staged, {row_, mine(k)}));
      f_.store(shared_, {row_, lane_}, f_.current(own));
      tree();
      body_.guarded(equal_to(lane_, i64(0)), [&] { f_.combine(acc, f_.read(shared_, {row_, lane_})); });
    });
    body_.guarded(equal_to(lane_, i64(0)), [&] { f_.store(shared_, {row_, lane_}, f_.current(acc)); });
  }

  // ---- Between the blocks of a segment. ----

  std::function<Indices(int64_t)> word_of(const Expr& chunk) {
    Expr partial = body_.bind(nest::add(nest::mul(segment_, chunks_), chunk));
    return [partial](int64_t word) { return Indices{nest::add(i64(word * kMostPartials), partial)}; };
  }

  // What another block has come to, when it has. Its words are zero again then.
  std::vector<KernelValue> hear(const Expr& chunk) {
    std::vector<ArrayValue> values = f_.variables();
    ArrayValue waits = body_.variable(seg::Type::scalar(Type::Bool), "waits");
    body_.assign({waits}, {nest::constant(prim::Value::of_bool(true))});
    auto place = word_of(chunk);
    nest::Block listen = body_.block([&] { body_.assign({waits}, {nest::negate(f_.hear(words_, place, values))}); });
    body_.emit(nest::stmt(nest::While{body_.read(waits, {}), std::move(listen)}));
    for (int64_t word = 0; word < num_words_; ++word) body_.store(words_, place(word), i64(0));
    return f_.current(values);
  }

  Folds f_;
  NameSource& names_;
  KernelBuilder& kernel_;
  BodyLowerer& body_;
  bool several_at_a_time_ = false, staged_ = false;
  int64_t num_words_ = 0;
  Expr segments_, levels_, lanes_, rows_, chunks_;
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

}  // namespace heddle::lower
