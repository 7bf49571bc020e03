// Values, arrays and their memory; the statements are lowered in body_*.cpp.
#include "rewrites/points/body.h"

#include <algorithm>
#include <utility>

#include "ir/support/error.h"
#include "rewrites/points/where_made.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

void BodyLowerer::stms(const seg::Stms& stms) {
  for (const seg::StmPtr& s : stms) stm(*s);
}

std::vector<KernelValue> BodyLowerer::body(const seg::Body& body) {
  stms(body.stms);
  std::vector<KernelValue> values;
  for (const seg::SubExpRes& r : body.result) values.push_back(value(r.value));
  return values;
}

void BodyLowerer::stm(const seg::Stm& s) {
  std::visit([&](const auto& e) { lower(s, e); }, s.exp);
}

void BodyLowerer::one(const seg::Stm& s, KernelValue value) { define(s.pat.at(0).name, std::move(value)); }

void BodyLowerer::all(const seg::Stm& s, std::vector<KernelValue> values) {
  for (size_t k = 0; k < s.pat.size(); ++k) define(s.pat[k].name, std::move(values.at(k)));
}

// ---- Values. ----

KernelValue BodyLowerer::value(const seg::SubExp& e) {
  if (!e.is_var()) return nest::constant(e.value());
  if (auto it = env_.find(e.name()); it != env_.end()) return it->second;
  const HostScope& host = kernel_.host();
  if (auto it = host.accs.find(e.name()); it != host.accs.end()) {
    AccValue acc{{}, it->second.shape.size(), std::nullopt, true, true};
    for (const Name& a : it->second.arrays) acc.arrays.push_back(kernel_.host_array(a, true));
    if (it->second.op) acc.op = it->second.op->op;
    return acc;
  }
  auto type = host.types.find(e.name());
  if (type != host.types.end() && type->second.is_array()) return kernel_.host_array(e.name(), false);
  return kernel_.host_scalar(e.name());
}

void BodyLowerer::define_point(const seg::SegSpace& space, const std::vector<Expr>& sizes, const Indices& index) {
  Expr flat = nest::constant(int64_t{0});
  for (size_t d = 0; d < index.size(); ++d) {
    define(space.dims[d].index, index[d]);
    flat = nest::add(nest::mul(flat, sizes[d]), index[d]);
  }
  define(space.flat, flat);
}

ArrayValue BodyLowerer::computed_here(const ComputedArray& array) {
  std::vector<Expr> sizes;
  for (const seg::SegDim& d : array.op().space.dims) sizes.push_back(kernel_.host_operand(d.size));
  auto read = [this, array](Binder&, const Indices& i) {
    const seg::SegOp& op = array.op();
    for (size_t k = 0; k < i.size(); ++k) define(op.space.dims[k].index, i[k]);
    bool outer = std::exchange(asserts_hold_, true);
    stms(op.body->stms);
    asserts_hold_ = outer;
    return scalar(std::get<seg::Returns>(op.body->results[array.result]).value);
  };
  return computed(array.op().types[array.result].elem, std::move(sizes), read);
}

Expr BodyLowerer::scalar(const seg::SubExp& e) {
  KernelValue v = value(e);
  if (auto* s = std::get_if<Expr>(&v)) return *s;
  throw Refused{internal_error("an array stands where a scalar is needed: " + e.name().text())};
}

ArrayValue BodyLowerer::array(const Name& name) {
  KernelValue v = value(name);
  if (auto* a = std::get_if<ArrayValue>(&v)) return *a;
  throw Refused{internal_error("a scalar stands where an array is needed: " + name.text())};
}

std::vector<Expr> BodyLowerer::dims(const seg::Type& type) {
  std::vector<Expr> dims;
  for (const seg::Dim& d : type.dims) {
    if (d.is_ext()) refuse("an array inside a kernel whose size depends on the branch taken");
    dims.push_back(scalar(d.size()));
  }
  return dims;
}

Expr BodyLowerer::let(const Name& like, const Expr& e) {
  Name name = kernel_.unique(like);
  definitions_.emplace(name, e);
  emit(nest::stmt(nest::Let{name, e}));
  return nest::var(name, e->type);
}

Expr BodyLowerer::bind(Expr e) {
  if (std::holds_alternative<nest::Const>(e->node) || std::holds_alternative<nest::Var>(e->node)) return e;
  return let(kernel_.names().fresh("t"), e);
}

// ---- Reading and writing. ----

Expr BodyLowerer::read(const ArrayValue& a, const Indices& index) { return a.read(*this, index); }

