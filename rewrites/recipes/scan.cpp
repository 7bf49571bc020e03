#include "rewrites/recipes/scan.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/exchanged_words.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/recipes/map_of_scan.h"
#include "rewrites/seg/block_operators.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Op;
using prim::Type;

namespace {

constexpr int64_t kLanes = 32, kMostThreads = 8 * kLanes;
constexpr int64_t kLevels = 5;  // log2 of kLanes
// Of a thread, at most; an odd number, so that what neighbouring threads take one after the other lies in different
// banks. So many keep a block's memory below kTileBytes. Sums of 100 million f32 or i32 took 285 us with 15, 264 with 19, 268 with 23.
constexpr int64_t kMaxItems = 19;
constexpr int64_t kTileBytes = 24 * 1024;
// What is asked for at once is seldom there yet, and blocks that ask again and again keep the memory from those that they wait for: 310 us
// without a rest, 290 with 300 ns, 285 with 700, 370 with 1200 (15 items each).
constexpr int kRest = 700;
// Statements of a point beyond which loops over items are not written out.
constexpr size_t kShort = 40;

// What a tile says of itself: the first as soon as it has looked at its elements, the second when it knows all before it.
enum Said { kAggregate, kPrefix };

Expr truth(bool b) { return nest::constant(prim::Value::of_bool(b)); }
Expr at_least(const Expr& a, const Expr& b) { return nest::operation(Op(Family::Sle, Type::I64), {b, a}); }
Expr either(const Expr& a, const Expr& b) { return nest::operation(Op(Family::LogOr, Type::Bool), {a, b}); }

size_t num_statements(const nest::Block& block) {
  size_t n = 0;
  nest::for_each_stmt(block, [&](const nest::Stmt&) { ++n; });
  return n;
}

// Behind that, threads that fail leave no others waiting.
nest::Block before_last_barrier(const nest::Block& work) {
  auto is_barrier = [](const nest::Stmt& s) { return std::holds_alternative<nest::Barrier>(s->node); };
  const auto last = std::find_if(work.rbegin(), work.rend(), is_barrier);
  return {work.begin(), last.base()};
}

class Scan {
 public:
  Scan(const seg::SegOp& op, const seg::Pat& pat, const ScanReaders& readers, const HostScope& host, NameSource& names)
      : op_(op), pat_(pat), f_(op, host, names), b_(f_.body()), segmented_(f_.sizes().size() > 1) {
    for (const seg::PatElem& p : pat) {
      stored_.push_back(readers.unread == nullptr || !readers.unread->contains(p.name));
      wanted_.push_back(stored_.back() || readers.map);
    }
    if (readers.map) {
      const int first = static_cast<int>(op.types.size());
      map_.emplace(*readers.map, *readers.map_results, first, f_.kernel(), b_);
    }
    for (const seg::Type& t : f_.types()) {
      bytes_ += prim::size_bytes(t.elem);
      num_words_ += static_cast<int64_t>(num_words(t.elem));
    }
    while (!find_items() && threads_ > kLanes) threads_ /= 2;
  }

  // Of a block: elements, totals of threads, what is seen of tiles before, and flags with them.
  bool fits() const {
    return (threads_ * items_ + threads_ + kLanes + 1) * (bytes_ + 8) - threads_ * items_ * 8 <= kSharedBytes;
  }
  // In the host's terms.
  Expr num_tiles() const {
    return nest::ceil_div(nest::mul(f_.segments(), f_.kernel().host_value(f_.width())), i64(threads_ * items_));
  }
  Expr num_words_in_all() const { return nest::mul(i64(2 * num_words_), num_tiles()); }

  std::optional<Launch> run(const std::string& name, std::vector<ResultPlace>& results);

 private:
  // What neighbouring elements come to, and whether a row begins among them (in segmented scans).
  struct Partial {
    std::vector<ArrayValue> values;
    ArrayValue starts;
  };
  // Which row and which element of it an item is.
  struct Position {
    ArrayValue row, column;  // variables, in segmented scans
    Expr flat;               // its number among those of all rows
  };

  // ---- Partial results. ----

