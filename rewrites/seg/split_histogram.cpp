#include "rewrites/seg/split_histogram.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/choose_elements.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/fold_parts.h"

namespace heddle::seg {

namespace {

// Elements that are worth a histogram more, and so many for each of its bins; as many histograms as fill a large device.
constexpr int64_t kElementsOfChunk = 1024;
constexpr int64_t kBinsOfElement = 1;
constexpr int64_t kMostChunks = 1056;

bool is_extremum(const HistOp& h) {
  const Body& body = *h.op.body;
  const auto* op = body.stms.size() == 1 ? std::get_if<PrimOp>(&body.stms[0]->exp) : nullptr;
  if (!op) return false;
  switch (op->op.family) {
    case prim::Family::SMin:
    case prim::Family::SMax:
    case prim::Family::UMin:
    case prim::Family::UMax:
    case prim::Family::FMin:
    case prim::Family::FMax:
      return true;
    default:
      return false;
  }
}

class Split {
 public:
  Split(const Stm& s, NameSource& names)
      : s_(s), op_(std::get<SegOp>(s.exp)), parts_(names), host_(names), segments_(parts_.segments_of(host_, op_)) {}

  Stms run() {
    choose_chunks();
    std::vector<Name> partial = histograms();
    size_t next = 0;
    for (const HistOp& h : op_.hists) {
      combine(h,
              {partial.begin() + static_cast<long>(next), partial.begin() + static_cast<long>(next + h.dests.size())},
              {s_.pat.begin() + static_cast<long>(next), s_.pat.begin() + static_cast<long>(next + h.dests.size())});
      next += h.dests.size();
    }
    return host_.take();
  }

 private:
  NameSource& names() { return parts_.names(); }

  static Shape bins_of(const HistOp& h) {
    Shape bins = h.shape;
    bins.insert(bins.end(), h.op_shape.begin(), h.op_shape.end());
    return bins;
  }

  // Where all blocks update bins in memory, threads wait for memory longer than for each other once those exceed the cache.
  SubExp with_room(const SubExp& bytes, const SubExp& filling) {
    const Type truth = Type::scalar(prim::Type::Bool), number = Type::scalar(prim::Type::I64);
    SubExp in_blocks =
        host_.let("in_blocks", truth, PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {bytes, i64(kRoomForBins)}});
    SubExp one =
        host_.let("one", number, PrimOp{prim::Op(prim::Family::BToI, prim::Type::Bool, prim::Type::I64), {in_blocks}});
    SubExp cached = host_.div_up(i64(kRoomInCache), host_.mul(bytes, segments_.number));
    return host_.max(cached, host_.mul(one, filling));
  }

  static int64_t bytes_of_bin(const HistOp& h) {
    int64_t bytes = 0;
    for (const Type& t : h.op.ret) bytes += prim::size_bytes(t.elem);
    return bytes;
  }

  void choose_chunks() {
    SubExp bins = i64(1), bytes = i64(0);
    for (const HistOp& h : op_.hists) {
      SubExp all = i64(1);
      for (const SubExp& size : bins_of(h)) all = host_.mul(all, size);
      bins = host_.max(bins, all);
      bytes = host_.add64(bytes, host_.mul(all, i64(bytes_of_bin(h))));
    }
    SubExp useful = host_.div_up(segments_.width, i64(kElementsOfChunk));
    SubExp worth = host_.div_up(host_.mul(segments_.width, i64(kBinsOfElement)), bins);
    SubExp filling = host_.div_up(i64(kMostChunks), segments_.number);
    chunks_ = host_.max(i64(1), host_.min(host_.min(useful, worth), host_.min(filling, with_room(bytes, filling))));
    length_ = host_.div_up(segments_.width, chunks_);
  }

  // A dimension for each of these sizes, and their indices.
  Operands add_dims(SegSpace& space, const Shape& sizes, const std::string& base) {
    Operands indices;
    for (const SubExp& size : sizes) {
      space.dims.push_back({names().fresh(base), size});
      indices.emplace_back(space.dims.back().index);
    }
    return indices;
  }

  // [segments][chunks][bins] of each component of each histogram.
  std::vector<Name> histograms() {
    SegOp op = op_;
    Shape outer = segments_.sizes;
    outer.push_back(chunks_);
    op.space = {names().fresh("flat"), {}};
    Operands segment = add_dims(op.space, segments_.sizes, "segment");
    SubExp chunk = add_dims(op.space, {chunks_}, "chunk")[0];
    SubExp element = add_dims(op.space, {length_}, "element")[0];

    Builder point(names());
    SubExp j = point.add64(point.mul(chunk, length_), element);
    SubExp inside = point.let("inside", Type::scalar(prim::Type::Bool),
                              PrimOp{prim::Op(prim::Family::Slt, prim::Type::I64), {j, segments_.width}});
    auto body = std::make_shared<KernelBody>();
    Pat values;
    for (const Type& t : op.types) {
      values.push_back({names().fresh("value"), t});
      body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, values.back().name});
    }
    point.add(Stm{std::move(values), {}, {}, if_inside(inside, segment, j), s_.position});
    body->stms = point.take();
    op.body = std::move(body);