void BodyLowerer::store(const ArrayValue& a, const Indices& index, Expr value) {
  if (a.elem == Type::Unit) return;
  if (team_ && !a.place->of_thread) {
    value = bind(value);
    return together({}, [&](const Indices&) { store(a, index, value); });
  }
  emit(nest::stmt(nest::Store{a.place->buffer, a.place->locate(*this, index), std::move(value)}));
}

void BodyLowerer::loop(const Expr& extent, const std::function<void(const Expr&)>& emit_body) {
  if (nest::int_constant(extent) == 1) return emit_body(nest::constant(int64_t{0}));
  Name i = kernel_.names().fresh("i");
  nest::Block body = block([&] { emit_body(nest::var(i, Type::I64)); });
  emit(nest::stmt(nest::For{i, extent, nest::Role::Serial, std::move(body)}));
}

void BodyLowerer::copy(const ArrayValue& to, const ArrayValue& from) {
  if (to.elem == Type::Unit) return;
  for_all(from.dims, [&](const Indices& i) { store(to, i, read(from, i)); });
}

void BodyLowerer::store_value(const ArrayValue& a, const Indices& prefix, const KernelValue& value) {
  if (const auto* e = std::get_if<Expr>(&value)) return store(a, prefix, *e);
  if (const auto* from = std::get_if<ArrayValue>(&value)) copy(row(a, prefix), *from);
}

// ---- Memory. ----

std::optional<Expr> BodyLowerer::over_parameters(const Expr& e) {
  if (std::holds_alternative<nest::Const>(e->node)) return e;
  if (const auto* v = std::get_if<nest::Var>(&e->node)) {
    if (kernel_.is_parameter(v->name)) return e;
    auto it = definitions_.find(v->name);
    return it == definitions_.end() ? std::nullopt : over_parameters(it->second);
  }
  auto each = [&](const std::vector<Expr>& args) -> std::optional<std::vector<Expr>> {
    std::vector<Expr> out;
    for (const Expr& a : args) {
      auto x = over_parameters(a);
      if (!x) return std::nullopt;
      out.push_back(*x);
    }
    return out;
  };
  if (const auto* o = std::get_if<nest::Operation>(&e->node)) {
    auto args = each(o->args);
    return args ? std::optional(nest::operation(o->op, std::move(*args))) : std::nullopt;
  }
  if (const auto* c = std::get_if<nest::Call>(&e->node)) {
    auto args = each(c->args);
    return args ? std::optional(nest::call(c->function, std::move(*args))) : std::nullopt;
  }
  return std::nullopt;
}

bool BodyLowerer::has_varying_size(const seg::Pat& pat) {
  for (const seg::PatElem& p : pat) {
    if (!p.type.is_array()) continue;
    for (const Expr& d : dims(p.type)) {
      if (!over_parameters(d)) return true;
    }
  }
  return false;
}

bool BodyLowerer::fits_registers(Type elem, const std::vector<Expr>& dims) {
  if (team_) return false;  // they share what they have
  // What registers do not hold lies in the thread's local memory, for which the device has room already: as much as a scratch buffer takes
  // for all threads that may run, which would be the program's own.
  constexpr int64_t kMaxRegisterBytes = 8192;
  int64_t bytes = prim::size_bytes(elem);
  for (const Expr& d : dims) {
    auto size = over_parameters(d);
    auto n = size ? nest::int_constant(*size) : std::nullopt;
    bytes = n && *n >= 0 && bytes <= kMaxRegisterBytes ? bytes * *n : kMaxRegisterBytes + 1;
  }
  return bytes <= kMaxRegisterBytes;
}

void BodyLowerer::make_in(const ArrayValue& place, const seg::Stms& stms, const seg::SubExp& result) {
  if (fits_registers(place.elem, place.dims)) return;
  const WhereMade made = where_made({stms, {}}, result);
  if (made.outside) return;
  auto shared = std::make_shared<std::optional<ArrayValue>>(place);
  for (const Name& n : made.names) wanted_.insert_or_assign(n, shared);
}

ArrayValue BodyLowerer::fresh_array_for(const Name& name, Type elem, const std::vector<Expr>& dims) {
  auto it = wanted_.find(name);
  if (it == wanted_.end() || !*it->second || !std::ranges::equal((*it->second)->dims, dims, nest::equal))
    return fresh_array(elem, dims);
  return *std::exchange(*it->second, std::nullopt);
}

