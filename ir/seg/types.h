// Types of the seg IR: scalars, arrays with symbolic shapes, accumulators, and the types named at entry points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "ir/prim/prim.h"
#include "ir/support/names.h"

namespace heddle::seg {

// Where a statement or definition began in the text it was read from; 0 when heddle made it. Never compared.
struct Position {
  int line = 0;
  bool operator==(const Position&) const { return true; }
};

// A variable or a constant: the only things an operation takes.
struct SubExp {
  std::variant<Name, prim::Value> v;

  SubExp() : v(prim::Value{}) {}
  SubExp(Name n) : v(std::move(n)) {}         // NOLINT: a name is a SubExp
  SubExp(prim::Value c) : v(std::move(c)) {}  // NOLINT: and so is a constant
  bool is_var() const { return v.index() == 0; }
  const Name& name() const { return std::get<Name>(v); }
  const prim::Value& value() const { return std::get<prim::Value>(v); }
  // The constant's integer, if this is an integer constant.
  std::optional<int64_t> int_constant() const {
    if (is_var() || !prim::is_int(value().type)) return std::nullopt;
    return value().i;
  }
  bool operator==(const SubExp&) const = default;
};

using Shape = std::vector<SubExp>;

// A size that the construct itself decides (written ?0, ?1, ...); it names the i-th existential of a result list.
struct Ext {
  int index = 0;
  bool operator==(const Ext&) const = default;
};

// One dimension of an array type. Ext occurs only in the result types of functions and branches.
struct Dim {
  std::variant<SubExp, Ext> v;

  Dim(SubExp s) : v(std::move(s)) {}        // NOLINT
  Dim(Name n) : v(SubExp(std::move(n))) {}  // NOLINT
  Dim(Ext e) : v(e) {}                      // NOLINT
  bool is_ext() const { return v.index() == 1; }
  const SubExp& size() const { return std::get<SubExp>(v); }
  const Ext& ext() const { return std::get<Ext>(v); }
  bool operator==(const Dim&) const = default;
};

struct Type;

// acc(cert, [space]..., {elems}): a view of arrays that can only be updated, through update_acc.
struct AccType {
  Name cert;
  Shape space;
  std::vector<Type> elems;
  bool operator==(const AccType&) const = default;
};

// Where an array lives once memory has been planned; no pass plans it yet, so the slot in Type stays empty.
struct Layout {
  Name block;
  SubExp offset;
  std::vector<SubExp> strides;
  bool operator==(const Layout&) const = default;
};

// A scalar (no dims), an array, or an accumulator (acc set; elem and dims unused).
struct Type {
  prim::Type elem = prim::Type::Unit;
  std::vector<Dim> dims;
  bool unique = false;  // `*`: only meaningful in parameter and result positions
  std::shared_ptr<const AccType> acc;
  std::shared_ptr<const Layout> layout;

  static Type scalar(prim::Type t) { return Type{t, {}, false, nullptr, nullptr}; }
  static Type array(prim::Type t, std::vector<Dim> dims) { return Type{t, std::move(dims), false, nullptr, nullptr}; }
  static Type accumulator(AccType a) {
    return Type{prim::Type::Unit, {}, false, std::make_shared<const AccType>(std::move(a)), nullptr};
  }
  bool is_acc() const { return acc != nullptr; }
  bool is_array() const { return !dims.empty(); }
  bool is_scalar() const { return dims.empty() && !acc; }
  int rank() const { return static_cast<int>(dims.size()); }

  friend bool operator==(const Type& a, const Type& b) {
    if (a.elem != b.elem || a.dims != b.dims || a.unique != b.unique || a.is_acc() != b.is_acc()) return false;
    return !a.is_acc() || *a.acc == *b.acc;
  }
};

// ---- Types as entry points name them. ----

struct ValueType {
  prim::Type elem = prim::Type::Unit;
  bool is_unsigned = false;
  int rank = 0;
  bool operator==(const ValueType&) const = default;
};

struct OpaqueRef {
  std::string name;
  bool operator==(const OpaqueRef&) const = default;
};

using EntryType = std::variant<ValueType, OpaqueRef>;

struct RecordField {
  std::string name;
  EntryType type;
  bool operator==(const RecordField&) const = default;
};

struct SumPayload {
  EntryType type;
  std::vector<int> slots;  // which of the sum's values hold it
  bool operator==(const SumPayload&) const = default;
};

struct SumVariant {
  std::string name;
  std::vector<SumPayload> payloads;
  bool operator==(const SumVariant&) const = default;
};

struct OpaqueType {
  std::vector<ValueType> values;
  bool operator==(const OpaqueType&) const = default;
};
struct OpaqueRecord {
  std::vector<RecordField> fields;
  bool operator==(const OpaqueRecord&) const = default;
};
struct OpaqueSum {
  std::vector<ValueType> values;
  std::vector<SumVariant> variants;
  bool operator==(const OpaqueSum&) const = default;
};
struct OpaqueArray {
  int rank = 0;
  std::string elem;
  std::vector<ValueType> values;
  bool operator==(const OpaqueArray&) const = default;
};
struct OpaqueRecordArray {
  int rank = 0;
  std::string elem;
  std::vector<RecordField> fields;
  bool operator==(const OpaqueRecordArray&) const = default;
};

struct OpaqueDef {
  std::string name;
  std::variant<OpaqueType, OpaqueRecord, OpaqueSum, OpaqueArray, OpaqueRecordArray> def;
  Position position = {};
  bool operator==(const OpaqueDef&) const = default;
};

struct EntryParam {
  std::string name;
  bool unique = false;
  EntryType type;
  bool operator==(const EntryParam&) const = default;
};

struct EntryResult {
  bool unique = false;
  EntryType type;
  bool operator==(const EntryResult&) const = default;
};

struct EntryPoint {
  std::string name;
  std::vector<EntryParam> params;
  std::vector<EntryResult> results;
  bool operator==(const EntryPoint&) const = default;
};

}  // namespace heddle::seg
