// Work that the threads of a block do together: in-block segmaps, segreds, segscans and seghists, and what is written
// between them.
//
//   let {ys : [m]f32} = segmap(inblock)(j < m) { let v = f(xs[j]) return {returns v} }
//
//   barrier
//   for round in ceil(m / threads) (serial) { let j = round*threads + thread; if j < m { ys[j] := f(xs[j]) } }
//   barrier
//
// So each element that was written before is there for all, and nothing is overwritten that a slower thread still reads.
//
// Of sums and scans each row of threads has a segment at a time: a thread folds its elements, a warp by shuffles what its threads have, and each
// thread or warp by itself what all warps have put into shared memory. These are few, and it need not wait until others tell it.
#include "ir/nest/traverse.h"
#include "ir/seg/has_checks.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/body.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/operators.h"
#include "rewrites/points/warp_lanes.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Op;
using prim::Type;

namespace {

Expr shifted(const Expr& x, const Expr& by) { return nest::operation(Op(Family::LShr, Type::I64), {x, by}); }

Expr product(const std::vector<Expr>& sizes) {
  Expr n = i64(1);
  for (const Expr& s : sizes) n = nest::mul(n, s);
  return n;
}

bool touches_no_memory(const nest::StmtNode& s) {
  if (std::holds_alternative<nest::Alloc>(s.node)) return true;
  const auto* let = std::get_if<nest::Let>(&s.node);
  bool reads = false;
  if (let) {
    nest::for_each_expr(let->value, [&](const Expr& x) { reads |= std::holds_alternative<nest::Load>(x->node); });
  }
  return let && !reads;
}

// `emit` for the points below `total` that are this member's: every one of as many as there are members, in the form that
// kernel texts have a short one for (codegen/cuda/turns.h).
void take_turns(BodyLowerer& body, const Expr& member, const Expr& members, const Expr& total,
                const std::function<void(const Expr& point)>& emit) {
  body.loop(nest::ceil_div(total, members), [&](const Expr& round) {
    Expr point = body.bind(nest::add(nest::mul(round, members), member));
    body.guarded(nest::less(point, total), [&] { emit(point); });
  });
}

}  // namespace

// ---- The team. ----

void BodyLowerer::work_together(Team team) {
  nest::Buffer failed{kernel_.names().fresh("failed"), Type::I32, nest::Space::Shared, {i64(1)}, {i64(1)}};
  emit(nest::stmt(nest::Alloc{failed}));
  emit(nest::stmt(nest::If{equal_to(team.thread, i64(0)),
                           {nest::stmt(nest::Store{failed.name, {i64(0)}, nest::constant(prim::Value::i32(0))})},
                           {}}));
  team_failed_ = whole_buffer(failed, true);
  team_ = std::move(team);
}

void BodyLowerer::barrier() {
  // One suffices as long as nothing has been read or written since.
  auto at = out_.rbegin();
  while (at != out_.rend() && touches_no_memory(**at)) ++at;
  const auto* last = at == out_.rend() ? nullptr : std::get_if<nest::Barrier>(&(*at)->node);
  if (!last || last->scope != nest::Scope::Block) emit(nest::stmt(nest::Barrier{nest::Scope::Block}));
}

void BodyLowerer::emit_for_all(nest::Block block) { out_.insert(out_.end(), block.begin(), block.end()); }

nest::Block BodyLowerer::by_itself(const std::function<void()>& emit) {
  std::optional<Team> team = std::exchange(team_, std::nullopt);
  nest::Block block = this->block(emit);
  team_ = std::move(team);
  return block;
}

// A thread of a team that fails by itself says so to the others before, which end at the next barrier: what it should
// have written is not there.
nest::Block BodyLowerer::failing(int id, std::vector<Expr> args) {
  nest::Block block;
  if (!team_ && team_failed_.place) {
    block.push_back(nest::stmt(nest::AtomicUpdate{
        team_failed_.place->buffer, {i64(0)}, kernel_.names().fresh("old"), {}, nest::constant(prim::Value::i32(1))}));
  }
  block.push_back(nest::stmt(nest::Fail{id, std::move(args)}));
  return block;
}

