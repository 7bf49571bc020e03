#include "rewrites/points/array_value.h"

#include <algorithm>

namespace heddle::lower {

using nest::Expr;

ArrayValue in_memory(prim::Type elem, std::vector<Expr> dims, MemoryViewPtr place) {
  ArrayValue a;
  a.elem = elem;
  a.dims = std::move(dims);
  a.read = [elem, place](Binder& b, const Indices& i) { return nest::load(place->buffer, elem, place->locate(b, i)); };
  a.stable = !place->writable;
  a.place = std::move(place);
  return a;
}

ArrayValue whole_buffer(const nest::Buffer& buffer, bool writable, const Indices& trailing) {
  auto locate = [trailing](Binder&, Indices i) {
    i.insert(i.end(), trailing.begin(), trailing.end());
    return i;
  };
  std::vector<Expr> dims(buffer.dims.begin(), buffer.dims.end() - static_cast<long>(trailing.size()));
  return in_memory(buffer.elem, std::move(dims),
                   std::make_shared<const MemoryView>(
                       MemoryView{buffer.name, locate, writable, buffer.space == nest::Space::Register}));
}

ArrayValue view(const ArrayValue& source, std::vector<Expr> dims, const IndexMap& to_source) {
  ArrayValue a;
  a.elem = source.elem;
  a.dims = std::move(dims);
  a.stable = source.stable;
  a.read = [read = source.read, to_source](Binder& b, const Indices& i) { return read(b, to_source(b, i)); };
  if (source.place) {
    auto locate = [outer = source.place->locate, to_source](Binder& b, const Indices& i) {
      return outer(b, to_source(b, i));
    };
    a.place = std::make_shared<const MemoryView>(
        MemoryView{source.place->buffer, locate, source.place->writable, source.place->of_thread});
  }
  return a;
}

ArrayValue rearrange(const ArrayValue& source, const std::vector<int>& perm) {
  std::vector<Expr> dims;
  for (int p : perm) dims.push_back(source.dims[static_cast<size_t>(p)]);
  return view(source, std::move(dims), [perm](Binder&, const Indices& i) {
    Indices out(i.size());
    for (size_t k = 0; k < perm.size(); ++k) out[static_cast<size_t>(perm[k])] = i[k];
    return out;
  });
}

namespace {

// Leading and trailing dimensions that a reshape leaves alone need no division.
struct Common {
  size_t leading = 0, trailing = 0;
};

Common common_dims(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  Common c;
  size_t most = std::min(a.size(), b.size());
  while (c.leading < most && nest::equal(a[c.leading], b[c.leading])) ++c.leading;
  while (c.trailing < most - c.leading && nest::equal(a[a.size() - 1 - c.trailing], b[b.size() - 1 - c.trailing])) {
    ++c.trailing;
  }
  return c;
}

Expr flatten(const Indices& i, const std::vector<Expr>& dims, size_t begin, size_t end) {
  Expr flat = nest::constant(int64_t{0});
  for (size_t k = begin; k < end; ++k) flat = nest::add(nest::mul(flat, dims[k]), i[k]);
  return flat;
}

void unflatten(Binder& binder, const Expr& flat, const std::vector<Expr>& dims, size_t begin, size_t end,
               Indices& out) {
  Indices reversed;
  Expr rest = flat;
  for (size_t k = end; k-- > begin;) {
    bool outermost = k == begin;
    if (!outermost) rest = binder.bind(rest);
    reversed.push_back(outermost ? rest : nest::mod(rest, dims[k]));
    if (!outermost) rest = nest::div(rest, dims[k]);
  }
  out.insert(out.end(), reversed.rbegin(), reversed.rend());
}

}  // namespace

ArrayValue reshape(const ArrayValue& source, std::vector<Expr> dims) {
  std::vector<Expr> to = dims;
  return view(source, std::move(dims), [from = source.dims, to](Binder& b, const Indices& i) {
    Common c = common_dims(from, to);
    Indices out(i.begin(), i.begin() + static_cast<long>(c.leading));
    size_t from_end = from.size() - c.trailing;
    size_t to_end = to.size() - c.trailing;
    if (from_end > c.leading) {
      unflatten(b, flatten(i, to, c.leading, to_end), from, c.leading, from_end, out);
    }
    out.insert(out.end(), i.begin() + static_cast<long>(to_end), i.end());
    return out;
  });
}

ArrayValue row(const ArrayValue& source, const Indices& prefix) {
  std::vector<Expr> dims(source.dims.begin() + static_cast<long>(prefix.size()), source.dims.end());
  return view(source, std::move(dims), [prefix](Binder&, const Indices& i) {
    Indices out = prefix;
    out.insert(out.end(), i.begin(), i.end());
    return out;
  });
}

ArrayValue iota(prim::Type elem, Expr count, const Expr& start, const Expr& stride) {
  using prim::Family;
  using prim::Op;
  return computed(elem, {std::move(count)}, [elem, start, stride](Binder&, const Indices& i) {
    if (elem == prim::Type::I64) return nest::add(start, nest::mul(i[0], stride));
    Expr index = nest::operation(Op(Family::SExt, prim::Type::I64, elem), {i[0]});
    return nest::operation(Op(Family::Add, elem), {start, nest::operation(Op(Family::Mul, elem), {index, stride})});
  });
}

ArrayValue computed(prim::Type elem, std::vector<Expr> dims, Reader read) {
  ArrayValue a;
  a.elem = elem;
  a.dims = std::move(dims);
  a.read = std::move(read);
  a.stable = true;
  return a;
}

}  // namespace heddle::lower
