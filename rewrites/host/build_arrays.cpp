// Operations on whole arrays: views, copies, single elements.
#include <algorithm>

#include "rewrites/host/builder.h"

namespace heddle::host {

using prim::Family;
using prim::Op;

namespace {

bool is_single(const seg::Slice& slice) {
  return std::ranges::all_of(slice, [](const seg::DimIndex& d) { return std::holds_alternative<seg::DimFix>(d); });
}

Expr int64(int64_t value) { return nest::constant(value); }

Expr at_most(const Expr& a, const Expr& b) { return nest::operation(Op(Family::Sle, prim::Type::I64), {a, b}); }

}  // namespace

// ---- Literals. ----

void Builder::emit(const seg::Stm& stm, const seg::ArrayVal& e) {
  Name dst = own(alloc(bind(stm.pat[0]), e.elem_type, {int64(static_cast<int64_t>(e.elems.size()))}));
  if (e.elems.empty() || e.elem_type == prim::Type::Unit) return;
  std::vector<Expr> values;
  for (const prim::Value& v : e.elems) values.push_back(nest::constant(v));
  add(Upload{dst, std::move(values)});
}

void Builder::emit(const seg::Stm& stm, const seg::ArrayLit& e) {
  prim::Type elem = e.row_type.elem;
  std::vector<Expr> shape;
  for (const seg::Dim& d : stm.pat[0].type.dims) shape.push_back(scalar(d.size()));
  if (!e.row_type.is_array()) shape = {int64(static_cast<int64_t>(e.elems.size()))};
  Name dst = own(alloc(bind(stm.pat[0]), elem, std::move(shape)));
  if (e.elems.empty() || elem == prim::Type::Unit) return;
  if (!e.row_type.is_array()) return add(Upload{dst, scalars(e.elems)});
  for (size_t i = 0; i < e.elems.size(); ++i) {
    seg::Slice row{seg::DimFix{prim::Value::i64(static_cast<int64_t>(i))}};
    for (const seg::Dim& d : e.row_type.dims)
      row.push_back(seg::DimSlice{prim::Value::i64(0), d.size(), prim::Value::i64(1)});
    write(dst, row, e.elems[i], elem);
  }
}

void Builder::emit(const seg::Stm& stm, const seg::Scratch& e) {
  std::vector<Expr> shape = scalars(e.shape);
  own(alloc(bind(stm.pat[0]), e.elem, std::move(shape)));
}

void Builder::emit(const seg::Stm& stm, const seg::Iota& e) {
  Expr count = scalar(e.count), start = scalar(e.start), step = scalar(e.stride);
  auto widened = [](const Expr& x) {
    return x->type == prim::Type::I64 ? x : nest::operation(Op(Family::SExt, x->type, prim::Type::I64), {x});
  };
  Name dst = own(alloc(bind(stm.pat[0]), e.elem, {count}));
  add(Iota{dst, widened(start), widened(step)});
}

void Builder::emit(const seg::Stm& stm, const seg::Replicate& e) {
  const seg::Type& type = stm.pat[0].type;
  std::vector<Expr> sizes = scalars(e.shape);
  if (kind(e.value) != Kind::Array) {
    Expr value = scalar(e.value);
    if (!type.is_array()) return define(stm.pat[0], value);
    Name dst = own(alloc(bind(stm.pat[0]), type.elem, std::move(sizes)));
    if (type.elem != prim::Type::Unit) add(Fill{dst, value});
    return;
  }
  Name value = array(e.value);
  int rank = types_.at(value).rank;
  if (sizes.empty()) {
    add(Manifest{own(bind(stm.pat[0])), value, row_major(static_cast<size_t>(rank))});
    return;
  }
  std::vector<Expr> shape = sizes;
  for (int d = 0; d < rank; ++d) shape.push_back(size(value, d));
  if (std::ranges::all_of(e.shape, [](const seg::SubExp& n) { return n.int_constant() == 1; })) {
    // A copy, which is none where the value ends.
    Name once = fresh("once", type_of(value));
    add(Manifest{once, value, row_major(static_cast<size_t>(rank))});
    add(Reshape{own(bind(stm.pat[0])), once, std::move(shape)});
    return free_now(once);
  }
  Name dst = own(alloc(bind(stm.pat[0]), type.elem, std::move(shape)));
  Name rows = fresh("rows", type_of(dst));
  add(Broadcast{rows, value, std::move(sizes)});
  add(Copy{dst, rows});
  free_now(rows);
}

// ---- Elements and windows. ----

std::vector<Subscript> Builder::subscripts(const seg::Slice& slice) const {
  std::vector<Subscript> all;
  for (const seg::DimIndex& d : slice) {
    if (const auto* fix = std::get_if<seg::DimFix>(&d)) {
      all.emplace_back(scalar(fix->index));
    } else {
      const auto& s = std::get<seg::DimSlice>(d);
      all.emplace_back(Range{scalar(s.start), scalar(s.count), scalar(s.stride)});
    }
  }
  return all;
}

void Builder::emit(const seg::Stm& stm, const seg::Index& e) {
  const seg::PatElem& result = stm.pat[0];
  Name source = name(e.array);
  std::vector<Subscript> at = subscripts(e.slice);
  if (!is_single(e.slice)) return add(Slice{own(bind(result)), source, std::move(at)});
  if (kind_of(result.type) != Kind::Scalar) return;
  std::vector<Expr> index;
  for (const Subscript& s : at) index.push_back(std::get<Expr>(s));
  add(ReadElement{bind(result), result.type.elem, source, std::move(index)});
}

void Builder::emit(const seg::Stm& stm, const seg::FlatIndex& e) {
  Name source = name(e.array);
  add(flat_slice(own(bind(stm.pat[0])), source, e.slice));
}

FlatSlice Builder::flat_slice(const Name& dst, const Name& array, const seg::FlatSlice& slice) const {
  FlatSlice node{dst, array, scalar(slice.offset), {}, {}};
  for (const seg::FlatDim& d : slice.dims) {
    node.counts.push_back(scalar(d.count));
    node.strides.push_back(scalar(d.stride));
  }
  return node;
}

void Builder::write(const Name& dst, const seg::Slice& slice, const seg::SubExp& value, prim::Type elem) {
  if (elem == prim::Type::Unit) return;
  std::vector<Subscript> at = subscripts(slice);
  if (kind(value) != Kind::Array) {
    std::vector<Expr> index;
    for (const Subscript& s : at) index.push_back(std::get<Expr>(s));
    return add(WriteElement{dst, std::move(index), scalar(value)});
  }
  Name window = fresh("window", type_of(array(value)));
  add(Slice{window, dst, std::move(at)});
  add(Copy{window, array(value)});
  free_now(window);
}

// That a slice of the array stays within its bounds.
Expr Builder::within_bounds(const Name& array, const seg::Slice& slice) {
  Expr all = nest::constant(prim::Value::of_bool(true)), zero = int64(0);
  std::vector<Subscript> at = subscripts(slice);
  for (size_t d = 0; d < at.size(); ++d) {
    Expr length = size(array, static_cast<int>(d));
    auto inside = [&](const Expr& i) { return nest::both(at_most(zero, i), nest::less(i, length)); };
    if (const auto* index = std::get_if<Expr>(&at[d])) {
      all = nest::both(all, inside(*index));
      continue;
    }
    const auto& r = std::get<Range>(at[d]);
    Expr last = nest::add(r.start, nest::mul(nest::sub(r.count, int64(1)), r.stride));
    Expr is_empty = at_most(r.count, zero);
    Expr fits =
        nest::operation(Op(Family::LogOr, prim::Type::Bool), {is_empty, nest::both(inside(r.start), inside(last))});
    all = nest::both(all, fits);
  }
  return all;
}

void Builder::emit(const seg::Stm& stm, const seg::Update& e) {
  share(stm.pat[0], name(e.array));
  Name dst = name(stm.pat[0].name);
  prim::Type elem = stm.pat[0].type.elem;
  if (!e.safe) return write(dst, e.slice, e.value, elem);
  Expr fits = within_bounds(dst, e.slice);
  begin();
  write(dst, e.slice, e.value, elem);
  Block then = finish({});
  add(If{{{fits, std::move(then)}}, {}, {}});
}

void Builder::emit(const seg::Stm& stm, const seg::FlatUpdate& e) {
  share(stm.pat[0], name(e.array));
  Name value = name(e.value), window = fresh("window", type_of(value));
  add(flat_slice(window, name(stm.pat[0].name), e.slice));
  add(Copy{window, value});
  free_now(window);
}

void Builder::emit(const seg::Stm& stm, const seg::Concat& e) {
  const seg::Type& type = stm.pat[0].type;
  auto dim = static_cast<size_t>(e.dim);
  std::vector<Name> arrays;
  for (const Name& a : e.arrays) arrays.push_back(name(a));
  std::vector<Expr> shape;
  for (size_t d = 0; d < type.dims.size(); ++d)
    shape.push_back(d == dim ? scalar(e.width) : size(arrays[0], static_cast<int>(d)));
  Name dst = own(alloc(bind(stm.pat[0]), type.elem, shape));
  Expr offset = int64(0);
  for (const Name& source : arrays) {
    Expr length = size(source, e.dim);
    std::vector<Subscript> window;
    for (size_t d = 0; d < shape.size(); ++d)
      window.emplace_back(d == dim ? Range{offset, length, int64(1)} : Range{int64(0), shape[d], int64(1)});
    Name part = fresh("window", type_of(dst));
    add(Slice{part, dst, std::move(window)});
    add(Copy{part, source});
    free_now(part);
    offset = nest::add(offset, length);
  }
}

// ---- Layout and shape. ----

void Builder::emit(const seg::Stm& stm, const seg::Manifest& e) {
  Name source = name(e.array);
  add(Manifest{own(bind(stm.pat[0])), source, e.perm});
}

void Builder::emit(const seg::Stm& stm, const seg::Rearrange& e) {
  Name source = name(e.array);
  add(Rearrange{own(bind(stm.pat[0])), source, e.perm});
}

void Builder::emit(const seg::Stm& stm, const seg::Reshape& e) {
  if (e.coerce) return share(stm.pat[0], name(e.array));
  Name source = name(e.array);
  std::vector<Expr> shape = scalars(e.shape);
  add(Reshape{own(bind(stm.pat[0])), source, std::move(shape)});
}

}  // namespace heddle::host
