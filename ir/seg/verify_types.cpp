#include "ir/seg/verify_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::seg {

const Type& scalar_type(prim::Type type) {
  static const auto types = [] {
    std::array<Type, 9> all;
    for (size_t i = 0; i < all.size(); i++) all[i] = Type::scalar(static_cast<prim::Type>(i));
    return all;
  }();
  return types[static_cast<size_t>(type)];
}

bool same(const Type& a, const Type& b) {
  if (a.is_acc() != b.is_acc()) return false;
  if (a.is_acc()) return a.acc->cert == b.acc->cert && a.acc->space == b.acc->space && same(a.acc->elems, b.acc->elems);
  return a.elem == b.elem && a.dims == b.dims;
}

bool same(std::span<const Type> a, std::span<const Type> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Type& x, const Type& y) { return same(x, y); });
}

Type array_of(const Shape& shape, const Type& elem) {
  Type t = elem;
  t.unique = false;
  if (!t.is_acc()) t.dims.insert(t.dims.begin(), shape.begin(), shape.end());
  return t;
}

Type strip(const Type& type, int count) {
  Type t = type;
  t.unique = false;
  t.dims.erase(t.dims.begin(), t.dims.begin() + count);
  return t;
}

Type with_shape(const Type& type, const Shape& shape) { return Type::array(type.elem, {shape.begin(), shape.end()}); }

Shape sizes(const Slice& slice) {
  Shape shape;
  for (const DimIndex& d : slice) {
    if (auto* s = std::get_if<DimSlice>(&d)) shape.push_back(s->count);
  }
  return shape;
}

std::string text(const SubExp& e) { return e.is_var() ? e.name().text() : prim::to_text(e.value()); }

std::string text(const Shape& shape) {
  std::string s;
  for (const SubExp& e : shape) s += "[" + text(e) + "]";
  return s.empty() ? "[]" : s;
}

std::string text(const Type& type) {
  if (type.is_acc()) {
    return fmt::format("acc({}, {}, {})", type.acc->cert.text(), text(type.acc->space), text(type.acc->elems));
  }
  std::string s;
  for (const Dim& d : type.dims) s += d.is_ext() ? fmt::format("[?{}]", d.ext().index) : "[" + text(d.size()) + "]";
  return s + std::string(prim::name(type.elem));
}

std::string text(std::span<const Type> types) {
  std::string s;
  for (const Type& t : types) s += (s.empty() ? "" : ", ") + text(t);
  return "{" + s + "}";
}

}  // namespace heddle::seg
