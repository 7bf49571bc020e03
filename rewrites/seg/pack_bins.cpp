#include "rewrites/seg/pack_bins.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/fold_parts.h"
#include "rewrites/seg/split_histogram.h"

namespace heddle::seg {

namespace {

using prim::Family;

int64_t bits_of(const HistOp& h) {
  int64_t bits = 0;
  for (const Type& t : h.op.ret) bits += 8 * prim::size_bytes(t.elem);
  return bits;
}

bool is_plain(const HistOp& h) { return h.op_shape.empty() && std::ranges::all_of(h.op.ret, is_stored_scalar); }

// Truth values that change at most once are stored, and need no exchange. Least and largest values are updated by the memory as words.
bool is_packed(const HistOp& h) {
  if (!is_plain(h)) return false;
  if (h.dests.size() > 1) return is_exchanged(h);
  return bits_of(h) < 32 && !(h.op.ret[0].elem == prim::Type::Bool && updates_cheaply(h));
}

prim::Type word_of(const HistOp& h) { return bits_of(h) <= 32 ? prim::Type::I32 : prim::Type::I64; }

prim::Type integer_of(prim::Type t) {
  switch (t) {
    case prim::Type::F16:
      return prim::Type::I16;
    case prim::Type::F32:
      return prim::Type::I32;
    case prim::Type::F64:
      return prim::Type::I64;
    default:
      return t;
  }
}

SubExp prim_op(Builder& b, const prim::Op& op, std::vector<SubExp> args) {
  return b.let("bits", Type::scalar(prim::result_type(op)), PrimOp{op, std::move(args)});
}

SubExp function(Builder& b, const std::string& name, prim::Type of, SubExp x, prim::Type result) {
  const Type type = Type::scalar(result);
  return b.let(
      "bits", type,
      Apply{false, name + std::to_string(8 * prim::size_bytes(of)), {{false, std::move(x)}}, {{type, {}, {}}}});
}

SubExp constant(prim::Type t, int64_t value) { return prim::Value::of_int(t, value); }

SubExp to_word(Builder& b, SubExp x, prim::Type t, prim::Type word, Family extension) {
  if (t == prim::Type::Bool) return prim_op(b, prim::Op(Family::BToI, t, word), {std::move(x)});
  const prim::Type bits = integer_of(t);
  if (prim::is_float(t)) x = function(b, "to_bits", t, std::move(x), bits);
  return bits == word ? x : prim_op(b, prim::Op(extension, bits, word), {std::move(x)});
}

SubExp from_word(Builder& b, SubExp x, prim::Type word, prim::Type t) {
  if (t == prim::Type::Bool) {
    SubExp bit = prim_op(b, prim::Op(Family::And, word), {std::move(x), constant(word, 1)});
    return prim_op(b, prim::Op(Family::IToB, word, t), {std::move(bit)});
  }
  const prim::Type bits = integer_of(t);
  if (bits != word) x = prim_op(b, prim::Op(Family::SExt, word, bits), {std::move(x)});
  return prim::is_float(t) ? function(b, "from_bits", t, std::move(x), t) : x;
}

// What the operator does with integers of one word, if it is what it does with them in their low bits: those of a sum do not depend on what is above,
// and extended numbers are in the same order.
std::optional<Family> of_words(const HistOp& h) {
  if (h.op.ret.size() != 1 || !prim::is_int(h.op.ret[0].elem) || h.op.body->stms.size() != 1) return std::nullopt;
  const Stm& s = *h.op.body->stms[0];
  const auto* sum = std::get_if<PrimOp>(&s.exp);
  if (!sum || h.op.body->result[0].value != SubExp(s.pat[0].name)) return std::nullopt;
  const SubExp x = h.op.params[0].name, y = h.op.params[1].name;
  if (sum->args != std::vector{x, y} && sum->args != std::vector{y, x}) return std::nullopt;
  switch (sum->op.family) {
    case Family::Add:
    case Family::AddNw:
      return Family::Add;
    case Family::And:
    case Family::Or:
    case Family::Xor:
    case Family::SMin:
    case Family::SMax:
    case Family::UMin:
    case Family::UMax:
      return sum->op.family;
    default:
      return std::nullopt;
  }
}

Family extension_for(const HistOp& h) {
  const auto family = of_words(h);
  return family == Family::SMin || family == Family::SMax ? Family::SExt : Family::ZExt;
}

SubExp packed(Builder& b, const HistOp& h, const Operands& values) {
  const prim::Type word = word_of(h);
  SubExp all;
  int64_t at = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    const prim::Type t = h.op.ret[k].elem;
    SubExp part = to_word(b, values[k], t, word, extension_for(h));
    if (at > 0) part = prim_op(b, prim::Op(Family::Shl, word), {part, constant(word, at)});
    all = k == 0 ? part : prim_op(b, prim::Op(Family::Or, word), {all, part});
    at += 8 * prim::size_bytes(t);
  }
  return all;
}

Operands unpacked(Builder& b, const HistOp& h, const SubExp& all) {
  const prim::Type word = word_of(h);
  Operands values;
  int64_t at = 0;
  for (const Type& t : h.op.ret) {
    SubExp part = at == 0 ? all : prim_op(b, prim::Op(Family::LShr, word), {all, constant(word, at)});
    values.push_back(from_word(b, std::move(part), word, t.elem));
    at += 8 * prim::size_bytes(t.elem);
  }
  return values;
}

class Packing {
 public:
  Packing(const Stm& s, const SegOp& op, NameSource& names) : s_(s), op_(op), parts_(names), host_(names) {}

