// Makes seg statements without ceremony: each function appends to the body under construction and returns the new name.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

class Builder {
 public:
  explicit Builder(NameSource& names) : names_(names) {}

  NameSource& names() { return names_; }
  Stms take() { return std::move(stms_); }
  void add(Stm s) { stms_.push_back(std::make_shared<const Stm>(std::move(s))); }
  void add_all(const Stms& stms) { stms_.insert(stms_.end(), stms.begin(), stms.end()); }

  Name let(const std::string& base, Type type, Exp exp) {
    Name n = names_.fresh(base);
    add(Stm{{{n, std::move(type)}}, {}, {}, std::move(exp), {}});
    return n;
  }
  // i64 arithmetic
  SubExp binary(prim::Family family, const std::string& base, SubExp a, SubExp b) {
    return let(base, Type::scalar(prim::Type::I64),
               PrimOp{prim::Op(family, prim::Type::I64), {std::move(a), std::move(b)}});
  }
  SubExp mul(SubExp a, SubExp b) { return binary(prim::Family::MulNw, "product", std::move(a), std::move(b)); }
  SubExp add64(SubExp a, SubExp b) { return binary(prim::Family::AddNw, "sum", std::move(a), std::move(b)); }
  SubExp sub(SubExp a, SubExp b) { return binary(prim::Family::SubNw, "difference", std::move(a), std::move(b)); }
  SubExp min(SubExp a, SubExp b) { return binary(prim::Family::SMin, "least", std::move(a), std::move(b)); }
  SubExp max(SubExp a, SubExp b) { return binary(prim::Family::SMax, "most", std::move(a), std::move(b)); }
  SubExp div_up(SubExp a, SubExp b) { return binary(prim::Family::SDivUpSafe, "quotient", std::move(a), std::move(b)); }

 private:
  NameSource& names_;
  Stms stms_;
};

inline SubExp i64(int64_t value) { return prim::Value::i64(value); }

// `type` with more dimensions in front.
inline Type array_of(const Type& type, const Shape& outer) {
  Type t = type;
  t.unique = false;
  t.dims.insert(t.dims.begin(), outer.begin(), outer.end());
  return t;
}

// The whole of an array of this type, at leading indices `prefix`.
inline Slice row_slice(const std::vector<SubExp>& prefix, const Type& row_type) {
  Slice slice;
  for (const SubExp& i : prefix) slice.emplace_back(DimFix{i});
  for (const Dim& d : row_type.dims) slice.emplace_back(DimSlice{i64(0), d.size(), i64(1)});
  return slice;
}

}  // namespace heddle::seg
