// Lowering of operations without control: scalars, array operations, asserts.
#include "ir/support/error.h"
#include "rewrites/points/body.h"

namespace heddle::lower {

using nest::Expr;

void BodyLowerer::lower(const seg::Stm& s, const seg::Atom& e) { one(s, value(e.value)); }

// Inside a kernel, #[trace] prints nothing: Futhark's GPU backends cannot either.
void BodyLowerer::lower(const seg::Stm& s, const seg::Opaque& e) { one(s, value(e.value)); }

void BodyLowerer::lower(const seg::Stm& s, const seg::PrimOp& e) {
  std::vector<Expr> args;
  for (const seg::SubExp& a : e.args) args.push_back(scalar(a));
  one(s, let(s.pat[0].name, nest::operation(e.op, std::move(args))));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Apply& e) {
  const prim::Function* function = prim::find_function(e.function);
  if (!function) throw Refused{internal_error("a call of " + e.function + " was not inlined")};
  std::vector<Expr> args;
  for (const seg::Arg& a : e.args) args.push_back(scalar(a.value));
  one(s, let(s.pat[0].name, nest::call(function, std::move(args))));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Assert& e) {
  all(s, std::vector<KernelValue>(s.pat.size(), nest::constant(prim::Value::unit())));
  if (asserts_hold_) return;
  Failure failure{{}, e.location};
  std::vector<Expr> args;
  for (const seg::ErrorPart& part : e.message) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      failure.message.emplace_back(*text);
    } else {
      const auto& v = std::get<seg::ErrorVal>(part);
      failure.message.emplace_back(v.type);
      args.push_back(scalar(v.value));
    }
  }
  int id = kernel_.add_failure(std::move(failure));
  emit(nest::stmt(nest::If{nest::negate(scalar(e.condition)), failing(id, std::move(args)), {}}));
}

// ---- Arrays that need memory. ----

void BodyLowerer::lower(const seg::Stm& s, const seg::ArrayLit& e) {
  std::vector<Expr> sizes = {nest::constant(static_cast<int64_t>(e.elems.size()))};
  for (const Expr& d : dims(e.row_type)) sizes.push_back(d);
  ArrayValue a = fresh_array(e.row_type.elem, sizes);
  for (size_t k = 0; k < e.elems.size(); ++k) {
    store_value(a, {nest::constant(static_cast<int64_t>(k))}, value(e.elems[k]));
  }
  one(s, a);
}

void BodyLowerer::lower(const seg::Stm& s, const seg::ArrayVal& e) {
  ArrayValue a = fresh_array(e.elem_type, {nest::constant(static_cast<int64_t>(e.elems.size()))});
  for (size_t k = 0; k < e.elems.size(); ++k) {
    store(a, {nest::constant(static_cast<int64_t>(k))}, nest::constant(e.elems[k]));
  }
  one(s, a);
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Scratch& e) {
  std::vector<Expr> sizes;
  for (const seg::SubExp& d : e.shape) sizes.push_back(scalar(d));
  one(s, fresh_array(e.elem, sizes));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Concat& e) {
  std::vector<ArrayValue> parts;
  for (const Name& n : e.arrays) parts.push_back(array(n));
  auto d = static_cast<size_t>(e.dim);
  std::vector<Expr> sizes = parts[0].dims;
  sizes[d] = scalar(e.width);
  ArrayValue a = fresh_array(parts[0].elem, sizes);
  Expr offset = nest::constant(int64_t{0});
  for (const ArrayValue& part : parts) {
    ArrayValue window = view(a, part.dims, [d, offset](Binder&, Indices i) {
      i[d] = nest::add(offset, i[d]);
      return i;
    });
    copy(window, part);
    offset = bind(nest::add(offset, part.dims[d]));
  }
  one(s, a);
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Manifest& e) { one(s, stabilised(array(e.array))); }

void BodyLowerer::lower(const seg::Stm& s, const seg::Update& e) {
  ArrayValue a = writable(array(e.array));
  if (e.safe) {
    checked_store(a, e.slice, value(e.value));
  } else {
    store_value(sliced(a, e.slice), {}, value(e.value));
  }
  one(s, a);
}

void BodyLowerer::lower(const seg::Stm& s, const seg::FlatUpdate& e) {
  ArrayValue a = writable(array(e.array));
  copy(flat_sliced(a, e.slice), array(e.value));
  one(s, a);
}

// ---- Arrays that are computed or viewed. ----

void BodyLowerer::lower(const seg::Stm& s, const seg::Index& e) {
  const ComputedArray* here = kernel_.host().computed_by_reader(e);
  ArrayValue a = sliced(here ? computed_here(*here) : array(e.array), e.slice);
  if (s.pat[0].type.is_array()) return one(s, a);
  one(s, let(s.pat[0].name, read(a, {})));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::FlatIndex& e) { one(s, flat_sliced(array(e.array), e.slice)); }

void BodyLowerer::lower(const seg::Stm& s, const seg::Iota& e) {
  one(s, iota(e.elem, scalar(e.count), scalar(e.start), scalar(e.stride)));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Replicate& e) {
  KernelValue v = value(e.value);
  std::vector<Expr> sizes;
  for (const seg::SubExp& d : e.shape) sizes.push_back(scalar(d));
  if (auto* x = std::get_if<Expr>(&v)) {
    if (sizes.empty()) return one(s, *x);
    return one(s, computed((*x)->type, std::move(sizes), [x = *x](Binder&, const Indices&) { return x; }));
  }
  ArrayValue a = stabilised(std::get<ArrayValue>(v));
  size_t outer = sizes.size();
  sizes.insert(sizes.end(), a.dims.begin(), a.dims.end());
  ArrayValue repeated = view(a, std::move(sizes), [outer](Binder&, const Indices& i) {
    return Indices(i.begin() + static_cast<long>(outer), i.end());
  });
  // Its elements share memory: whoever wants to update it needs a copy.
  repeated.place = outer == 0 ? a.place : nullptr;
  one(s, repeated);
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Reshape& e) {
  std::vector<Expr> sizes;
  for (const seg::SubExp& d : e.shape) sizes.push_back(scalar(d));
  ArrayValue a = array(e.array);
  if (e.coerce) {
    a.dims = std::move(sizes);
    return one(s, a);
  }
  one(s, reshape(a, std::move(sizes)));
}

void BodyLowerer::lower(const seg::Stm& s, const seg::Rearrange& e) { one(s, rearrange(array(e.array), e.perm)); }

}  // namespace heddle::lower