void BodyLowerer::separately(const std::function<void()>& emit_work) {
  barrier();
  nest::Block work = by_itself(emit_work);
  bool may_fail = nest::may_fail(work);
  emit_for_all(std::move(work));
  barrier();
  if (may_fail) end_if_one_failed();
}

// Behind a barrier.
void BodyLowerer::end_if_one_failed() {
  // The failure that counts is the first.
  int id = kernel_.add_failure(Failure{{"Another thread of the block has failed."}, ""});
  Expr has_failed =
      nest::operation(Op(Family::Eq, Type::I32), {read(team_failed_, {i64(0)}), nest::constant(prim::Value::i32(1))});
  emit(nest::stmt(nest::If{has_failed, {nest::stmt(nest::Fail{id, {}})}, {}}));
}

void BodyLowerer::together(const std::vector<Expr>& dims, const std::function<void(const Indices&)>& emit_point) {
  const Team team = *team_;
  separately([&] {
    if (dims.empty()) return guarded(equal_to(team.thread, i64(0)), [&] { emit_point({}); });
    take_turns(*this, team.thread, team.size, bind(product(dims)), [&](const Expr& point) {
      Indices reversed;
      Expr rest = point;
      for (size_t d = dims.size(); d-- > 1;) {
        reversed.push_back(bind(nest::mod(rest, dims[d])));
        rest = bind(nest::div(rest, dims[d]));
      }
      reversed.push_back(rest);
      emit_point({reversed.rbegin(), reversed.rend()});
    });
  });
}

// ---- In-block operations. ----

class BodyLowerer::TeamOps {
 public:
  TeamOps(BodyLowerer& body, const seg::Pat& pat, const seg::SegOp& op)
      : b_(body), pat_(pat), op_(op), team_(*body.team_) {
    for (const seg::SegDim& d : op.space.dims) sizes_.push_back(b_.scalar(d.size));
    segments_.assign(sizes_.begin(), sizes_.end() - 1);
    for (const seg::SegBinOp& o : op.ops) {
      if (!o.shape.empty()) refuse("an operator on arrays within a block");
      commutative_ = commutative_ && o.commutative;
      for (const seg::Type& t : o.lambda.ret) {
        if (!t.is_scalar() || t.elem == Type::Unit) refuse("an operator on arrays within a block");
        folded_.push_back(t);
      }
    }
  }

  std::vector<KernelValue> run() {
    switch (op_.kind) {
      case seg::SegKind::Map:
      case seg::SegKind::Scan:
        return points();
      case seg::SegKind::Red:
        return reduction();
      case seg::SegKind::Hist:
        return histogram();
    }
    return {};
  }

 private:
  static const seg::SubExp& returned(const seg::KernelResult& r) {
    if (const auto* returns = std::get_if<seg::Returns>(&r)) return returns->value;
    refuse("a segmented operation within a block that returns tiles");
  }

  // Of the result that has the name.
  ArrayValue array(const seg::Type& type, const std::vector<Expr>& outer, const Name& name) {
    std::vector<Expr> dims = outer;
    for (const Expr& d : b_.dims(type)) dims.push_back(d);
    return b_.fresh_array_for(name, type.elem, dims);
  }

  void begin(const Indices& index) {
    b_.define_point(op_.space, sizes_, index);
    b_.stms(op_.body->stms);
  }

  // ---- Segmaps; segscans, whose elements are stored and then scanned where they are. ----

