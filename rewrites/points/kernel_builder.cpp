#include "rewrites/points/kernel_builder.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// As many as threads run on a device at once do rarely meet in, in 1 MiB.
constexpr int64_t kLocks = 131072;

}  // namespace

Name KernelBuilder::unique(const Name& wanted) {
  if (used_.insert(wanted).second) return wanted;
  Name fresh = names_.fresh(wanted);
  used_.insert(fresh);
  return fresh;
}

void KernelBuilder::add_scalar(const Name& name, Type type, ScalarArg arg) {
  used_.insert(name);
  if (const auto* e = std::get_if<Expr>(&arg)) scalar_values_.emplace(name, *e);
  kernel_.scalars.push_back({name, type});
  scalar_args_.push_back(std::move(arg));
}

Expr KernelBuilder::host_scalar(const Name& name) {
  auto it = host_.types.find(name);
  if (it == host_.types.end() || !it->second.is_scalar()) {
    throw Refused{internal_error("the kernel uses " + name.text() + ", which is no scalar of the host program")};
  }
  Type type = it->second.elem;
  if (type == Type::Unit) return nest::constant(prim::Value::unit());
  Expr e = nest::var(name, type);
  if (!scalar_values_.contains(name)) add_scalar(name, type, e);
  return e;
}

void KernelBuilder::add_host_scalars(const nest::Block& body) {
  for (const Name& n : nest::free_names(body)) {
    auto it = host_.types.find(n);
    if (it != host_.types.end() && it->second.is_scalar()) host_scalar(n);
  }
}

Expr KernelBuilder::host_operand(const seg::SubExp& operand) {
  return operand.is_var() ? host_scalar(operand.name()) : nest::constant(operand.value());
}

ArrayValue KernelBuilder::host_array(const Name& name, bool writable) {
  auto it = arrays_.find(name);
  if (it != arrays_.end() && (it->second.place || !writable)) return it->second;
  if (!writable) {
    if (auto a = computed_array(name)) return arrays_.emplace(name, *a).first->second;
  }
  auto found = host_.types.find(name);
  if (found == host_.types.end() || !found->second.is_array()) {
    throw Refused{internal_error("the kernel uses " + name.text() + ", which is no array of the host program")};
  }
  const seg::Type& type = found->second;
  std::vector<Expr> dims;
  for (const seg::Dim& d : type.dims) dims.push_back(host_operand(d.size()));
  if (type.elem == Type::Unit) {
    auto unit = [](Binder&, const Indices&) { return nest::constant(prim::Value::unit()); };
    return arrays_.emplace(name, computed(type.elem, std::move(dims), unit)).first->second;
  }
  nest::Buffer buffer{name, type.elem, nest::Space::Global, dims, {}};
  if (auto perm = host_.layouts.dense_perm(name)) {
    buffer.strides.resize(dims.size());
    Expr stride = nest::constant(int64_t{1});
    for (size_t k = dims.size(); k-- > 0;) {
      auto d = static_cast<size_t>((*perm)[k]);
      buffer.strides[d] = stride;
      stride = nest::mul(dims[d], stride);
    }
  } else {
    for (size_t k = 0; k < dims.size(); ++k) {
      Name stride = names_.fresh("stride" + std::to_string(k));
      add_scalar(stride, Type::I64, StrideOf{name, static_cast<int>(k)});
      buffer.strides.push_back(nest::var(stride, Type::I64));
    }
  }
  used_.insert(name);
  kernel_.buffers.push_back(buffer);
  buffer_args_.emplace_back(HostArray{name});
  return arrays_.emplace(name, whole_buffer(buffer, writable)).first->second;
}

