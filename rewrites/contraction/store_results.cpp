#include "rewrites/contraction/store_results.h"

#include <functional>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/direct_nest.h"

namespace heddle::contraction {

using nest::add;
using nest::Buffer;
using nest::ceil_div;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Role;
using nest::sub;

namespace {

class ResultWriter {
 public:
  ResultWriter(const TileContext& x, const ThreadPlace& thread, const Buffer& acc)
      : w_(x.w), x_(x), thread_(thread), acc_(acc), points_(x.geometry.points), run_(x.schedule.parallel.back().run) {}

  void write() {
    Buffer tile;
    bool may_be_shared = nest::int_constant(x_.schedule.result_shared) != 0;
    if (may_be_shared) tile = result_tile();
    if (x_.is_unguarded()) {
      again_ = w_.alloc("again", prim::Type::Bool, nest::Space::Register, {});
      w_.emit(nest::Store{again_.name, {}, constant(prim::Value::of_bool(false))});
    }
    w_.choose(
        nest::less(zero(), x_.schedule.result_shared), [&] { write_through(tile); }, [&] { write_directly(); });
  }

 private:
  // Where element `x` of a row of results lies in shared memory.
  Expr in_row(const Expr& x) const { return in_result_row(run_, acc_.elem, x); }
  Buffer result_tile() const;
  // The threads' points along the last two parallel indices go through shared memory together, one box of them for each
  // point along the others.
  void write_through(const Buffer& tile) const;
  Buffer load_sums(const Buffer& tile, const Expr& slice, const std::vector<Expr>& at) const;
  void write_directly() const;
  // Calls `each` with the point where neighbouring results of a thread begin, and its place in the block's tile.
  using Piece = std::function<void(const std::vector<Expr>& point, const std::vector<Expr>& in_block)>;
  void pieces_through(const std::vector<Expr>& phase, Role role, const Piece& each) const;
  void pieces_of_thread(Role role, const Piece& each) const;
  // Where a sum of the thread's was no number, computes all its results again, one after the other: what is read of registers must be written out,
  // and this, which is hardly ever needed, need not.
  void write_again(const std::function<void(const Piece&)>& pieces) const;
  void write_guarded(const std::vector<Expr>& in_block) const;
  // Neighbouring results, the first of them at `in_block` of the block's tile; `sum_of` gives the sum for each.
  void write_elements(const std::vector<Expr>& in_block, const std::function<Expr(const Expr&)>& sum_of) const;