  std::vector<KernelValue> points() {
    std::vector<KernelValue> results;
    std::vector<ArrayValue> to;
    for (size_t k = 0; k < op_.types.size(); ++k) {
      const auto* write = std::get_if<seg::WriteReturns>(&op_.body->results[k]);
      to.push_back(op_.types[k].is_acc() ? ArrayValue{}
                   : write               ? b_.writable(b_.array(write->array))
                                         : array(op_.types[k], sizes_, pat_[k].name));
    }
    b_.together(sizes_, [&](const Indices& index) {
      begin(index);
      for (size_t k = 0; k < to.size(); ++k) store(to[k], k, index);
    });
    if (op_.kind == seg::SegKind::Scan) scan({to.begin(), to.begin() + static_cast<long>(folded_.size())});
    for (size_t k = 0; k < to.size(); ++k) results.push_back(mapped_result(k, to[k]));
    return results;
  }

  // What points have stored, or the accumulator that they have updated.
  KernelValue mapped_result(size_t k, const ArrayValue& stored) {
    return op_.types[k].is_acc() ? b_.value(returned(op_.body->results[k])) : KernelValue(stored);
  }

  void store(const ArrayValue& to, size_t k, const Indices& index) {
    if (const auto* write = std::get_if<seg::WriteReturns>(&op_.body->results[k])) {
      for (const seg::Write& w : write->writes) b_.checked_store(to, w.slice, b_.value(w.value));
    } else if (!op_.types[k].is_acc()) {
      b_.store_value(to, index, b_.value(returned(op_.body->results[k])));
    }
  }

  // ---- Operators. ----

  std::vector<ArrayValue> variables() {
    std::vector<ArrayValue> acc;
    for (const seg::Type& t : folded_) acc.push_back(b_.variable(t, "acc"));
    b_.assign(acc, neutral());
    return acc;
  }
  std::vector<KernelValue> neutral() { return neutral_elements(b_, op_.ops); }
  std::vector<KernelValue> current(const std::vector<ArrayValue>& variables) { return lower::current(b_, variables); }
  std::vector<KernelValue> read(const std::vector<ArrayValue>& arrays, const Indices& index) {
    return lower::read(b_, arrays, index);
  }
  void store(const std::vector<ArrayValue>& arrays, const Indices& index, const std::vector<KernelValue>& values) {
    lower::store(b_, arrays, index, values);
  }
  std::vector<KernelValue> combined(const std::vector<KernelValue>& a, const std::vector<KernelValue>& b) {
    return lower::combined(b_, op_.ops, a, b);
  }
  void combine(const std::vector<ArrayValue>& into, const std::vector<KernelValue>& x) {
    b_.assign(into, combined(current(into), x));
  }

  // ---- Rows of threads, each of which has a segment to itself. ----

  // A row has a power of two of lanes: either it is a part of a warp, or its warps are its own.
  struct Rows {
    Expr levels, lanes, rows, row, lane;
    Expr warps, warp;                  // of the row; less than one where it is a part of one
    Expr lane_of_warp, first_warp;     // the former within the row, the latter of all warps of the team
    Expr with_others;                  // 1 where a row has several warps, else 0: loops over it are for all threads
    std::vector<ArrayValue> of_warps;  // of each warp of the team one value
  };

  Rows share_out() {
    Rows r;
    r.levels = b_.bind(log2_up(nest::max(i64(1), nest::min(sizes_.back(), team_.size))));
    r.lanes = b_.bind(power_of_two(r.levels));
    r.rows = b_.bind(shifted(team_.size, r.levels));
    r.row = b_.bind(shifted(team_.thread, r.levels));
    r.lane = b_.bind(nest::operation(Op(Family::And, Type::I64), {team_.thread, nest::sub(r.lanes, i64(1))}));
    r.warps = b_.bind(shifted(r.lanes, i64(kLevelsOfWarp)));
    r.warp = b_.bind(shifted(r.lane, i64(kLevelsOfWarp)));
    r.lane_of_warp = b_.bind(modulo_warp(r.lane));
    r.first_warp = b_.bind(nest::sub(shifted(team_.thread, i64(kLevelsOfWarp)), r.warp));
    r.with_others = b_.bind(nest::select(nest::less(i64(1), r.warps), i64(1), i64(0)));
    for (const seg::Type& t : folded_) {
      nest::Buffer b{b_.kernel_.names().fresh("of_warps"),
                     t.elem,
                     nest::Space::Shared,
                     {nest::max(i64(1), shifted(team_.size, i64(kLevelsOfWarp)))},
                     {i64(1)}};
      b_.emit(nest::stmt(nest::Alloc{b}));
      r.of_warps.push_back(whole_buffer(b, true));
    }
    return r;
  }