std::optional<ArrayValue> KernelBuilder::computed_array(const Name& name) {
  if (auto it = host_.computed.find(name); it != host_.computed.end() && compute_ && !it->second.by_all) {
    looked_through_.push_back(name);
    return compute_(it->second);
  }
  const seg::Exp* e = host_.facts.array_definition(name);
  if (!e) return std::nullopt;
  auto operands = [&](const std::vector<seg::SubExp>& xs) {
    std::vector<Expr> out;
    for (const seg::SubExp& x : xs) out.push_back(host_operand(x));
    return out;
  };
  if (const auto* iota = std::get_if<seg::Iota>(e)) {
    return lower::iota(iota->elem, host_operand(iota->count), host_operand(iota->start), host_operand(iota->stride));
  }
  if (const auto* replicate = std::get_if<seg::Replicate>(e); replicate && !replicate->shape.empty()) {
    const seg::SubExp& v = replicate->value;
    if (v.is_var() && !host_.types.at(v.name()).is_scalar()) return std::nullopt;
    Expr x = host_operand(v);
    return computed(x->type, operands(replicate->shape), [x](Binder&, const Indices&) { return x; });
  }
  auto filled = [&](std::vector<Expr> dims, const prim::Value& v) {
    return computed(v.type, std::move(dims), [v](Binder&, const Indices&) { return nest::constant(v); });
  };
  auto count = [](size_t n) { return nest::constant(static_cast<int64_t>(n)); };
  if (const auto* a = std::get_if<seg::ArrayVal>(e); a && !a->elems.empty()) {
    if (!std::all_of(a->elems.begin(), a->elems.end(), [&](const auto& x) { return x == a->elems[0]; }))
      return std::nullopt;
    return filled({count(a->elems.size())}, a->elems[0]);
  }
  if (const auto* a = std::get_if<seg::ArrayLit>(e); a && !a->elems.empty() && a->row_type.is_scalar()) {
    if (a->elems[0].is_var() || !std::all_of(a->elems.begin(), a->elems.end(), [&](const seg::SubExp& x) {
          return !x.is_var() && x.value() == a->elems[0].value();
        }))
      return std::nullopt;
    return filled({count(a->elems.size())}, a->elems[0].value());
  }
  if (const auto* r = std::get_if<seg::Rearrange>(e)) {
    auto source = computed_array(r->array);
    return source ? std::optional(rearrange(*source, r->perm)) : std::nullopt;
  }
  if (const auto* r = std::get_if<seg::Reshape>(e)) {
    auto source = computed_array(r->array);
    return source ? std::optional(reshape(*source, operands(r->shape))) : std::nullopt;
  }
  return std::nullopt;
}

Expr KernelBuilder::launch_scalar(const std::string& base, Expr host_value) {
  Name name = names_.fresh(base);
  Type type = host_value->type;
  add_scalar(name, type, std::move(host_value));
  return nest::var(name, type);
}

void KernelBuilder::bound_launch_scalar(const Expr& scalar, const Expr& most) {
  change_launch_scalar(scalar, [&](const Expr& value) { return nest::min(value, most); });
}

void KernelBuilder::raise_launch_scalar(const Expr& scalar, const Expr& least) {
  change_launch_scalar(scalar, [&](const Expr& value) { return nest::max(value, least); });
}

void KernelBuilder::change_launch_scalar(const Expr& scalar, const std::function<Expr(const Expr&)>& change) {
  const Name& name = std::get<nest::Var>(scalar->node).name;
  Expr& value = scalar_values_.at(name);
  value = change(value);
  const auto at = std::ranges::find(kernel_.scalars, name, &nest::ScalarParam::name) - kernel_.scalars.begin();
  scalar_args_[static_cast<size_t>(at)] = value;
}

const nest::Buffer* KernelBuilder::buffer_of(const Name& array) const {
  auto found = std::ranges::find(kernel_.buffers, array, &nest::Buffer::name);
  return found == kernel_.buffers.end() ? nullptr : &*found;
}

Expr KernelBuilder::address_of(const Name& array) {
  Name name = names_.fresh("address");
  add_scalar(name, Type::I64, AddressOf{array});
  return nest::var(name, Type::I64);
}

ArrayValue KernelBuilder::result_array(int index, const FreshResult& result) {
  nest::Buffer buffer{names_.fresh("result"), result.elem, nest::Space::Global, result.shape, {}};
  buffer.strides.resize(result.shape.size());
  Expr stride = nest::constant(int64_t{1});
  for (size_t k = result.shape.size(); k-- > 0;) {
    auto d = static_cast<size_t>(result.perm[k]);
    buffer.strides[d] = stride;
    stride = nest::mul(result.shape[d], stride);
  }
  kernel_.buffers.push_back(buffer);
  buffer_args_.emplace_back(ResultArray{index});
  return whole_buffer(buffer, true);
}

ArrayValue KernelBuilder::temporary_array(int index, Type elem, std::vector<Expr> dims, bool exchanged) {
  nest::Buffer buffer{names_.fresh("temporary"), elem, nest::Space::Global, std::move(dims), {}, exchanged};
  buffer.strides = nest::dense_strides(buffer.dims);
  kernel_.buffers.push_back(buffer);
  buffer_args_.emplace_back(TemporaryArray{index});
  return whole_buffer(buffer, true);
}