ArrayValue BodyLowerer::fresh_array(Type elem, const std::vector<Expr>& dims) {
  if (elem == Type::Unit) {
    return computed(elem, dims, [](Binder&, const Indices&) { return nest::constant(prim::Value::unit()); });
  }
  std::vector<Expr> sizes;
  for (const Expr& d : dims) {
    auto size = over_parameters(d);
    if (!size && team_) refuse("an array of a block whose size varies between blocks or iterations");
    if (!size) {
      ArrayValue memory = kernel_.room_array(elem);
      need_room(dims);
      return reshape(memory, dims);
    }
    sizes.push_back(*size);
  }
  if (team_) return team_->make_array(elem, sizes);
  if (fits_registers(elem, sizes)) {
    nest::Buffer buffer{kernel_.names().fresh("a"), elem, nest::Space::Register, sizes, nest::dense_strides(sizes)};
    emit(nest::stmt(nest::Alloc{buffer}));
    return whole_buffer(buffer, true);
  }
  return kernel_.scratch_array(elem, std::move(sizes));
}

void BodyLowerer::need_room(const std::vector<Expr>& dims) {
  if (!kernel_.finds_sizes()) return;
  Expr count = nest::constant(int64_t{1});
  for (const Expr& d : dims) count = nest::mul(count, d);
  count = bind(count);
  guarded(nest::less(kernel_.room(), count), [&] {
    Name old = kernel_.names().fresh("old");
    emit(nest::stmt(nest::AtomicUpdate{kernel_.needed().place->buffer,
                                       {nest::constant(int64_t{0})},
                                       old,
                                       {},
                                       nest::max(nest::var(old, Type::I64), count)}));
    emit(nest::stmt(nest::Store{kernel_.fits().name, {}, nest::constant(prim::Value::of_bool(false))}));
  });
}

ArrayValue BodyLowerer::variable_of_any_size(Type elem) {
  if (team_) refuse("an array of a block whose size changes");
  ArrayValue a = elem == Type::Unit ? fresh_array(elem, {}) : kernel_.room_array(elem);
  a.memory = std::make_shared<const ArrayValue>(a);
  return a;
}

ArrayValue BodyLowerer::of_size(const ArrayValue& variable, const std::vector<Expr>& dims) {
  ArrayValue a = variable.elem == Type::Unit ? fresh_array(Type::Unit, dims) : reshape(*variable.memory, dims);
  a.memory = variable.memory;
  return a;
}

ArrayValue BodyLowerer::copied(const ArrayValue& a) {
  ArrayValue fresh = fresh_array(a.elem, a.dims);
  copy(fresh, a);
  return fresh;
}

ArrayValue BodyLowerer::writable(const ArrayValue& a) {
  return a.elem == Type::Unit || (a.place && a.place->writable) ? a : copied(a);
}

ArrayValue BodyLowerer::variable(const seg::Type& type, const std::string& base, const Name* known_as) {
  if (type.is_acc()) return {};
  if (type.is_array() && known_as) return fresh_array_for(*known_as, type.elem, dims(type));
  if (type.is_array()) return fresh_array(type.elem, dims(type));
  if (type.elem == Type::Unit) return fresh_array(type.elem, {});
  nest::Buffer buffer{kernel_.names().fresh(base), type.elem, nest::Space::Register, {}, {}};
  emit(nest::stmt(nest::Alloc{buffer}));
  return whole_buffer(buffer, true);
}

KernelValue BodyLowerer::current(const ArrayValue& variable) {
  return variable.rank() == 0 ? KernelValue(bind(read(variable, {}))) : KernelValue(variable);
}