  StatementWriter& w_;
  const TileContext& x_;
  const ThreadPlace& thread_;
  const Buffer& acc_;
  const std::vector<Expr>& points_;
  const Expr& run_;  // along the last parallel index
  Buffer again_;     // whether a sum that the thread stores was no number
};

Buffer ResultWriter::result_tile() const {
  return w_.alloc("result_tile", acc_.elem, nest::Space::Shared, x_.geometry.result_tile);
}

void ResultWriter::write_through(const Buffer& tile) const {
  auto together = static_cast<long>(first_together(x_.num_parallel()));
  std::vector<Expr> phases(points_.begin(), points_.begin() + together);
  std::vector<Expr> in_tile(points_.begin() + together, points_.end());
  Expr abreast = nest::select(runs_are_wide(run_, acc_.elem), quantum(acc_.elem), one());
  in_tile.back() = ceil_div(in_tile.back(), abreast);
  w_.loops("phase", phases, Role::Unrolled, [&](const std::vector<Expr>& phase) {
    w_.emit(nest::Barrier{nest::Scope::Block});
    w_.loops("point", in_tile, Role::Unrolled, [&](const std::vector<Expr>& point) {
      std::vector<Expr> from = phase, to = {thread_.slice};
      from.insert(from.end(), point.begin(), point.end());
      from.back() = w_.let("from", mul(from.back(), abreast));
      for (size_t p = 0; p < x_.num_parallel(); ++p) {
        to.push_back(p < phase.size() ? thread_.at[p] : x_.threads.place(p, thread_.at[p], from[p]));
      }
      to.back() = w_.let("to", in_row(to.back()));
      w_.loop("word", abreast, Role::Vector, [&](const Expr& word) {
        std::vector<Expr> from_word = from, to_word = to;
        from_word.back() = add(from.back(), word);
        to_word.back() = add(to.back(), word);
        w_.emit(nest::Store{tile.name, to_word, nest::load(acc_.name, acc_.elem, from_word)});
      });
    });
    w_.emit(nest::Barrier{nest::Scope::Block});
    pieces_through(phase, Role::Unrolled, [&](const std::vector<Expr>& at, const std::vector<Expr>& in_block) {
      Buffer sums = load_sums(tile, zero(), at);
      w_.loop("other", sub(x_.schedule.slices, one()), Role::Unrolled, [&](const Expr& other) {
        Buffer more = load_sums(tile, add(other, one()), at);
        w_.loop("word", x_.schedule.store_width, Role::Unrolled, [&](const Expr& word) {
          Expr sum = nest::load(sums.name, sums.elem, {word}), part = nest::load(more.name, more.elem, {word});
          w_.emit(nest::Store{sums.name, {word}, nest::operation(x_.c.reduce, {sum, part})});
        });
      });
      write_elements(in_block, [&](const Expr& word) { return nest::load(sums.name, sums.elem, {word}); });
    });
  });
  write_again([&](const Piece& each) {
    w_.loops("phase", phases, Role::Serial,
             [&](const std::vector<Expr>& phase) { pieces_through(phase, Role::Serial, each); });
  });
}

void ResultWriter::pieces_through(const std::vector<Expr>& phase, Role role, const Piece& each) const {
  Expr width = x_.schedule.store_width;
  std::vector<Expr> pieces = x_.geometry.result_box;
  pieces.back() = ceil_div(pieces.back(), width);
  Expr total = product(pieces);
  const Expr& num_threads = x_.geometry.threads;
  w_.loop("piece", ceil_div(total, num_threads), role, [&](const Expr& round) {
    Expr piece = w_.let("piece", add(mul(round, num_threads), thread_.number));
    w_.when(nest::less(piece, total), [&] {
      std::vector<Expr> at = digits(piece, pieces), in_block;
      at.back() = mul(at.back(), width);
      for (size_t p = 0; p < x_.num_parallel(); ++p) {
        at[p] = w_.let("at", at[p]);
        in_block.push_back(p < phase.size() ? x_.threads.place(p, at[p], phase[p]) : at[p]);
      }
      each(at, in_block);
    });
  });
}

Buffer ResultWriter::load_sums(const Buffer& tile, const Expr& slice, const std::vector<Expr>& at) const {
  const Expr& width = x_.schedule.store_width;
  Buffer sums = w_.alloc("sums", tile.elem, nest::Space::Register, {width});
  Expr first = w_.let("first", in_row(at.back()));
  w_.loop("word", width, Role::Vector, [&](const Expr& word) {
    std::vector<Expr> from = at;
    from.insert(from.begin(), slice);
    from.back() = add(first, word);
    w_.emit(nest::Store{sums.name, {word}, nest::load(tile.name, tile.elem, from)});
  });
  return sums;
}

void ResultWriter::write_directly() const {
  pieces_of_thread(Role::Unrolled, [&](const std::vector<Expr>& point, const std::vector<Expr>& in_block) {
    write_elements(in_block, [&](const Expr& word) {
      std::vector<Expr> from = point;
      from.back() = add(from.back(), word);
      return nest::load(acc_.name, acc_.elem, from);
    });
  });
  write_again([&](const Piece& each) { pieces_of_thread(Role::Serial, each); });
}

void ResultWriter::pieces_of_thread(Role role, const Piece& each) const {
  Expr width = x_.schedule.store_width;
  std::vector<Expr> pieces = points_;
  pieces.back() = ceil_div(pieces.back(), width);
  w_.loops("piece", pieces, role, [&](std::vector<Expr> point) {
    point.back() = mul(point.back(), width);
    std::vector<Expr> in_block;
    for (size_t p = 0; p < x_.num_parallel(); ++p) in_block.push_back(x_.threads.place(p, thread_.at[p], point[p]));
    each(point, in_block);
  });
}

void ResultWriter::write_again(const std::function<void(const Piece&)>& pieces) const {
  if (!x_.is_unguarded()) return;
  w_.when(nest::load(again_.name, again_.elem, {}), [&] {
    pieces([&](const std::vector<Expr>&, const std::vector<Expr>& in_block) {
      w_.loop("word", x_.schedule.store_width, Role::Serial, [&](const Expr& word) {
        std::vector<Expr> here = in_block;
        here.back() = add(here.back(), word);
        write_guarded(here);
      });
    });
  });
}

void ResultWriter::write_guarded(const std::vector<Expr>& in_block) const {
  nest::NameSet computed_with = nest::free_names(x_.c.term);
  computed_with.merge(nest::free_names(x_.c.result.value));
  nest::Substitution places, values;  // for indices: where elements are read, and what is computed with
  auto add_index = [&](const Name& name, const Expr& at, nest::Substitution& in_places, nest::Substitution& in_values) {
    in_places.emplace(name, at);
    if (computed_with.contains(name)) in_values.emplace(name, w_.as_value(at));
  };
  Expr inside = constant(prim::Value::of_bool(true));
  for (size_t p = 0; p < x_.num_parallel(); ++p) {
    Expr index = w_.let("index", add(thread_.origin[p], in_block[p]));
    inside = nest::both(inside, nest::less(index, x_.c.parallel[p].extent));
    add_index(x_.c.parallel[p].name, index, places, values);
  }
  w_.when(inside, [&] {
    Buffer acc = w_.alloc("acc", acc_.elem, nest::Space::Register, {});
    const Expr sum = nest::load(acc.name, acc.elem, {});
    w_.emit(nest::Store{acc.name, {}, constant(x_.c.neutral)});
    nest::NameSet later;  // known within the loops
    for (const recognize::Index& r : x_.c.reduction) later.insert(r.name);
    for (const recognize::Operand& o : x_.c.operands) later.insert(o.value);
    nest::for_each_expr(x_.c.term, [&](const Expr& e) {
      const auto* v = std::get_if<nest::Var>(&e->node);
      if (v && e->type == prim::Type::I64 && !later.contains(v->name) && !values.contains(v->name))
        values.emplace(v->name, w_.as_value(e));
    });
    std::vector<Expr> extents;
    for (const recognize::Index& r : x_.c.reduction) extents.push_back(r.extent);
    w_.loops("again", extents, Role::Serial, [&](const std::vector<Expr>& at) {
      nest::Substitution in_place = places, in_term = values;
      for (size_t r = 0; r < at.size(); ++r) add_index(x_.c.reduction[r].name, at[r], in_place, in_term);
      for (const recognize::Operand& o : x_.c.operands)
        in_term.emplace(o.value, nest::substitute(in_place, element(o, x_.buffer(o.buffer))));
      w_.emit(nest::Store{acc.name, {}, nest::operation(x_.c.reduce, {sum, nest::substitute(in_term, x_.c.term)})});
    });
    values.emplace(x_.c.sum, w_.let("sum", sum));
    nest::Store result{x_.c.result.buffer, {}, nest::substitute(values, x_.c.result.value)};
    for (const Expr& e : x_.c.result.index) result.index.push_back(nest::substitute(places, e));
    w_.emit(std::move(result));
  });
}

void ResultWriter::write_elements(const std::vector<Expr>& in_block,
                                  const std::function<Expr(const Expr&)>& sum_of) const {
  const Expr& width = x_.schedule.store_width;
  nest::Substitution names;
  Expr inside = constant(prim::Value::of_bool(true));
  for (size_t p = 0; p < x_.num_parallel(); ++p) {
    Expr index = w_.let("index", add(thread_.origin[p], in_block[p]));
    inside = nest::both(inside, nest::less(index, x_.c.parallel[p].extent));
    names.emplace(x_.c.parallel[p].name, index);
  }
  w_.when(inside, [&] {
    const Name& last = x_.c.parallel.back().name;
    Expr first = names.at(last);
    Buffer values = w_.alloc("values", x_.c.result.value->type, nest::Space::Register, {width});
    w_.loop("word", width, Role::Unrolled, [&](const Expr& word) {
      nest::Substitution of_word = names;
      of_word.insert_or_assign(last, add(first, word));
      for (auto& [name, index] : of_word) {
        if (nest::free_names(x_.c.result.value).contains(name)) index = w_.as_value(index);
      }
      const Expr sum = w_.let("sum", sum_of(word));
      if (x_.is_unguarded()) {
        const Expr is_number = nest::operation(prim::Op(prim::Family::Eq, sum->type), {sum, sum});
        w_.when(nest::negate(is_number), [&] {
          w_.emit(nest::Store{again_.name, {}, constant(prim::Value::of_bool(true))});
        });
      }
      of_word.emplace(x_.c.sum, sum);
      w_.emit(nest::Store{values.name, {word}, nest::substitute(of_word, x_.c.result.value)});
    });
    w_.loop("word", width, Role::Vector, [&](const Expr& word) {
      names.insert_or_assign(last, add(first, word));
      std::vector<Expr> to;
      for (const Expr& e : x_.c.result.index) to.push_back(nest::substitute(names, e));
      w_.emit(nest::Store{x_.c.result.buffer, to, nest::load(values.name, values.elem, {word})});
    });
  });
}

}  // namespace

void store_results(const TileContext& x, const ThreadPlace& thread, const Buffer& acc) {
  ResultWriter(x, thread, acc).write();
}

}  // namespace heddle::contraction