ArrayValue KernelBuilder::mailbox(int64_t words) {
  nest::Buffer buffer{names_.fresh("mailbox"),      Type::I64, nest::Space::Global, {nest::constant(words)},
                      {nest::constant(int64_t{1})}, true};
  kernel_.buffers.push_back(buffer);
  buffer_args_.emplace_back(Mailbox{words});
  return whole_buffer(buffer, true);
}

const ArrayValue& KernelBuilder::locks() {
  if (!locks_) locks_ = mailbox(kLocks);
  return *locks_;
}

ArrayValue KernelBuilder::scratch_array(Type elem, std::vector<Expr> dims) {
  if (!has_scratch_) {
    has_scratch_ = true;
    thread_ = names_.fresh("thread");
    num_threads_ = names_.fresh("num_threads");
  }
  Expr num_elems = nest::constant(int64_t{1});
  for (const Expr& d : dims) num_elems = nest::mul(num_elems, host_value(d));
  nest::Buffer buffer{names_.fresh("scratch"), elem, nest::Space::Global, std::move(dims), {}};
  // Neighbouring threads access neighbouring elements, or each thread has its own lines of a cache.
  const bool apart = host_.layouts.device() == Device::Threads;
  buffer.dims.insert(apart ? buffer.dims.begin() : buffer.dims.end(), nest::var(num_threads_, Type::I64));
  buffer.strides = nest::dense_strides(buffer.dims);
  kernel_.buffers.push_back(buffer);
  scratches_.push_back(buffer_args_.size());
  buffer_args_.emplace_back(ScratchArray{elem, std::move(num_elems)});
  const Indices own = {nest::var(thread_, Type::I64)};
  return apart ? row(whole_buffer(buffer, true), own) : whole_buffer(buffer, true, own);
}

ArrayValue KernelBuilder::room_array(Type elem) {
  if (!room_) {
    room_ = names_.fresh("room");
    add_scalar(*room_, Type::I64, room());
    if (finds_sizes_) {
      needed_ = temporary_array(0, Type::I64, {nest::constant(int64_t{1})});
      fits_ = names_.fresh("fits");
    }
  }
  return scratch_array(elem, {room()});
}

Expr KernelBuilder::scratch_bytes() const {
  Expr bytes = nest::constant(int64_t{0});
  for (size_t k : scratches_) {
    const auto& s = std::get<ScratchArray>(buffer_args_[k]);
    bytes = nest::add(bytes, nest::mul(s.num_elems, nest::constant(int64_t{prim::size_bytes(s.elem)})));
  }
  return bytes;
}

ArrayValue KernelBuilder::block_array(Type elem, std::vector<Expr> dims, const Blocks& blocks) {
  Expr num_elems = host_value(blocks.count);
  for (const Expr& d : dims) num_elems = nest::mul(num_elems, host_value(d));
  nest::Buffer buffer{names_.fresh("of_block"), elem, nest::Space::Global, std::move(dims), {}};
  buffer.dims.insert(buffer.dims.begin(), blocks.count);
  buffer.strides = nest::dense_strides(buffer.dims);
  kernel_.buffers.push_back(buffer);
  buffer_args_.emplace_back(ScratchArray{elem, std::move(num_elems)});
  return row(whole_buffer(buffer, true), {blocks.block});
}

nest::Facts KernelBuilder::facts(const nest::Block& body) {
  nest::Facts facts(names_, [&host = host_](const Name& n) { return host.facts.definition(n); });
  host_.facts.tell(facts);
  const nest::NameSet written = nest::written_buffers(body);
  for (const nest::Buffer& b : kernel_.buffers) {
    if (!written.contains(b.name)) facts.constant_buffer(b.name);
  }
  return facts;
}

Expr KernelBuilder::host_value(const Expr& over_parameters) const {
  return nest::substitute(scalar_values_, over_parameters);
}

Launch KernelBuilder::finish(std::string name, nest::Block body, Expr num_blocks, Expr block_size,
                             const std::optional<Expr>& num_threads) && {
  if (has_scratch_) {
    add_scalar(num_threads_, Type::I64, *num_threads);
    for (size_t k : scratches_) {
      auto& s = std::get<ScratchArray>(buffer_args_[k]);
      s.num_elems = nest::mul(s.num_elems, *num_threads);
    }
  }
  kernel_.name = std::move(name);
  kernel_.body = std::move(body);
  if (!nest::may_fail(kernel_.body)) failures_.clear();
  return Launch{std::move(kernel_),    std::move(scalar_args_), std::move(buffer_args_),
                std::move(num_blocks), std::move(block_size),   std::move(failures_)};
}

}  // namespace heddle::lower