void BodyLowerer::assign(std::vector<ArrayValue> variables, std::vector<KernelValue> values) {
  auto array = [&](size_t k) { return std::get_if<ArrayValue>(&values[k]); };
  // Accumulators have no variables: they are updated where they are.
  auto stays = [&](size_t k) { return !variables[k].place || array(k)->place == variables[k].place; };
  // A team moves arrays of the same size in one loop, in which a thread reads an element of each before it writes one: so
  // they may change places.
  auto moved_at_once = [&](const ArrayValue& a, const ArrayValue& b) {
    return team_ && std::ranges::equal(a.dims, b.dims, nest::equal);
  };
  for (size_t k = 0; k < variables.size(); ++k) {
    if (auto* e = std::get_if<Expr>(&values[k])) *e = bind(*e);
    ArrayValue* a = array(k);
    if (!a || stays(k) || a->stable) continue;
    // A value that lies in the memory of one of the variables, other than as that variable itself, must be saved first.
    for (const ArrayValue& v : variables) {
      if (!v.place || !a->place || a->place->buffer != v.place->buffer) continue;
      if (a->place == v.place && moved_at_once(variables[k], v)) continue;
      *a = copied(*a);
      break;
    }
  }
  for (size_t k = 0; k < variables.size(); ++k) {
    if (!variables[k].memory || stays(k)) continue;
    need_room(array(k)->dims);
    variables[k] = of_size(variables[k], array(k)->dims);
  }
  std::vector<bool> done(variables.size());
  for (size_t k = 0; k < variables.size(); ++k) {
    if (done[k] || (array(k) && stays(k))) continue;
    if (!array(k) || !team_) {
      store_value(variables[k], {}, values[k]);
      continue;
    }
    std::vector<size_t> moved;
    for (size_t m = k; m < variables.size(); ++m) {
      if (done[m] || !array(m) || stays(m) || !moved_at_once(variables[k], variables[m])) continue;
      done[m] = true;
      moved.push_back(m);
    }
    together(array(k)->dims, [&](const Indices& at) {
      std::vector<Expr> elements;
      for (size_t m : moved) elements.push_back(bind(read(*array(m), at)));
      for (size_t i = 0; i < moved.size(); ++i) store(variables[moved[i]], at, elements[i]);
    });
  }
}

// ---- Views. ----

ArrayValue BodyLowerer::sliced(const ArrayValue& a, const seg::Slice& slice) {
  std::vector<Expr> dims;
  struct Selected {
    Expr start, stride;  // stride null: fixed
  };
  std::vector<Selected> selected;
  for (const seg::DimIndex& d : slice) {
    if (const auto* fix = std::get_if<seg::DimFix>(&d)) {
      selected.push_back({scalar(fix->index), nullptr});
    } else {
      const auto& s = std::get<seg::DimSlice>(d);
      selected.push_back({scalar(s.start), scalar(s.stride)});
      dims.push_back(scalar(s.count));
    }
  }
  return view(a, std::move(dims), [selected](Binder&, const Indices& i) {
    Indices out;
    size_t next = 0;
    for (const Selected& s : selected) {
      out.push_back(s.stride ? nest::add(s.start, nest::mul(i[next++], s.stride)) : s.start);
    }
    return out;
  });
}

ArrayValue BodyLowerer::flat_sliced(const ArrayValue& a, const seg::FlatSlice& slice) {
  Expr offset = scalar(slice.offset);
  std::vector<Expr> dims, strides;
  for (const seg::FlatDim& d : slice.dims) {
    dims.push_back(scalar(d.count));
    strides.push_back(scalar(d.stride));
  }
  return view(a, std::move(dims), [offset, strides](Binder&, const Indices& i) {
    Expr flat = offset;
    for (size_t k = 0; k < strides.size(); ++k) flat = nest::add(flat, nest::mul(i[k], strides[k]));
    return Indices{flat};
  });
}

void BodyLowerer::guarded(const Expr& condition, const std::function<void()>& emit_body) {
  nest::Block body = block(emit_body);
  emit(nest::stmt(nest::If{condition, std::move(body), {}}));
}

Expr BodyLowerer::within(const Expr& i, const Expr& size) {
  Expr zero = nest::constant(int64_t{0});
  return nest::both(nest::operation(prim::Op(prim::Family::Sle, Type::I64), {zero, i}), nest::less(i, size));
}

void BodyLowerer::if_inside(const ArrayValue& a, const Indices& index, const std::function<void()>& emit_body) {
  Expr ok = nest::constant(prim::Value::of_bool(true));
  for (size_t d = 0; d < index.size(); ++d) ok = nest::both(ok, within(index[d], a.dims[d]));
  guarded(ok, emit_body);
}

void BodyLowerer::checked_store(const ArrayValue& a, const seg::Slice& slice, const KernelValue& value) {
  // In bounds: every fixed index, and the first and last element of every slice that is not empty.
  Expr ok = nest::constant(prim::Value::of_bool(true));
  for (size_t d = 0; d < slice.size(); ++d) {
    if (const auto* fix = std::get_if<seg::DimFix>(&slice[d])) {
      ok = nest::both(ok, within(scalar(fix->index), a.dims[d]));
    } else {
      const auto& s = std::get<seg::DimSlice>(slice[d]);
      Expr start = scalar(s.start);
      Expr last = nest::add(start, nest::mul(nest::sub(scalar(s.count), nest::constant(int64_t{1})), scalar(s.stride)));
      ok = nest::both(ok, nest::both(within(start, a.dims[d]), within(last, a.dims[d])));
    }
  }
  guarded(ok, [&] { store_value(sliced(a, slice), {}, value); });
}

}  // namespace heddle::lower
