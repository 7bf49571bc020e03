#include "rewrites/contraction/result_writer.h"

#include <functional>
#include <utility>

#include "ir/nest/traverse.h"

namespace heddle::contraction {

using nest::add;
using nest::Block;
using nest::Buffer;
using nest::ceil_div;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Name;
using nest::Role;
using nest::sub;
using prim::Type;

void ResultWriter::write_result(const Buffer& acc) {
  Buffer tile = result_tile(acc);
  Block through_shared = block([&] { write_through(tile, acc); });
  Block directly = block([&] { write_directly(acc); });
  emit(nest::If{nest::less(zero(), index_of(t_.result_shared)), std::move(through_shared), std::move(directly)});
}

Buffer ResultWriter::result_tile(const Buffer& acc) {
  return alloc("result_tile", acc.elem, nest::Space::Shared, geometry_.result_tile);
}

void ResultWriter::write_through(const Buffer& tile, const Buffer& acc) {
  auto together = static_cast<long>(first_together(num_parallel_));
  std::vector<Expr> phases(points_.begin(), points_.begin() + together);
  std::vector<Expr> in_tile(points_.begin() + together, points_.end());
  Expr abreast = nest::select(runs_are_wide(run_.back(), acc.elem), quantum(acc.elem), one());
  in_tile.back() = ceil_div(in_tile.back(), abreast);
  loops("phase", phases, Role::Unrolled, [&](const std::vector<Expr>& phase) {
    emit(nest::Barrier{nest::Scope::Block});
    loops("point", in_tile, Role::Unrolled, [&](const std::vector<Expr>& point) {
      std::vector<Expr> from = phase, to = {slice_};
      from.insert(from.end(), point.begin(), point.end());
      from.back() = let("from", mul(from.back(), abreast));
      for (size_t p = 0; p < num_parallel_; ++p) {
        to.push_back(p < phase.size() ? at_thread_[p] : of_thread(p, from[p]));
      }
      to.back() = let("to", in_result_row(run_.back(), acc.elem, to.back()));
      loop("word", abreast, Role::Vector, [&](const Expr& word) {
        std::vector<Expr> from_word = from, to_word = to;
        from_word.back() = add(from.back(), word);
        to_word.back() = add(to.back(), word);
        emit(nest::Store{tile.name, to_word, nest::load(acc.name, acc.elem, from_word)});
      });
    });
    emit(nest::Barrier{nest::Scope::Block});
    Expr width = index_of(t_.store_width);
    std::vector<Expr> pieces = geometry_.result_box;
    pieces.back() = ceil_div(pieces.back(), width);
    Expr total = product(pieces);
    loop("piece", ceil_div(total, geometry_.threads), Role::Unrolled, [&](const Expr& round) {
      Expr piece = let("piece", add(mul(round, geometry_.threads), thread_));
      when(nest::less(piece, total), [&] {
        std::vector<Expr> at = digits(piece, pieces), in_block;
        at.back() = mul(at.back(), width);
        for (size_t p = 0; p < num_parallel_; ++p) {
          at[p] = let("at", at[p]);
          in_block.push_back(p < phase.size() ? place(p, at[p], phase[p]) : at[p]);
        }
        Buffer sums = load_sums(tile, zero(), at, width);
        loop("other", sub(index_of(t_.slices), one()), Role::Unrolled, [&](const Expr& other) {
          Buffer more = load_sums(tile, add(other, one()), at, width);
          loop("word", width, Role::Unrolled, [&](const Expr& word) {
            Expr sum = nest::load(sums.name, sums.elem, {word}), part = nest::load(more.name, more.elem, {word});
            emit(nest::Store{sums.name, {word}, nest::operation(c_.reduce, {sum, part})});
          });
        });
        write_elements(in_block, width, [&](const Expr& word) { return nest::load(sums.name, sums.elem, {word}); });
      });
    });
  });
}

Buffer ResultWriter::load_sums(const Buffer& tile, const Expr& slice, const std::vector<Expr>& at, const Expr& width) {
  Buffer sums = alloc("sums", tile.elem, nest::Space::Register, {width});
  Expr first = let("first", in_result_row(run_.back(), tile.elem, at.back()));
  loop("word", width, Role::Vector, [&](const Expr& word) {
    std::vector<Expr> from = at;
    from.insert(from.begin(), slice);
    from.back() = add(first, word);
    emit(nest::Store{sums.name, {word}, nest::load(tile.name, tile.elem, from)});
  });
  return sums;
}

void ResultWriter::write_directly(const Buffer& acc) {
  Expr width = index_of(t_.store_width);
  std::vector<Expr> pieces = points_;
  pieces.back() = ceil_div(pieces.back(), width);
  loops("piece", pieces, Role::Unrolled, [&](std::vector<Expr> point) {
    point.back() = mul(point.back(), width);
    std::vector<Expr> in_block;
    for (size_t p = 0; p < num_parallel_; ++p) in_block.push_back(of_thread(p, point[p]));
    write_elements(in_block, width, [&](const Expr& word) {
      std::vector<Expr> from = point;
      from.back() = add(from.back(), word);
      return nest::load(acc.name, acc.elem, from);
    });
  });
}

void ResultWriter::write_elements(const std::vector<Expr>& in_block, const Expr& width,
                                  const std::function<Expr(const Expr&)>& sum_of) {
  nest::Substitution names;
  Expr inside = constant(prim::Value::of_bool(true));
  for (size_t p = 0; p < num_parallel_; ++p) {
    Expr index = let("index", add(origin_[p], in_block[p]));
    inside = nest::both(inside, nest::less(index, c_.parallel[p].extent));
    names.emplace(c_.parallel[p].name, index);
  }
  when(inside, [&] {
    const Name& last = c_.parallel.back().name;
    Expr first = names.at(last);
    Buffer values = alloc("values", c_.result.value->type, nest::Space::Register, {width});
    loop("word", width, Role::Unrolled, [&](const Expr& word) {
      nest::Substitution of_word = names;
      of_word.insert_or_assign(last, add(first, word));
      for (auto& [name, index] : of_word) {
        if (nest::free_names(c_.result.value).contains(name)) index = as_value(index);
      }
      of_word.emplace(c_.sum, let("sum", sum_of(word)));
      emit(nest::Store{values.name, {word}, nest::substitute(of_word, c_.result.value)});
    });
    loop("word", width, Role::Vector, [&](const Expr& word) {
      names.insert_or_assign(last, add(first, word));
      std::vector<Expr> to;
      for (const Expr& e : c_.result.index) to.push_back(nest::substitute(names, e));
      emit(nest::Store{c_.result.buffer, to, nest::load(values.name, values.elem, {word})});
    });
  });
}

}  // namespace heddle::contraction