  // Has each warp put into memory what one of its lanes has, for all to see.
  void show_warps(const Rows& r, const std::vector<ArrayValue>& acc, int64_t lane) {
    b_.guarded(equal_to(modulo_warp(team_.thread), i64(lane)),
               [&] { store(r.of_warps, {b_.bind(shifted(team_.thread, i64(kLevelsOfWarp)))}, current(acc)); });
    b_.barrier();
  }

  // What the warps of a row fold to, from its first one on, whose place is given.
  std::vector<KernelValue> fold_warps(const Rows& r, const Expr& first) {
    std::vector<ArrayValue> total = variables();
    b_.assign(total, read(r.of_warps, {first}));
    b_.loop(b_.bind(nest::sub(r.warps, i64(1))), [&](const Expr& k) {
      combine(total, read(r.of_warps, {b_.bind(nest::add(nest::add(first, k), i64(1)))}));
    });
    return current(total);
  }

  // What the warps before this one in its row fold to. Each warp scans what all of them have, as otherwise it would have to wait for the one that does.
  std::vector<KernelValue> scan_warps(const Rows& r) {
    const Expr of_warp = b_.bind(nest::less(r.lane_of_warp, r.warps));
    std::vector<ArrayValue> folded = variables();
    b_.guarded(of_warp,
               [&] { b_.assign(folded, read(r.of_warps, {b_.bind(nest::add(r.first_warp, r.lane_of_warp))})); });
    // What the other lanes do not have they fold with nothing, as the first lane does: the operator may fail on what does not follow.
    lanes_.scan(folded, b_.bind(nest::select(of_warp, r.lane_of_warp, i64(0))), r.warps);
    return lanes_.in_lane(folded, b_.bind(modulo_warp(nest::sub(r.warp, i64(1)))));
  }

  // `emit` for the segments, of which each row has one at a time. It may have barriers; `inside` says whether there is a
  // segment.
  void for_segments(const Rows& r, const std::function<void(const Indices& segment, const Expr& inside)>& emit) {
    b_.barrier();
    all_do([&] {
      if (segments_.empty()) {
        emit({}, b_.bind(equal_to(r.row, i64(0))));
        return b_.barrier();
      }
      Expr total = b_.bind(product(segments_));
      b_.loop(b_.bind(nest::ceil_div(total, r.rows)), [&](const Expr& group) {
        Expr number = b_.bind(nest::add(nest::mul(group, r.rows), r.row));
        Expr inside = b_.bind(nest::less(number, total));
        Indices reversed;
        for (size_t d = segments_.size(); d-- > 0;) {
          reversed.push_back(d == 0 ? number : b_.bind(nest::mod(number, segments_[d])));
          if (d > 0) number = b_.bind(nest::div(number, segments_[d]));
        }
        emit({reversed.rbegin(), reversed.rend()}, inside);
        b_.barrier();
      });
    });
  }

  // Of work with barriers, which ends with one. Where an operator has failed, what it should have yielded is not there.
  void all_do(const std::function<void()>& emit) {
    nest::Block work = b_.by_itself(emit);
    const bool may_fail = nest::may_fail(work);
    b_.emit_for_all(std::move(work));
    if (may_fail) b_.end_if_one_failed();
  }

