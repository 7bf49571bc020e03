// Basic operations.
#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

namespace {

Outs one(Type type, Roots roots = {}) {
  type.unique = false;
  return std::vector<Out>{Out{std::move(type), std::move(roots)}};
}

}  // namespace

Outs Checker::rule(const Atom& e) {
  const Type* type = use(e.value);
  if (!type) return std::nullopt;
  return one(*type, roots_of(e.value));
}

Outs Checker::rule(const Opaque& e) { return rule(Atom{e.value}); }

Outs Checker::rule(const PrimOp& e) {
  std::string name = prim::name(e.op);
  int arity = prim::arity(e.op);
  if (static_cast<int>(e.args.size()) != arity) problem("{} takes {} operands, not {}.", name, arity, e.args.size());
  for (const SubExp& a : e.args) require(a, prim::arg_type(e.op), "An operand of " + name);
  return one(scalar_type(prim::result_type(e.op)));
}

Outs Checker::rule(const ArrayLit& e) {
  check_type(e.row_type);
  for (const SubExp& x : e.elems) require(x, e.row_type, "An element of this array literal");
  SubExp count = prim::Value::i64(static_cast<int64_t>(e.elems.size()));
  return one(array_of({count}, e.row_type), fresh_root());
}

Outs Checker::rule(const ArrayVal& e) {
  for (const prim::Value& v : e.elems) {
    if (v.type != e.elem_type) {
      problem("{} is an element of an array of {}.", prim::to_text(v), prim::name(e.elem_type));
      break;
    }
  }
  return one(Type::array(e.elem_type, {SubExp(prim::Value::i64(static_cast<int64_t>(e.elems.size())))}), fresh_root());
}

Outs Checker::rule(const Assert& e) {
  require(e.condition, prim::Type::Bool, "The condition of an assert");
  for (const ErrorPart& part : e.message) {
    if (auto* v = std::get_if<ErrorVal>(&part)) require(v->value, v->type, "A part of an assert's message");
  }
  return one(scalar_type(prim::Type::Unit));
}

void Checker::check_slice(const Slice& slice, const Type& array, const Name& name) {
  if (slice.size() != array.dims.size()) {
    problem("{} has {} dimensions, but is indexed with {}.", name.text(), array.dims.size(), slice.size());
  }
  for (const DimIndex& d : slice) {
    if (auto* fix = std::get_if<DimFix>(&d)) {
      require(fix->index, prim::Type::I64, "An index");
    } else {
      const DimSlice& s = std::get<DimSlice>(d);
      for (const SubExp& x : {s.start, s.count, s.stride}) require(x, prim::Type::I64, "A part of a slice");
    }
  }
}

void Checker::check_flat_slice(const FlatSlice& slice, const Type& array, const Name& name) {
  if (array.rank() != 1)
    problem("A flat slice must be of a one-dimensional array, but {} is {}.", name.text(), print(array));
  require(slice.offset, prim::Type::I64, "The offset of a flat slice");
  for (const FlatDim& d : slice.dims) {
    require(d.count, prim::Type::I64, "A size in a flat slice");
    require(d.stride, prim::Type::I64, "A stride in a flat slice");
  }
}

void Checker::check_perm(const std::vector<int>& perm, const Type& array, const Name& name) {
  std::vector<int> sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  bool ok = static_cast<int>(perm.size()) == array.rank();
  for (size_t i = 0; ok && i < sorted.size(); i++) ok = sorted[i] == static_cast<int>(i);
  if (!ok) problem("({}) does not permute the {} dimensions of {}.", fmt::join(perm, ", "), array.rank(), name.text());
}

Outs Checker::rule(const Index& e) {
  const Type* type = use_array(e.array, "What is indexed");
  if (!type) return std::nullopt;
  check_slice(e.slice, *type, e.array);
  return one(with_shape(*type, sizes(e.slice)), roots_of(e.array));
}

Outs Checker::rule(const Update& e) {
  const Type* type = use_array(e.array, "What is updated");
  if (!type) return std::nullopt;
  check_slice(e.slice, *type, e.array);
  require(e.value, with_shape(*type, sizes(e.slice)), "The value written by this update");
  if (e.value == SubExp(e.array)) problem("{} is updated with itself.", e.array.text());
  consume(e.array);
  return one(*type, fresh_root());
}

Outs Checker::rule(const FlatIndex& e) {
  const Type* type = use_array(e.array, "What is indexed");
  if (!type) return std::nullopt;
  check_flat_slice(e.slice, *type, e.array);
  Shape shape;
  for (const FlatDim& d : e.slice.dims) shape.push_back(d.count);
  return one(with_shape(*type, shape), roots_of(e.array));
}