  Partial partial() {
    Partial p{f_.variables(), {}};
    b_.assign(p.values, f_.neutral());
    if (segmented_) p.starts = flag(false);
    return p;
  }
  ArrayValue flag(bool value) {
    ArrayValue v = b_.variable(seg::Type::scalar(Type::Bool), "flag");
    b_.assign({v}, {truth(value)});
    return v;
  }
  ArrayValue number(const Expr& value) {
    ArrayValue v = b_.variable(seg::Type::scalar(Type::I64), "number");
    b_.assign({v}, {value});
    return v;
  }
  Expr now(const ArrayValue& variable) { return b_.bind(b_.read(variable, {})); }
  void set(const ArrayValue& variable, const Expr& value) { b_.assign({variable}, {value}); }

  // The partial result becomes that of its elements and those behind, which come to x.
  void append(const Partial& into, const std::vector<KernelValue>& x, const Expr& starts) {
    if (!segmented_) return f_.combine(into.values, x);
    f_.if_else(
        starts,
        [&] {
          b_.assign(into.values, x);
          set(into.starts, truth(true));
        },
        [&] { f_.combine(into.values, x); });
  }
  // The same of those before.
  void prepend(const Partial& into, const std::vector<KernelValue>& x, const Expr& starts) {
    auto values = [&] { b_.assign(into.values, f_.combined(x, f_.current(into.values))); };
    if (!segmented_) return values();
    b_.guarded(nest::negate(now(into.starts)), [&] {
      values();
      set(into.starts, starts);
    });
  }

  struct Totals {
    std::vector<ArrayValue> values;
    ArrayValue starts;
  };
  Totals shared_totals(int64_t count) {
    Totals t{f_.shared({i64(count)}), {}};
    if (segmented_) t.starts = f_.shared(Type::Bool, {i64(count)});
    return t;
  }
  void keep(const Totals& t, const Expr& at, const Partial& p) {
    f_.store(t.values, {at}, f_.current(p.values));
    if (segmented_) b_.store(t.starts, {at}, now(p.starts));
  }
  Expr starts_at(const Totals& t, const Expr& at) {
    return segmented_ ? b_.bind(b_.read(t.starts, {at})) : truth(false);
  }
  void append(const Partial& into, const Totals& t, const Expr& at) {
    append(into, f_.read(t.values, {at}), starts_at(t, at));
  }

  // ---- Items. ----

  // `emit` gets the item, and whether it is known that all items of the tile are elements. Short loops are there twice: for whole
  // tiles, without tests, and for the last one.
  void each_item(const std::function<void(const Expr& item, bool whole)>& emit) {
    auto items = [&](bool whole) {
      Name i = f_.names().fresh("item");
      nest::Block body = b_.block([&] { emit(nest::var(i, Type::I64), whole); });
      bool is_short = num_statements(body) <= kShort;
      return loop(i, i64(items_), is_short ? nest::Role::Unrolled : nest::Role::Serial, std::move(body));
    };
    nest::Stmt any = items(false);
    if (std::get<nest::For>(any->node).role == nest::Role::Serial) return b_.emit(any);
    f_.if_else(
        whole_, [&] { b_.emit(items(true)); }, [&] { b_.emit(any); });
  }

  // The thread's items as memory has them, so that neighbouring threads have neighbours: `emit` gets where each is in the tile
  // and which element it is, if it is one.
  void apart(const Expr& me, const std::function<void(const Expr& at, const Position& position)>& emit) {
    Position p{{}, {}, b_.bind(nest::add(first_, me))};
    const Expr width = f_.width();
    if (segmented_) {
      Expr row = b_.bind(nest::div(p.flat, width));
      p.row = number(row);
      p.column = number(nest::sub(p.flat, nest::mul(row, width)));
    }
    each_item([&](const Expr& item, bool whole) {
      Expr at = b_.bind(nest::add(me, nest::mul(item, i64(threads_))));
      Position here = p;
      here.flat = b_.bind(nest::add(first_, at));
      b_.guarded(whole ? truth(true) : nest::less(here.flat, total_), [&] { emit(at, here); });
      if (segmented_) advance(p);
    });
  }

  void advance(const Position& p) {
    Expr next = b_.bind(nest::add(now(p.column), columns_apart_));
    Expr wraps = b_.bind(at_least(next, f_.width()));
    set(p.column, nest::select(wraps, nest::sub(next, f_.width()), next));
    set(p.row, nest::add(now(p.row), nest::add(rows_apart_, nest::select(wraps, i64(1), i64(0)))));
  }

  // The column as what the row leaves, so that nothing of both is left of the place in a dense array.
  Indices index_of(const Position& p) {
    if (!segmented_) return {p.flat};
    Expr row = now(p.row);
    Indices index = f_.segment_indices(row);
    index.push_back(b_.bind(nest::sub(p.flat, nest::mul(row, f_.width()))));
    return index;
  }