    Stm made{{}, s_.attrs, s_.certs, {}, s_.position};
    std::vector<Name> results;
    for (HistOp& h : op.hists) {
      Shape all = outer;
      Shape bins = bins_of(h);
      all.insert(all.end(), bins.begin(), bins.end());
      for (size_t k = 0; k < h.dests.size(); ++k) {
        Type type = array_of(h.op.ret[k], all);
        h.dests[k] = host_.let("empty", type, Replicate{all, h.neutral[k]});
        results.push_back(names().fresh("part"));
        made.pat.push_back({results.back(), type});
      }
    }
    made.exp = std::move(op);
    host_.add(std::move(made));
    return results;
  }

  // What the operation's point returns, or behind the last element what changes nothing.
  Match if_inside(const SubExp& inside, const Operands& segment, const SubExp& j) {
    auto body_of = [](Builder& b, const Operands& results) {
      auto body = std::make_shared<Body>();
      body->stms = b.take();
      for (const SubExp& r : results) body->result.push_back({{}, r});
      return body;
    };
    Builder there(names()), behind(names());
    Operands elements = parts_.elements_of(op_, 0, op_.types.size())(there, segment, j);
    Operands nothing;
    for (const HistOp& h : op_.hists) nothing.insert(nothing.end(), h.shape.size(), i64(-1));
    for (const HistOp& h : op_.hists) {
      for (size_t k = 0; k < h.neutral.size(); ++k) {
        bool is_scalar = h.op_shape.empty();
        nothing.push_back(is_scalar ? h.neutral[k]
                                    : SubExp(behind.let("neutral", array_of(h.op.ret[k], h.op_shape),
                                                        Replicate{h.op_shape, h.neutral[k]})));
      }
    }
    return {MatchSort::Normal,
            {inside},
            {Case{{prim::Value::of_bool(true)}, body_of(there, elements)}},
            body_of(behind, nothing),
            op_.types};
  }

  void combine(const HistOp& h, const std::vector<Name>& partial, const Pat& pat) {
    Shape points = segments_.sizes, bins = bins_of(h);
    points.insert(points.end(), bins.begin(), bins.end());
    Substitution fresh;
    SegOp fold;
    fold.kind = SegKind::Red;
    fold.ops = {SegBinOp{true, rename(names(), fresh, h.op), h.neutral, {}}};
    fold.types = h.op.ret;
    fold.space.flat = names().fresh("flat");
    Operands at = add_dims(fold.space, points, "bin");
    Operands place = at;
    place.insert(place.begin() + static_cast<long>(segments_.sizes.size()),
                 add_dims(fold.space, {chunks_}, "chunk")[0]);
    auto body = std::make_shared<KernelBody>();
    Builder point(names());
    Stm reduced{{}, {}, {}, {}, s_.position};
    std::vector<Name> sums;
    for (size_t k = 0; k < partial.size(); ++k) {
      Name x = point.let("part", h.op.ret[k], Index{partial[k], row_slice(place, h.op.ret[k])});
      body->results.emplace_back(Returns{ReturnsKind::MaySimplify, {}, x});
      sums.push_back(names().fresh("sum"));
      reduced.pat.push_back({sums.back(), array_of(h.op.ret[k], points)});
    }
    body->stms = point.take();
    fold.body = std::move(body);
    reduced.exp = std::move(fold);
    host_.add(std::move(reduced));

    Ops ops = parts_.plain_ops(host_, {SegBinOp{true, h.op, h.neutral, {}}});
    std::vector<Name> all = parts_.segmap(
        host_, points, std::nullopt, h.op.ret, "hist", [&](Builder& b, const Operands& index, const SubExp&) {
          Operands old, sum;
          for (size_t k = 0; k < sums.size(); ++k) {
            old.emplace_back(b.let("old", h.op.ret[k], Index{h.dests[k], row_slice(index, h.op.ret[k])}));
            sum.emplace_back(b.let("sum", h.op.ret[k], Index{sums[k], row_slice(index, h.op.ret[k])}));
          }
          return parts_.apply(b, ops, old, sum);
        });
    for (size_t k = 0; k < all.size(); ++k) host_.add(Stm{{pat[k]}, {}, {}, Atom{all[k]}, s_.position});
  }

  const Stm& s_;
  const SegOp& op_;
  FoldParts parts_;
  Builder host_;
  Segments segments_;
  SubExp chunks_, length_;
};

}  // namespace

// What the operators of codegen/cuda/atomic_text.cpp become one instruction for.
bool is_done_by_memory(const HistOp& h) {
  const Body& body = *h.op.body;
  if (h.op.params.size() != 2 || body.stms.size() != 1 || body.result.size() != 1) return false;
  const auto* op = std::get_if<PrimOp>(&body.stms[0]->exp);
  if (!op || !(body.result[0].value == SubExp(body.stms[0]->pat[0].name))) return false;
  const prim::Type type = op->op.type;
  switch (op->op.family) {
    case prim::Family::FAdd:
      return type == prim::Type::F32 || type == prim::Type::F64;
    case prim::Family::Add:
    case prim::Family::AddNw:
    case prim::Family::And:
    case prim::Family::Or:
    case prim::Family::Xor:
      return type == prim::Type::I32 || type == prim::Type::I64;
    case prim::Family::LogOr:
    case prim::Family::LogAnd:
      return true;
    default:
      return false;
  }
}

bool updates_cheaply(const HistOp& h) {
  return is_done_by_memory(h) || (h.dests.size() == 1 && (is_extremum(h) || chooses(h.op)));
}

bool is_done_by_memory_of_block(const HistOp& h) {
  const prim::Type t = h.op.ret[0].elem;
  return is_done_by_memory(h) && (t == prim::Type::I32 || t == prim::Type::Bool);
}

bool updates_cheaply_in_block(const HistOp& h) {
  return updates_cheaply(h) && (!is_done_by_memory(h) || is_done_by_memory_of_block(h));
}

std::optional<Stms> split_histogram(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread || !has_bins_of_scalars(*op) ||
      std::ranges::all_of(op->hists, updates_cheaply))
    return std::nullopt;
  return Split(s, names).run();
}

Result<Program> split_histogram(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    std::optional<Stms> parts = split_histogram(s, names);
    return parts ? *parts : just(s);
  });
}

}  // namespace heddle::seg
