#include "rewrites/seg/points_as_read.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

bool is_plain_map(const SegOp& op) {
  auto whole = [](const KernelResult& r) { return std::holds_alternative<Returns>(r); };
  return op.kind == SegKind::Map && op.level.kind == LevelKind::Thread && op.space.dims.size() > 1 &&
         std::ranges::all_of(op.types, [](const Type& t) { return t.is_scalar(); }) &&
         std::ranges::all_of(op.body->results, whole) && !free_names(*op.body).contains(op.space.flat);
}

// How a point's reads in long loops depend on its indices.
class Reads {
 public:
  explicit Reads(const SegOp& op) : counts_(op.space.dims.size()) {
    for (size_t d = 0; d < op.space.dims.size(); ++d) on_.emplace(op.space.dims[d].index, uint64_t{1} << d);
    all(op.body->stms);
  }

  struct Count {
    int side_by_side = 0, of_different_rows = 0;
  };
  // Of points that are neighbours along a dimension.
  const Count& along(size_t dim) const { return counts_[dim]; }

  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& b) {
    all(b->stms);
    return false;
  }
  bool enter(const KernelBodyPtr&) { return false; }

 private:
  void all(const Stms& stms) {
    for (const StmPtr& s : stms) one(*s);
  }

  void one(const Stm& s) {
    if (const auto* read = std::get_if<Index>(&s.exp); read && within_long_) count(*read);
    if (const auto* loop = std::get_if<Loop>(&s.exp)) {
      for (size_t k = 0; k < loop->params.size(); ++k) on_.insert_or_assign(loop->params[k].name, of(loop->inits[k]));
    }
    const bool outer = std::exchange(within_long_, within_long_ || is_long(s.exp));
    walk(*this, s.exp);
    within_long_ = outer;
    uint64_t indices = 0;
    for (const Name& n : free_names(s.exp)) indices |= of(n);
    for (const PatElem& p : s.pat) on_.insert_or_assign(p.name, indices);
  }

  static bool is_long(const Exp& e) {
    const auto* loop = std::get_if<Loop>(&e);
    if (!loop) return false;
    const auto* counted = std::get_if<ForLoop>(&loop->form);
    return counted && !counted->bound.int_constant();
  }

  uint64_t of(const SubExp& x) const {
    const auto it = x.is_var() ? on_.find(x.name()) : on_.end();
    return it == on_.end() ? 0 : it->second;
  }

  void count(const Index& read) {
    std::vector<uint64_t> indices;
    for (const DimIndex& d : read.slice) {
      const auto* fixed = std::get_if<DimFix>(&d);
      if (!fixed) return;
      indices.push_back(of(fixed->index));
    }
    uint64_t rows = 0;
    for (size_t d = 0; d + 1 < indices.size(); ++d) rows |= indices[d];
    for (size_t d = 0; d < counts_.size(); ++d) {
      const bool in_row = (indices.back() >> d & 1) != 0, in_rows = (rows >> d & 1) != 0;
      counts_[d].side_by_side += in_row && !in_rows;
      counts_[d].of_different_rows += in_rows;
    }
  }

  std::unordered_map<Name, uint64_t> on_;  // which indices, as bits, a scalar depends on
  std::vector<Count> counts_;
  bool within_long_ = false;
};

// The dimension whose neighbours should be neighbours.
std::optional<size_t> better_dim(const SegOp& op) {
  const Reads reads(op);
  const size_t last = op.space.dims.size() - 1;
  if (reads.along(last).of_different_rows == 0 || reads.along(last).side_by_side > 0) return std::nullopt;
  for (size_t d = last; d-- > 0;) {
    const Reads::Count& c = reads.along(d);
    if (c.side_by_side > 0 && c.of_different_rows == 0 && !op.space.dims[d].size.int_constant()) return d;
  }
  return std::nullopt;
}

Stms as_read(const Stm& s, const SegOp& op, size_t dim, NameSource& names) {
  std::vector<size_t> order;  // of the new dimensions, as they were numbered
  for (size_t d = 0; d < op.space.dims.size(); ++d) {
    if (d != dim) order.push_back(d);
  }
  order.push_back(dim);
  std::vector<int> perm(order.size());
  Shape shape;
  SegOp changed = op;
  changed.space.dims.clear();
  for (size_t k = 0; k < order.size(); ++k) {
    perm[order[k]] = static_cast<int>(k);
    changed.space.dims.push_back(op.space.dims[order[k]]);
    shape.push_back(op.space.dims[order[k]].size);
  }
  Builder host(names);
  Stm made{{}, s.attrs, s.certs, std::move(changed), s.position};
  for (size_t k = 0; k < op.types.size(); ++k)
    made.pat.push_back({names.fresh(s.pat[k].name), array_of(op.types[k], shape)});
  const Pat arrays = made.pat;
  host.add(std::move(made));
  for (size_t k = 0; k < arrays.size(); ++k)
    host.add(Stm{{s.pat[k]}, {}, {}, Rearrange{perm, arrays[k].name}, s.position});
  return host.take();
}

}  // namespace

Program points_as_read(const Program& program, NameSource& names) {
  auto changed = expand_host_stms(program, [&](const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || !is_plain_map(*op)) return just(s);
    const std::optional<size_t> dim = better_dim(*op);
    return dim ? as_read(s, *op, *dim, names) : just(s);
  });
  if (!changed) throw Refused{changed.error()};
  return std::move(*changed);
}

Result<Program> points_as_read(const Program& program) try {
  NameSource names(program.next_tag());
  return points_as_read(program, names);
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
