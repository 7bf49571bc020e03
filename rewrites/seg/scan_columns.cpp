#include "rewrites/seg/scan_columns.h"

#include <algorithm>
#include <numeric>

#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/store_elements.h"

namespace heddle::seg {

namespace {

// Rows of arrays of these dimensions: those of segments, the one that is scanned, and those of an element.
struct Dimensions {
  size_t segments, inner;

  // With the scanned one last: the new order, in terms of the old.
  std::vector<int> columns() const {
    std::vector<int> perm(segments + 1 + inner);
    std::iota(perm.begin(), perm.end(), 0);
    std::rotate(perm.begin() + static_cast<long>(segments), perm.begin() + static_cast<long>(segments) + 1, perm.end());
    return perm;
  }
  // Back again.
  std::vector<int> rows() const {
    std::vector<int> perm(segments + 1 + inner);
    std::iota(perm.begin(), perm.end(), 0);
    std::rotate(perm.begin() + static_cast<long>(segments), perm.end() - 1, perm.end());
    return perm;
  }
};

// A scan of rows that are in memory.
Stms by_columns(const Stm& s, NameSource& names) {
  const auto& op = std::get<SegOp>(s.exp);
  const Shape inner = op.ops[0].shape;
  const Dimensions dims{op.space.dims.size() - 1, inner.size()};
  Builder host(names);
  SegOp scan = op;
  for (SegBinOp& o : scan.ops) o.shape.clear();
  scan.space = {names.fresh(op.space.flat), {}};
  Shape sizes;
  std::vector<SubExp> at, column;
  auto dim = [&](const Name& like, const SubExp& size) {
    scan.space.dims.push_back({names.fresh(like), size});
    sizes.push_back(size);
    return SubExp(scan.space.dims.back().index);
  };
  for (size_t d = 0; d < dims.segments; ++d) at.push_back(dim(op.space.dims[d].index, op.space.dims[d].size));
  for (const SubExp& size : inner) column.push_back(dim(op.space.dims.back().index, size));
  at.push_back(dim(op.space.dims.back().index, op.space.dims.back().size));
  at.insert(at.end(), column.begin(), column.end());

  Builder point(names);
  auto body = std::make_shared<KernelBody>();
  scan.types.clear();
  Pat scanned;
  for (size_t k = 0; k < op.types.size(); ++k) {
    const Type elem = Type::scalar(op.types[k].elem);
    Shape rows = sizes;
    std::rotate(rows.begin() + static_cast<long>(dims.segments), rows.end() - 1, rows.end());
    Name columns = host.let("columns", array_of(elem, rows), Manifest{dims.columns(), *array_of_rows(op, k)});
    body->results.emplace_back(
        Returns{ReturnsKind::MaySimplify, {}, point.let("element", elem, Index{columns, row_slice(at, elem)})});
    scan.types.push_back(elem);
    scanned.push_back({names.fresh("scanned"), array_of(elem, sizes)});
  }
  body->stms = point.take();
  scan.body = std::move(body);
  Pat results = scanned;
  host.add(Stm{std::move(scanned), s.attrs, s.certs, std::move(scan), s.position});
  for (size_t k = 0; k < results.size(); ++k)
    host.add(Stm{{s.pat[k]}, {}, {}, Rearrange{dims.rows(), results[k].name}, s.position});
  return host.take();
}

}  // namespace

std::optional<Name> array_of_rows(const SegOp& op, size_t k) {
  const SubExp& row = std::get<Returns>(op.body->results[k]).value;
  for (const StmPtr& s : op.body->stms) {
    const auto* read = std::get_if<Index>(&s->exp);
    if (!read || !row.is_var() || s->pat[0].name != row.name()) continue;
    std::vector<SubExp> point;
    for (const SegDim& d : op.space.dims) point.emplace_back(d.index);
    if (read->slice == row_slice(point, s->pat[0].type)) return read->array;
  }
  return std::nullopt;
}

std::optional<Stms> scan_columns(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Scan || op->level.kind != LevelKind::Thread || op->ops.empty()) return std::nullopt;
  auto fits = [&](const SegBinOp& o) {
    return !o.shape.empty() && o.shape == op->ops[0].shape && std::ranges::all_of(o.lambda.ret, is_stored_scalar);
  };
  if (!std::ranges::all_of(op->ops, fits)) return std::nullopt;
  if (std::ranges::any_of(op->types, [](const Type& t) { return t.is_acc(); })) return std::nullopt;
  std::vector<size_t> results(op->types.size());
  std::iota(results.begin(), results.end(), size_t{0});
  if (std::ranges::all_of(results, [&](size_t k) { return array_of_rows(*op, k).has_value(); }))
    return by_columns(s, names);
  Stms parts = store_elements(s, names);
  Stms scan = by_columns(*parts.back(), names);
  parts.pop_back();
  parts.insert(parts.end(), scan.begin(), scan.end());
  return parts;
}

Result<Program> scan_columns(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) {
    std::optional<Stms> columns = scan_columns(s, names);
    return columns ? *columns : just(s);
  });
}

}  // namespace heddle::seg