  // How many elements of a segment a thread of its row has, where they are neighbours.
  Expr elements_each(const Rows& r) {
    return b_.bind(shifted(nest::add(nest::max(i64(0), sizes_.back()), nest::sub(r.lanes, i64(1))), r.levels));
  }

  static Indices with(Indices segment, const Expr& j) {
    segment.push_back(j);
    return segment;
  }

  std::vector<KernelValue> reduction() {
    std::vector<ArrayValue> mapped;
    for (size_t k = folded_.size(); k < op_.types.size(); ++k)
      mapped.push_back(op_.types[k].is_acc() ? ArrayValue{} : array(op_.types[k], sizes_, pat_[k].name));
    auto point = [&](const Indices& index) {
      begin(index);
      for (size_t k = 0; k < mapped.size(); ++k) store(mapped[k], folded_.size() + k, index);
      std::vector<KernelValue> values;
      for (size_t k = 0; k < folded_.size(); ++k) values.push_back(b_.value(returned(op_.body->results[k])));
      return values;
    };
    auto reduce = [&](const Element& element) {
      return segments_.empty() ? reduce_all(element) : reduce_segments(element);
    };
    std::vector<KernelValue> results;
    if (!seg::has_checks(op_.body->stms)) {
      results = reduce(point);
    } else {
      // A point must not fail between the barriers of a reduction, so its value is stored before.
      std::vector<ArrayValue> elements;
      for (const seg::Type& t : folded_) elements.push_back(b_.fresh_array(t.elem, sizes_));
      b_.together(sizes_, [&](const Indices& index) { store(elements, index, point(index)); });
      results = reduce([&](const Indices& index) { return read(elements, index); });
    }
    for (size_t k = 0; k < mapped.size(); ++k) results.push_back(mapped_result(folded_.size() + k, mapped[k]));
    return results;
  }

  using Element = std::function<std::vector<KernelValue>(const Indices& index)>;

  // What a thread's elements of a segment fold to.
  std::vector<ArrayValue> fold_elements(const Rows& r, const Indices& segment, const Expr& inside,
                                        const Element& element) {
    const Expr& width = sizes_.back();
    std::vector<ArrayValue> acc = variables();
    b_.guarded(inside, [&] {
      if (commutative_) {
        take_turns(b_, r.lane, r.lanes, width, [&](const Expr& j) { combine(acc, element(with(segment, j))); });
        return;
      }
      Expr each = elements_each(r), first = b_.bind(nest::mul(r.lane, each));
      b_.loop(b_.bind(nest::min(each, nest::sub(width, first))),
              [&](const Expr& k) { combine(acc, element(with(segment, b_.bind(nest::add(first, k))))); });
    });
    return acc;
  }

  // Of each segment, as arrays.
  std::vector<KernelValue> reduce_segments(const Element& element) {
    std::vector<ArrayValue> sums;
    for (size_t k = 0; k < folded_.size(); ++k) sums.push_back(array(folded_[k], segments_, pat_[k].name));
    Rows r = share_out();
    for_segments(r, [&](const Indices& segment, const Expr& inside) {
      std::vector<ArrayValue> acc = fold_elements(r, segment, inside, element);
      lanes_.fold(acc, r.lane_of_warp, r.lanes);
      b_.loop(r.with_others, [&](const Expr&) {
        show_warps(r, acc, 0);
        b_.assign(acc, fold_warps(r, r.first_warp));
      });
      b_.guarded(nest::both(inside, equal_to(r.lane, i64(0))), [&] { store(sums, segment, current(acc)); });
    });
    return {sums.begin(), sums.end()};
  }

  // Of the only segment, which the first row of threads has; known to all of them.
  std::vector<KernelValue> reduce_all(const Element& element) {
    Rows r = share_out();
    std::vector<KernelValue> sums;
    b_.barrier();
    all_do([&] {
      std::vector<ArrayValue> acc = fold_elements(r, {}, b_.bind(equal_to(r.row, i64(0))), element);
      lanes_.fold(acc, r.lane_of_warp, r.lanes);
      show_warps(r, acc, 0);
      sums = fold_warps(r, i64(0));
      b_.barrier();
    });
    return sums;
  }