  // The thread's items as it takes them one after the other: `emit` gets where each is in the tile, and whether a row begins with
  // it, if it is one. They are counted with 32 bits, as a device computes.
  void neighbours(const Expr& own, const std::function<void(const Expr& at, const Expr& starts)>& emit) {
    auto few = [&](const Expr& n) { return b_.bind(narrow(nest::min(n, i64(items_)))); };
    Expr flat = b_.bind(nest::add(first_, own));
    Expr count = few(nest::max(i64(0), nest::sub(total_, flat)));
    ArrayValue next;  // the item with which a row begins
    Expr width;
    if (segmented_) {
      Expr column = b_.bind(nest::mod(flat, f_.width()));
      next = b_.variable(seg::Type::scalar(Type::I32), "next");
      set(next, few(nest::select(equal_to(column, i64(0)), i64(0), nest::sub(f_.width(), column))));
      width = few(f_.width());
    }
    each_item([&](const Expr& item, bool whole) {
      Expr i = b_.bind(narrow(item));
      Expr starts = segmented_ ? b_.bind(compare(Family::Eq, now(next), i)) : truth(false);
      b_.guarded(whole ? truth(true) : compare(Family::Slt, i, count),
                 [&] { emit(b_.bind(nest::add(own, item)), starts); });
      if (!segmented_) return;
      Expr after = nest::operation(Op(Family::AddNw, Type::I32), {now(next), width});
      set(next, nest::select(starts, after, now(next)));
    });
  }
  static Expr narrow(const Expr& e) { return nest::operation(Op(Family::SExt, Type::I64, Type::I32), {e}); }
  static Expr compare(Family how, const Expr& a, const Expr& b) { return nest::operation(Op(how, Type::I32), {a, b}); }

  // What the loops say in a way that checks of indices are not decided by.
  void checked(bool has_checks, const Indices& index, const std::function<void()>& emit) {
    if (!has_checks) return emit();
    Expr inside = truth(true);
    for (size_t d = 0; d < index.size(); ++d)
      inside = nest::both(inside, nest::both(at_least(index[d], i64(0)), nest::less(index[d], f_.sizes()[d])));
    b_.guarded(inside, emit);
  }

  // ---- Between tiles. ----

  std::function<Indices(int64_t)> word_of(Said what, const Expr& tile) {
    return [what, tile](int64_t word) { return Indices{i64(what), i64(word), tile}; };
  }
  void say(Said what, const std::vector<KernelValue>& values) { f_.say(words_, word_of(what, tile_), values); }
  // Sets `into` and yields whether it is all there.
  Expr hear(Said what, const Expr& tile, const std::vector<ArrayValue>& into) {
    return f_.hear(words_, word_of(what, tile), into);
  }

  // For the lanes of one warp: `carry` becomes what all before this tile comes to.
  void look_back(const Expr& lane, const std::vector<ArrayValue>& carry) {
    std::vector<ArrayValue> seen = f_.shared({i64(kLanes)});
    ArrayValue is_prefix = f_.shared(Type::Bool, {i64(kLanes)});
    ArrayValue nearest = number(nest::sub(tile_, i64(1))), done = flag(false);
    nest::Block window = b_.block([&] {
      Expr other = b_.bind(nest::sub(now(nearest), lane));
      std::vector<ArrayValue> values = f_.variables();
      b_.assign(values, f_.neutral());
      ArrayValue is_last = flag(true);  // what lies before the first tile is known to be nothing
      b_.guarded(at_least(other, i64(0)), [&] {
        ArrayValue waits = flag(true);
        nest::Block listen = b_.block([&] {
          Expr knows_all = hear(kPrefix, other, values);
          set(is_last, knows_all);
          f_.if_else(
              knows_all, [&] { set(waits, truth(false)); },
              [&] { set(waits, nest::negate(hear(kAggregate, other, values))); });
        });
        b_.emit(nest::stmt(nest::While{b_.read(waits, {}), std::move(listen), kRest}));
      });
      Expr at = b_.bind(nest::sub(i64(kLanes - 1), lane));
      f_.store(seen, {at}, f_.current(values));
      b_.store(is_prefix, {at}, now(is_last));
      b_.loop(i64(kLevels), [&](const Expr& level) {
        f_.barrier(nest::Scope::Warp);
        Expr apart = b_.bind(nest::operation(Op(Family::Shl, Type::I64), {i64(1), level}));
        Expr among = nest::operation(Op(Family::And, Type::I64), {lane, nest::sub(nest::mul(i64(2), apart), i64(1))});
        b_.guarded(equal_to(among, i64(0)), [&] {
          Expr later = b_.bind(nest::add(lane, apart));
          std::vector<KernelValue> right = f_.read(seen, {later});
          f_.if_else(
              b_.bind(b_.read(is_prefix, {later})),
              [&] {
                f_.store(seen, {lane}, right);
                b_.store(is_prefix, {lane}, truth(true));
              },
              [&] { f_.store(seen, {lane}, f_.combined(f_.read(seen, {lane}), right)); });
        });
      });
      f_.barrier(nest::Scope::Warp);
      b_.assign(carry, f_.combined(f_.read(seen, {i64(0)}), f_.current(carry)));
      set(done, b_.read(is_prefix, {i64(0)}));
      set(nearest, nest::sub(now(nearest), i64(kLanes)));
      f_.barrier(nest::Scope::Warp);
    });
    b_.emit(nest::stmt(nest::While{nest::negate(b_.read(done, {})), std::move(window)}));
  }

