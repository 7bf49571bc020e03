#include "rewrites/recipes/words_of_rows.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "rewrites/nest/wide_loads.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Op;
using prim::Type;

namespace {

// Of so many arrays a thread asks for two words before the first is combined. H200, us by single elements, and by words: a matrix of 32768^2 f32 times a
// vector 1069 and 948, of 200000x1000 225 and 189, of 1000000x100 184 and 142; sums of the rows of 200000x1000 206 and 188. The latter took 208
// where loops over words of one array were written out four times, since registers were short.
constexpr size_t kMostArraysOfTwoWords = 2;
// Of the elements of a word: rows that do not have as many for each word of a turn take single elements. 3 million rows of 20 took 88 us, and 120 by
// words.
constexpr int64_t kLeastOfWord = 3;
// What a thread may have where the elements of a turn, and what is made of a word of them, take so many registers. With 40 six blocks run at once, of which
// a matrix of 1000000x100 took 142 us, and with 64 four, 171.
struct RegistersOf {
  int64_t elements, all;
};
constexpr std::array<RegistersOf, 3> kRegisters = {{{8, 32}, {16, 40}, {INT64_MAX, 64}}};

Expr bits_of(const Expr& a, int64_t mask) { return nest::operation(Op(Family::And, Type::I64), {a, i64(mask)}); }

Expr either(const Expr& a, const Expr& b) { return a ? nest::operation(Op(Family::Or, Type::I64), {a, b}) : b; }

// One that a thread has asked for.
struct Word {
  Expr number;  // in its row; there may be none with this number, and then the elements are others
  std::vector<Name> places;
  std::vector<std::vector<KernelValue>> elements;
};

}  // namespace

WordsOfRows::WordsOfRows(const seg::SegOp& op, const Layouts& layouts, int64_t folded)
    : arrays_(read_along(op, layouts)), bytes_(bytes_read(op, arrays_)), folded_(folded) {}

int64_t WordsOfRows::at_a_time() const { return arrays_.size() <= kMostArraysOfTwoWords ? 2 : 1; }

int64_t WordsOfRows::registers() const {
  const int64_t elements = bytes_ * kElementsAtATime / 4 * at_a_time() + kElementsAtATime * (folded_ - 1);
  return std::ranges::find_if(kRegisters, [&](const RegistersOf& r) { return elements <= r.elements; })->all;
}

Expr WordsOfRows::turns(const Expr& threads, const Expr& width) const {
  return nest::ceil_div(nest::div(width, i64(kElementsAtATime)), nest::mul(threads, i64(at_a_time())));
}

std::vector<nest::Buffer> WordsOfRows::rows(const KernelBuilder& kernel) const {
  std::vector<nest::Buffer> rows;
  for (const Name& array : arrays_) {
    const nest::Buffer* buffer = kernel.buffer_of(array);
    if (buffer && nest::int_constant(buffer->strides.back()) == 1) rows.push_back(*buffer);
  }
  return rows;
}

Expr WordsOfRows::combine(Folds& f, const Thread& thread, const std::vector<ArrayValue>& acc,
                          const std::function<std::vector<KernelValue>(const Expr& place)>& point) const {
  if (!is_any()) return nullptr;
  BodyLowerer& body = f.body();
  const Expr words = body.bind(nest::div(f.width(), i64(kElementsAtATime)));
  auto word_of = [&](const Expr& number) {
    Word w{number, {}, {}};
    const Expr first = body.bind(nest::mul(nest::min(number, nest::sub(words, i64(1))), i64(kElementsAtATime)));
    for (int64_t k = 0; k < kElementsAtATime; ++k) {
      w.places.push_back(f.names().fresh("place"));
      w.elements.push_back(point(body.let(w.places.back(), nest::add(first, i64(k)))));
    }
    return w;
  };
  Expr multiples;
  body.loop(thread.turns, [&](const Expr& turn) {
    std::vector<Word> several;
    nest::Block taken = body.block([&] {
      for (int64_t k = 0; k < at_a_time(); ++k) {
        const Expr number = nest::add(nest::mul(turn, i64(at_a_time())), i64(k));
        several.push_back(word_of(body.bind(nest::add(nest::mul(number, thread.threads), thread.number))));
      }
    });
    const std::vector<nest::Buffer> readable = rows(f.kernel());
    for (const nest::Buffer& b : readable) {
      multiples = either(multiples, f.kernel().address_of(b.name));
      for (size_t d = 0; d + 1 < b.strides.size(); ++d) multiples = either(multiples, b.strides[d]);
    }
    for (const Word& w : several) taken = nest::wide_loads(taken, w.places, readable, f.names());
    body.emit_all(std::move(taken));
    for (const Word& w : several) {
      body.guarded(nest::less(w.number, words), [&] {
        for (const std::vector<KernelValue>& e : w.elements) f.combine(acc, e);
      });
    }
  });
  if (!multiples) return nullptr;
  const Expr left = body.bind(nest::add(nest::mul(words, i64(kElementsAtATime)), thread.number));
  body.guarded(nest::less(left, f.width()), [&] { f.combine(acc, point(left)); });
  const Expr enough = nest::mul(i64(kLeastOfWord * at_a_time()), thread.threads);
  return nest::both(equal_to(bits_of(multiples, kElementsAtATime - 1), i64(0)),
                    nest::operation(Op(Family::Sle, Type::I64), {enough, f.width()}));
}

}  // namespace heddle::lower