Outs Checker::rule(const FlatUpdate& e) {
  const Type* type = use_array(e.array, "What is updated");
  if (!type) return std::nullopt;
  check_flat_slice(e.slice, *type, e.array);
  Shape shape;
  for (const FlatDim& d : e.slice.dims) shape.push_back(d.count);
  require(e.value, with_shape(*type, shape), "The value written by this update");
  consume(e.array);
  return one(*type, fresh_root());
}

Outs Checker::rule(const Concat& e) {
  require(e.width, prim::Type::I64, "The size of concat's result");
  const Type* first = nullptr;
  std::vector<Dim> first_dims;
  for (const Name& a : e.arrays) {
    const Type* type = use_array(a, "An argument of concat");
    if (!type) return std::nullopt;
    if (e.dim < 0 || e.dim >= type->rank()) {
      problem("concat@{} needs arrays with more than {} dimensions, but {} is {}.", e.dim, e.dim, a.text(),
              print(*type));
      return std::nullopt;
    }
    std::vector<Dim> dims = type->dims;
    dims.erase(dims.begin() + e.dim);
    if (!first) {
      first = type;
      first_dims = std::move(dims);
    } else if (type->elem != first->elem || dims != first_dims) {
      problem("concat@{} needs arrays that differ in dimension {} only, but {} is {} and {} is {}.", e.dim, e.dim,
              e.arrays[0].text(), print(*first), a.text(), print(*type));
    }
  }
  if (!first) {
    problem("concat needs at least one array.");
    return std::nullopt;
  }
  Type type = *first;
  type.dims[e.dim] = Dim(e.width);
  return one(std::move(type), fresh_root());
}

Outs Checker::rule(const Manifest& e) {
  const Type* type = use_array(e.array, "The argument of manifest");
  if (!type) return std::nullopt;
  check_perm(e.perm, *type, e.array);
  return one(*type, fresh_root());
}

Outs Checker::rule(const Iota& e) {
  if (!prim::is_int(e.elem)) {
    problem("iota makes arrays of integers, not of {}.", prim::name(e.elem));
    return std::nullopt;
  }
  require(e.count, prim::Type::I64, "The size of iota");
  require(e.start, e.elem, "The start of iota");
  require(e.stride, e.elem, "The stride of iota");
  return one(Type::array(e.elem, {e.count}), fresh_root());
}

Outs Checker::rule(const Replicate& e) {
  require_sizes(e.shape, "A size of replicate");
  const Type* type = use(e.value);
  if (!type) return std::nullopt;
  Type result = array_of(e.shape, *type);
  Roots roots = fresh_root(result);
  return one(std::move(result), std::move(roots));
}

Outs Checker::rule(const Scratch& e) {
  require_sizes(e.shape, "A size of scratch");
  return one(Type::array(e.elem, {e.shape.begin(), e.shape.end()}), fresh_root());
}

Outs Checker::rule(const Reshape& e) {
  require_sizes(e.shape, "A size of reshape");
  const Type* type = use_array(e.array, "The argument of reshape");
  if (!type) return std::nullopt;
  if (e.coerce && e.shape.size() != type->dims.size()) {
    problem("coerce can't change the number of dimensions: {} is {}, the result has {} dimensions.", e.array.text(),
            print(*type), e.shape.size());
  }
  return one(with_shape(*type, e.shape), roots_of(e.array));
}

Outs Checker::rule(const Rearrange& e) {
  const Type* type = use_array(e.array, "The argument of rearrange");
  if (!type) return std::nullopt;
  size_t before = problems_.size();
  check_perm(e.perm, *type, e.array);
  if (problems_.size() != before) return std::nullopt;
  Type result = *type;
  for (size_t i = 0; i < e.perm.size(); i++) result.dims[i] = type->dims[e.perm[i]];
  return one(std::move(result), roots_of(e.array));
}

Outs Checker::rule(const UpdateAcc& e) {
  const Type* type = use(e.acc);
  if (type && !type->is_acc()) {
    problem("update_acc updates an accumulator, but {} is of type {}.", e.acc.text(), print(*type));
  }
  for (const SubExp& i : e.index) require(i, prim::Type::I64, "An index of update_acc");
  if (!type || !type->is_acc()) return std::nullopt;
  if (e.index.size() != type->acc->space.size()) {
    problem("{} has {} dimensions, but is updated with {} indices.", e.acc.text(), type->acc->space.size(),
            e.index.size());
  }
  if (e.values.size() != type->acc->elems.size()) {
    problem("{} takes {} values, but is updated with {}.", e.acc.text(), type->acc->elems.size(), e.values.size());
  } else {
    for (size_t i = 0; i < e.values.size(); i++) require(e.values[i], type->acc->elems[i], "A value of update_acc");
  }
  consume(e.acc);
  return one(*type);
}

}  // namespace heddle::seg