  // Of what is scanned, those that are marked.
  template <typename T>
  static std::vector<T> only(const std::vector<bool>& marked, const std::vector<T>& of_scanned) {
    std::vector<T> found;
    for (size_t k = 0; k < of_scanned.size(); ++k) {
      if (marked[k]) found.push_back(of_scanned[k]);
    }
    return found;
  }

  // One of the results as a map of the point sees it that is number `at` of the tile and has this index in its row.
  struct Scanned {
    ArrayValue of_tile, before_tile;
  };
  ArrayValue at_hand(const Scanned& scanned, const Expr& at, const Expr& own) const {
    auto read = [=](Binder& b, const Indices& index) {
      if (nest::equal(index.back(), own)) return scanned.of_tile.read(b, {at});
      const Expr before = scanned.of_tile.read(b, {nest::max(i64(0), nest::sub(at, i64(1)))});
      return nest::select(equal_to(at, i64(0)), scanned.before_tile.read(b, {i64(0)}), before);
    };
    return computed(scanned.of_tile.elem, f_.sizes(), read);
  }

  // So many that they fit, of a block of so many threads.
  bool find_items() {
    items_ = std::min(kMaxItems, (kTileBytes / (threads_ * bytes_)) | 1);
    if (!fits()) items_ = std::max(int64_t{1}, items_ - 1);
    return fits();
  }

  void thread(const Expr& warp, const Expr& lane, const std::vector<ArrayValue>& results,
              const std::vector<ArrayValue>& mapped);