  Stms run() {
    SegOp hist = op_;
    hist.hists.clear();
    hist.types.clear();
    size_t value = 0;
    for (const HistOp& h : op_.hists) value += h.shape.size();
    for (size_t k = 0; k < value; ++k) hist.types.push_back(op_.types[k]);
    Builder point(parts_.names());
    point.add_all(op_.body->stms);
    auto body = std::make_shared<KernelBody>();
    body->results.assign(op_.body->results.begin(), op_.body->results.begin() + static_cast<long>(value));
    Pat pat;
    size_t result = 0;
    for (const HistOp& h : op_.hists) {
      if (is_packed(h)) {
        Operands values;
        for (size_t k = 0; k < h.dests.size(); ++k)
          values.push_back(std::get<Returns>(op_.body->results[value + k]).value);
        const Type word = Type::scalar(word_of(h));
        body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, packed(point, h, values)});
        hist.types.push_back(word);
        hist.hists.push_back(of_words(h));
        pat.push_back({parts_.names().fresh("packed"), array_of(word, bins_of(h))});
      } else {
        for (size_t k = 0; k < h.dests.size(); ++k) {
          body->results.push_back(op_.body->results[value + k]);
          hist.types.push_back(op_.types[value + k]);
          pat.push_back(s_.pat[result + k]);
        }
        hist.hists.push_back(h);
      }
      value += h.dests.size();
      result += h.dests.size();
    }
    body->stms = point.take();
    hist.body = std::move(body);
    Pat of_words = pat;
    host_.add(Stm{std::move(pat), s_.attrs, s_.certs, std::move(hist), s_.position});
    unpack(of_words);
    return host_.take();
  }

 private:
  Shape bins_of(const HistOp& h) const {
    Shape sizes;
    for (size_t d = 0; d + 1 < op_.space.dims.size(); ++d) sizes.push_back(op_.space.dims[d].size);
    sizes.insert(sizes.end(), h.shape.begin(), h.shape.end());
    return sizes;
  }

  HistOp of_words(const HistOp& h) {
    const Type word = Type::scalar(word_of(h));
    std::vector<Name> dest = parts_.segmap(
        host_, bins_of(h), std::nullopt, {word}, "words", [&](Builder& b, const Operands& bin, const SubExp&) {
          Operands values;
          for (size_t k = 0; k < h.dests.size(); ++k)
            values.emplace_back(b.let("part", h.op.ret[k], Index{h.dests[k], row_slice(bin, h.op.ret[k])}));
          return Operands{packed(b, h, values)};
        });
    SubExp neutral = packed(host_, h, h.neutral);
    Builder code(parts_.names());
    Param old{{}, parts_.names().fresh("old"), word}, added{{}, parts_.names().fresh("new"), word};
    SubExp value;
    if (const auto family = seg::of_words(h)) {
      value = prim_op(code, prim::Op(*family, word.elem), {old.name, added.name});
    } else {
      Operands x = unpacked(code, h, old.name), y = unpacked(code, h, added.name);
      Ops ops;
      ops.ops.push_back({true, h.op, h.neutral});
      value = packed(code, h, parts_.apply(code, ops, x, y));
    }
    return {h.shape, h.race_factor, dest, {neutral}, {}, make_lambda({old, added}, {word}, std::move(code), {value})};
  }

  void unpack(const Pat& of_words) {
    size_t result = 0, place = 0;
    for (const HistOp& h : op_.hists) {
      if (!is_packed(h)) {
        result += h.dests.size();
        place += h.dests.size();
        continue;
      }
      const Name& words = of_words[place++].name;
      std::vector<Name> arrays = parts_.segmap(
          host_, bins_of(h), std::nullopt, h.op.ret, "unpacked", [&](Builder& b, const Operands& bin, const SubExp&) {
            const Type word = Type::scalar(word_of(h));
            return unpacked(b, h, b.let("word", word, Index{words, row_slice(bin, word)}));
          });
      for (const Name& array : arrays) host_.add(Stm{{s_.pat[result++]}, {}, {}, Atom{array}, s_.position});
    }
  }

  const Stm& s_;
  const SegOp& op_;
  FoldParts parts_;
  Builder host_;
};

}  // namespace

bool is_exchanged(const HistOp& h) { return is_plain(h) && bits_of(h) <= 64; }

std::optional<Stms> pack_bins(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread) return std::nullopt;
  if (std::ranges::none_of(op->hists, is_packed)) return std::nullopt;
  if (std::ranges::any_of(op->hists, [](const HistOp& h) { return h.dests.size() > 1 && !is_packed(h); }))
    return std::nullopt;
  return Packing(s, *op, names).run();
}

Result<Program> pack_bins(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    std::optional<Stms> packed = pack_bins(s, names);
    return packed ? *packed : just(s);
  });
}

}  // namespace heddle::seg