  // Each thread folds its elements, each warp scans the folds of its threads, and so what the row's warps have.
  void scan(const std::vector<ArrayValue>& elements) {
    Rows r = share_out();
    const Expr& width = sizes_.back();
    for_segments(r, [&](const Indices& segment, const Expr& inside) {
      Expr each = elements_each(r), first = b_.bind(nest::mul(r.lane, each));
      Expr count = b_.bind(nest::min(each, nest::sub(width, first)));
      std::vector<ArrayValue> acc = variables();
      b_.guarded(inside, [&] {
        b_.loop(count, [&](const Expr& k) { combine(acc, read(elements, with(segment, nest::add(first, k)))); });
      });
      lanes_.scan(acc, r.lane_of_warp, r.lanes);
      const std::vector<KernelValue> before =
          lanes_.in_lane(acc, b_.bind(modulo_warp(nest::sub(team_.thread, i64(1)))));
      std::vector<ArrayValue> running = variables();
      b_.loop(r.with_others, [&](const Expr&) {
        show_warps(r, acc, kLanesOfWarp - 1);
        const std::vector<KernelValue> warps_before = scan_warps(r);
        b_.guarded(nest::less(i64(0), r.warp), [&] { b_.assign(running, warps_before); });
      });
      b_.guarded(nest::less(i64(0), r.lane_of_warp), [&] { combine(running, before); });
      b_.guarded(inside, [&] {
        b_.loop(count, [&](const Expr& k) {
          Indices at = with(segment, b_.bind(nest::add(first, k)));
          combine(running, read(elements, at));
          store(elements, at, current(running));
        });
      });
    });
  }

  // ---- Histograms. ----

  std::vector<KernelValue> histogram() {
    std::vector<AccValue> bins;
    for (const seg::HistOp& h : op_.hists) {
      if (h.dests.size() != 1 || !h.op_shape.empty() || !h.op.ret[0].is_scalar())
        refuse("a histogram of tuples or arrays within a block");
      bins.push_back({{b_.writable(b_.array(h.dests[0]))}, h.shape.size(), h.op, false, true});
    }
    b_.together(sizes_, [&](const Indices& index) {
      begin(index);
      Indices segment(index.begin(), index.end() - 1);
      size_t next = 0, value = 0;
      for (const seg::HistOp& h : op_.hists) value += h.shape.size();
      for (size_t k = 0; k < bins.size(); ++k, ++value) {
        Indices at;
        for (size_t d = 0; d < op_.hists[k].shape.size(); ++d)
          at.push_back(b_.scalar(returned(op_.body->results[next++])));
        KernelValue x = b_.value(returned(op_.body->results[value]));
        b_.if_inside(row(bins[k].arrays[0], segment), at, [&] {
          Indices place = segment;
          place.insert(place.end(), at.begin(), at.end());
          b_.update_acc(bins[k], place, {x});
        });
      }
    });
    // In a copy, since what is read of memory with atomic updates is not known to be the same for all threads.
    std::vector<KernelValue> results;
    for (const AccValue& a : bins) results.emplace_back(b_.copied(a.arrays[0]));
    return results;
  }

  BodyLowerer& b_;
  const seg::Pat& pat_;
  const seg::SegOp& op_;
  Team team_;
  WarpLanes lanes_{b_, b_.kernel_.names(), op_.ops, team_.thread};
  std::vector<Expr> sizes_, segments_;  // of all dimensions, and of all but the last
  std::vector<seg::Type> folded_;
  bool commutative_ = true;
};

std::vector<KernelValue> BodyLowerer::by_team(const seg::Pat& pat, const seg::SegOp& e) {
  return TeamOps(*this, pat, e).run();
}

}  // namespace heddle::lower