  const seg::SegOp& op_;
  const seg::Pat& pat_;
  Folds f_;
  BodyLowerer& b_;
  bool segmented_;
  std::vector<bool> stored_, wanted_;  // of all results: in memory; by anybody
  std::optional<MapOfScan> map_;
  int64_t bytes_ = 0, num_words_ = 0, items_ = 0;
  int64_t threads_ = kMostThreads;  // of a block; fewer where there is no room for an element of each
  Expr total_, tile_, first_, rows_apart_, columns_apart_;
  Expr whole_;  // whether all items of the tile are elements
  ArrayValue words_;
};

void Scan::thread(const Expr& warp, const Expr& lane, const std::vector<ArrayValue>& results,
                  const std::vector<ArrayValue>& mapped) {
  std::vector<ArrayValue> elements = f_.shared({i64(threads_ * items_)});
  Totals totals = shared_totals(threads_);
  std::vector<ArrayValue> before_tile = f_.shared({i64(1)});
  Expr me = b_.bind(nest::add(nest::mul(warp, i64(kLanes)), lane));
  first_ = b_.bind(nest::mul(tile_, i64(threads_ * items_)));
  whole_ = b_.bind(at_least(total_, nest::add(first_, i64(threads_ * items_))));

  apart(me, [&](const Expr& at, const Position& p) {
    Indices index = index_of(p);
    checked(f_.has_checks(), index, [&] {
      std::vector<KernelValue> values = f_.point(index);
      f_.store(elements, {at}, values);
      for (size_t k = 0; k < mapped.size(); ++k) {
        if (stored_[elements.size() + k]) b_.store_value(mapped[k], index, values[elements.size() + k]);
      }
    });
  });
  f_.barrier(nest::Scope::Block);

  Expr own = b_.bind(nest::mul(me, i64(items_)));
  Partial total = partial();
  neighbours(own, [&](const Expr& at, const Expr& starts) { append(total, f_.read(elements, {at}), starts); });
  keep(totals, me, total);
  b_.loop(i64(kLevels), [&](const Expr& level) {
    Expr apart = b_.bind(nest::operation(Op(Family::Shl, Type::I64), {i64(1), level}));
    Expr has_other = b_.bind(at_least(lane, apart));
    Partial other = partial();
    f_.barrier(nest::Scope::Warp);
    b_.guarded(has_other, [&] { append(other, totals, nest::sub(me, apart)); });
    f_.barrier(nest::Scope::Warp);
    b_.guarded(has_other, [&] {
      prepend(total, f_.current(other.values), segmented_ ? now(other.starts) : truth(false));
      keep(totals, me, total);
    });
  });
  f_.barrier(nest::Scope::Block);

  auto last_of_warp = [&](const Expr& w) { return nest::add(nest::mul(w, i64(kLanes)), i64(kLanes - 1)); };
  b_.guarded(equal_to(warp, i64(0)), [&] {
    Partial all = partial();
    b_.loop(i64(threads_ / kLanes), [&](const Expr& w) { append(all, totals, last_of_warp(w)); });
    Expr is_first = b_.bind(equal_to(tile_, i64(0)));
    Expr independent = segmented_ ? b_.bind(either(is_first, now(all.starts))) : is_first;
    b_.guarded(equal_to(lane, i64(0)), [&] {
      f_.if_else(
          independent, [&] { say(kPrefix, f_.current(all.values)); }, [&] { say(kAggregate, f_.current(all.values)); });
    });
    std::vector<ArrayValue> carry = f_.variables();
    b_.assign(carry, f_.neutral());
    Expr begins_row = segmented_ ? equal_to(nest::mod(first_, f_.width()), i64(0)) : is_first;
    b_.guarded(nest::negate(b_.bind(either(is_first, begins_row))), [&] { look_back(lane, carry); });
    b_.guarded(equal_to(lane, i64(0)), [&] {
      f_.store(before_tile, {i64(0)}, f_.current(carry));
      b_.guarded(nest::negate(independent),
                 [&] { say(kPrefix, f_.combined(f_.current(carry), f_.current(all.values))); });
    });
  });
  f_.barrier(nest::Scope::Block);

  const std::vector<ArrayValue> wanted = only(wanted_, elements);
  Partial running = partial();
  b_.assign(running.values, f_.read(before_tile, {i64(0)}));
  b_.loop(warp, [&](const Expr& w) { append(running, totals, last_of_warp(w)); });
  b_.guarded(at_least(lane, i64(1)), [&] { append(running, totals, nest::sub(me, i64(1))); });
  neighbours(own, [&](const Expr& at, const Expr& starts) {
    append(running, f_.read(elements, {at}), starts);
    f_.store(wanted, {at}, only(wanted_, f_.current(running.values)));
  });
  f_.barrier(nest::Scope::Block);
  apart(me, [&](const Expr& at, const Position& p) {
    Indices index = index_of(p);
    checked(map_ && map_->has_checks(), index, [&] {
      f_.store(only(stored_, results), index, f_.read(only(stored_, elements), {at}));
      if (!map_) return;
      std::vector<ArrayValue> scanned;
      for (size_t k = 0; k < elements.size(); ++k)
        scanned.push_back(at_hand({elements[k], before_tile[k]}, at, index.back()));
      scanned.insert(scanned.end(), mapped.begin(), mapped.end());
      map_->point(f_.sizes(), index, pat_, scanned);
    });
  });
}

std::optional<Launch> Scan::run(const std::string& name, std::vector<ResultPlace>& places) {
  KernelBuilder& kernel = f_.kernel();
  // The program's own name, where it is a size: its checks are about that.
  total_ =
      segmented_ ? kernel.launch_scalar("total", nest::mul(f_.segments(), kernel.host_value(f_.width()))) : f_.width();
  Expr tiles = kernel.launch_scalar("tiles", num_tiles());
  if (segmented_) {
    Expr width = nest::max(i64(1), kernel.host_value(f_.width()));
    rows_apart_ = kernel.launch_scalar("rows_apart", nest::div(i64(threads_), width));
    columns_apart_ = kernel.launch_scalar("columns_apart", nest::mod(i64(threads_), width));
  }
  std::vector<ArrayValue> results, mapped;
  for (size_t k = 0; k < op_.types.size(); ++k) {
    const seg::Type& t = op_.types[k];
    bool scanned = k < f_.types().size();
    FreshResult place{t.elem, f_.sizes(), {}};
    for (const seg::Dim& d : t.dims) place.shape.push_back(kernel.host_operand(d.size()));
    for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
    // No place for those that are not stored.
    (scanned ? results : mapped).push_back(stored_[k] ? kernel.result_array(static_cast<int>(k), place) : ArrayValue{});
    places.emplace_back(std::move(place));
  }
  words_ = kernel.temporary_array(0, Type::I64, {i64(2), i64(num_words_), tiles}, true);
  Name tile = f_.names().fresh("tile"), warp = f_.names().fresh("warp"), lane = f_.names().fresh("lane");
  tile_ = nest::var(tile, Type::I64);
  nest::Block work = b_.block([&] { thread(nest::var(warp, Type::I64), nest::var(lane, Type::I64), results, mapped); });
  nest::Facts facts = kernel.facts(work);
  work = facts.scope([&] {
    tell_indices(facts, {{tile, tiles}, {warp, i64(threads_ / kLanes)}, {lane, i64(kLanes)}});
    return nest::discharge(work, facts);
  });
  if (kernel.has_scratch() || kernel.one_thread() || nest::may_fail(before_last_barrier(work))) return std::nullopt;
  kernel.add_host_scalars(work);
  work = {loop(lane, i64(kLanes), nest::Role::Lane, std::move(work))};
  work = {loop(warp, i64(threads_ / kLanes), nest::Role::Warp, std::move(work))};
  work = {loop(tile, tiles, nest::Role::Grid, std::move(work))};
  return std::move(kernel).finish(name, std::move(work), tiles, i64(threads_), std::nullopt);
}

// No tile has said anything yet. One that is alone asks no other.
Launch silence(const std::string& name, const HostScope& host, NameSource& names, const Expr& num_tiles,
               const Expr& num_words) {
  KernelBuilder kernel(host, names);
  Expr several = nest::less(i64(1), num_tiles);
  Expr count = kernel.launch_scalar("num_words", num_words);
  Expr blocks =
      kernel.launch_scalar("blocks", nest::select(several, nest::ceil_div(num_words, i64(kMostThreads)), i64(0)));
  ArrayValue all = kernel.temporary_array(0, Type::I64, {count});
  Name block = names.fresh("block"), thread = names.fresh("thread"), i = names.fresh("i");
  Expr at = nest::var(i, Type::I64);
  nest::Block body = {
      nest::stmt(nest::Let{
          i, nest::add(nest::mul(nest::var(block, Type::I64), i64(kMostThreads)), nest::var(thread, Type::I64))}),
      nest::stmt(nest::If{nest::less(at, count), {nest::stmt(nest::Store{all.place->buffer, {at}, i64(0)})}, {}})};
  body = {nest::stmt(nest::For{thread, i64(kMostThreads), nest::Role::Block, std::move(body)})};
  body = {nest::stmt(nest::For{block, blocks, nest::Role::Grid, std::move(body)})};
  return std::move(kernel).finish(name, std::move(body), blocks, i64(kMostThreads), std::nullopt);
}

}  // namespace

Proposal lower_scan(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                    const ScanReaders& readers) {
  const auto& op = std::get<seg::SegOp>(stm.exp);
  auto is_acc = [](const seg::Type& t) { return t.is_acc() || t.elem == Type::Unit; };
  if (!seg::of_scalars(op) || std::ranges::any_of(op.types, is_acc))
    return Refusal{"its operator is not one of scalars"};
  Scan scan(op, stm.pat, readers, host, names);
  if (!scan.fits()) return Refusal{"a block has no room for its elements"};
  Plan lowered;
  lowered.recipe = kScanRecipe;
  lowered.why_not = "it is a scan";
  lowered.temporaries.push_back({Type::I64, scan.num_words_in_all()});
  Launch begin = silence(kernel_name + "_begin", host, names, scan.num_tiles(), scan.num_words_in_all());
  std::optional<Launch> launch = scan.run(kernel_name, lowered.results);
  if (!launch) return not_together();
  lowered.launches = {std::move(begin), std::move(*launch)};
  return lowered;
}

}  // namespace heddle::lower
