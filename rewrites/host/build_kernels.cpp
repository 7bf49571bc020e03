// Seg ops: memory for their results, and the launches that fill it.
#include "ir/nest/index_map.h"
#include "rewrites/contraction/geometry_members.h"
#include "rewrites/contraction/shape.h"
#include "rewrites/host/builder.h"
#include "rewrites/recipes/way.h"

namespace heddle::host {

using prim::Op;

namespace {

bool reads_memory(const Expr& expr) {
  bool found = false;
  nest::for_each_expr(expr, [&](const Expr& e) { found |= std::holds_alternative<nest::Load>(e->node); });
  return found;
}

}  // namespace

// ---- Tables. ----

void Builder::add_kernel(const lower::Launch& launch) {
  for (const lower::ScalarArg& arg : launch.scalar_args) {
    const auto* e = std::get_if<Expr>(&arg);
    if (e && reads_memory(*e)) refuse("launch arguments that read arrays");
  }
  std::vector<nest::Kernel>& all = tables_.program.kernels;
  if (!tables_.kernels.emplace(&launch, static_cast<int>(all.size())).second) return;
  all.push_back(launch.kernel);
}

void Builder::add_tables(const lower::Plan& lowered) {
  if (lowered.rooms) add_kernel(lowered.rooms->sizes);
  for (const lower::Launch& launch : lowered.launches) add_kernel(launch);
  if (!tables_.compiles) return;
  std::vector<FamilyKernel>& all = tables_.program.family_kernels;
  for (const lower::Specialized& way : lowered.specialized) {
    if (!tables_.family_kernels.emplace(&way, static_cast<int>(all.size())).second) continue;
    for (const lower::Launch& l : way.first) add_kernel(l);
    for (const lower::Launch& l : way.after) add_kernel(l);
    all.push_back(family_kernel(way, tables_.labels.at(&way)));
  }
}

// ---- Launches. ----

void Builder::run_kernels(const seg::Stm& stm) {
  auto found = tables_.lowered.plans.find(&stm);
  if (found == tables_.lowered.plans.end()) {
    static constexpr const char* kNames[] = {"this segmap", "this segred", "this segscan", "this seghist"};
    const auto* op = std::get_if<seg::SegOp>(&stm.exp);
    refuse(op ? kNames[static_cast<int>(op->kind)] : "this gpu block");
  }
  const lower::Plan& lowered = found->second;
  add_tables(lowered);
  Memory memory;
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    memory.results.emplace_back();
    const auto* place = std::get_if<lower::FreshResult>(&lowered.results[i]);
    if (!place) continue;
    std::vector<Expr> shape = exprs(place->shape);
    memory.results[i] = own(alloc(bind(stm.pat[i]), place->elem, std::move(shape), place->perm));
  }
  if (tables_.compiles && !lowered.specialized.empty()) {
    choose(lowered, memory);
  } else {
    run_launches(lowered, memory);
  }
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    const auto* place = std::get_if<lower::UpdatedResult>(&lowered.results[i]);
    if (place && kind_of(stm.pat[i].type) == Kind::Array) share(stm.pat[i], name(place->array));
  }
}

void Builder::run_launches(const lower::Plan& lowered, Memory memory) {
  if (lowered.rooms) find_room(*lowered.rooms, memory);
  if (lowered.block_memory)
    add(GetMax{bind(*lowered.block_memory, Type{prim::Type::I64}), seg::SizeClassKind::SharedMemory});
  for (const lower::Filled& f : lowered.filled) {
    begin();
    add(Fill{memory.results[static_cast<size_t>(f.result)], f.value});
    Block fill = finish({});
    add(If{{{expr(f.where), std::move(fill)}}, {}, {}});
  }
  memory.temporaries = allocate(lowered.temporaries);
  for (const lower::Launch& l : lowered.launches) launch(l, memory);
  release(memory.temporaries);
}

namespace {

// Elements for which arrays have room at first: enough for most that are made in threads.
constexpr int64_t kFirstRoom = 64;

}  // namespace

// At least twice as much from time to time, so that arrays that grow step by step take few launches.
void Builder::find_room(const lower::Rooms& rooms, Memory memory) {
  const Type size{prim::Type::I64}, flag{prim::Type::Bool};
  const Binder tried{bind(rooms.tried, size), size}, lacks{fresh("lacks", flag), flag};
  begin();
  Name needed = alloc(fresh("needed", {prim::Type::I64, 1}), prim::Type::I64, {nest::constant(int64_t{1})});
  add(Fill{needed, nest::constant(int64_t{0})});
  memory.temporaries = {needed};
  launch(rooms.sizes, memory);
  Name wanted = fresh("wanted", size);
  add(ReadElement{wanted, size.elem, needed, {nest::constant(int64_t{0})}});
  free_now(needed);
  Expr had = nest::var(tried.name, size.elem), wants = nest::var(wanted, size.elem);
  Expr more = nest::max(wants, nest::mul(had, nest::constant(int64_t{2})));
  Expr short_of_it = nest::less(had, wants);
  Loop loop{{{tried, nest::constant(kFirstRoom)}, {lacks, nest::constant(prim::Value::of_bool(true))}},
            WhileTrue{lacks.name},
            finish({nest::select(short_of_it, more, had), short_of_it}),
            {}};
  loop.results = {bind(rooms.room, size), fresh("lacked", flag)};
  add(std::move(loop));
}

std::vector<Name> Builder::allocate(const std::vector<lower::Temporary>& temporaries) {
  std::vector<Name> names;
  for (const lower::Temporary& t : temporaries)
    names.push_back(alloc(fresh("temporary", {t.elem, 1}), t.elem, {expr(t.num_elems)}));
  return names;
}

void Builder::release(const std::vector<Name>& arrays) {
  for (const Name& a : arrays) free_now(a);
}

Name Builder::buffer(const lower::BufferArg& arg, const Memory& memory) const {
  if (const auto* host = std::get_if<lower::HostArray>(&arg)) return name(host->name);
  if (const auto* result = std::get_if<lower::ResultArray>(&arg))
    return memory.results[static_cast<size_t>(result->index)];
  return memory.temporaries.at(static_cast<size_t>(std::get<lower::TemporaryArray>(arg).index));
}

std::vector<Expr> Builder::scalar_args(const lower::Launch& launch) {
  std::vector<Expr> all;
  for (const lower::ScalarArg& arg : launch.scalar_args) {
    all.push_back(scalar_arg(arg));
  }
  return all;
}

Expr Builder::scalar_arg(const lower::ScalarArg& arg) {
  if (const auto* of = std::get_if<lower::StrideOf>(&arg)) return stride(name(of->array), of->dim);
  if (const auto* of = std::get_if<lower::AddressOf>(&arg))
    return measure(Aspect::Address, name(of->array), 0, "address");
  return expr(std::get<Expr>(arg));
}

void Builder::launch(const lower::Launch& launch, const Memory& memory, bool chosen) {
  for (const lower::HostCheck& c : launch.checks) add(Assert{expr(c.holds), c.failure, exprs(c.args)});
  std::vector<Expr> scalars = scalar_args(launch);
  std::vector<Name> buffers, scratches;
  for (const lower::BufferArg& arg : launch.buffer_args) {
    if (const auto* scratch = std::get_if<lower::ScratchArray>(&arg)) {
      scratches.push_back(alloc(fresh("scratch", {scratch->elem, 1}), scratch->elem, {expr(scratch->num_elems)}));
      buffers.push_back(scratches.back());
    } else {
      buffers.push_back(buffer(arg, memory));
    }
  }
  if (chosen) {
    add(LaunchChosen{std::move(scalars), std::move(buffers)});
  } else {
    add(Launch{tables_.kernels.at(&launch), std::move(scalars), std::move(buffers)});
  }
  release(scratches);
}

void Builder::pack(const lower::Pack& pack, const Memory& memory) {
  nest::Substitution values;
  for (size_t i = 0; i < pack.scalars.size(); ++i) {
    values.emplace(pack.scalars[i].name, scalar_arg(pack.scalar_args[i]));
  }
  auto here = [&](const std::vector<Expr>& list) {
    std::vector<Expr> all;
    for (const Expr& e : list) all.push_back(nest::substitute(values, e));
    return all;
  };
  add(Pack{buffer(pack.to, memory), buffer(pack.from, memory), here(pack.shape), here(pack.to_strides),
           here(pack.from_strides)});
}

// ---- Ways to choose from. ----

void Builder::choose(const lower::Plan& lowered, const Memory& memory) {
  for (const lower::Launch& l : lowered.launches) scalar_args(l);  // measured once, for all ways
  Choose node;
  for (const lower::Specialized& s : lowered.specialized) node.ways.push_back(way(s, lowered.launches[0], memory));
  begin();
  run_launches(lowered, memory);
  node.otherwise = finish({});
  add(std::move(node));
}

namespace {

// What the kernel takes to be narrow (nest::Kernel::address_scalars), over its own scalars.
std::vector<Expr> narrow_values(const nest::Kernel& kernel) {
  std::vector<Expr> result;
  nest::NameSet strides;
  for (const nest::Buffer& b : kernel.buffers) {
    for (const Expr& stride : b.strides) {
      if (const auto* v = std::get_if<nest::Var>(&stride->node)) {
        strides.insert(v->name);
      } else if (!nest::int_constant(stride)) {
        result.push_back(stride);
      }
    }
  }
  for (const nest::ScalarParam& s : kernel.scalars) {
    if (nest::is_address_scalar(kernel, s.name) || strides.contains(s.name))
      result.push_back(nest::var(s.name, s.type));
  }
  return result;
}

// Whether the elements follow each other in row-major order.
bool is_dense(const nest::Buffer& b) {
  std::vector<Expr> dense = nest::dense_strides(b.dims);
  for (size_t d = 0; d < b.dims.size(); ++d) {
    auto expected = nest::from_expr(dense[d], nest::no_definition);
    if (!expected || expected != nest::from_expr(b.strides[d], nest::no_definition)) return false;
  }
  return true;
}

std::vector<Expr> flags(const std::vector<bool>& list) {
  std::vector<Expr> all;
  for (bool b : list) all.push_back(nest::constant(prim::Value::of_bool(b)));
  return all;
}

Expr number(size_t n) { return nest::constant(static_cast<int64_t>(n)); }

}  // namespace

// How far apart the elements along a buffer's last dimension are, if only the array at hand tells. Kernels take them to be
// neighbours when they move several at a time.
std::optional<Expr> Builder::last_stride(const lower::Launch& launch, const nest::Buffer& buffer) {
  if (buffer.strides.empty()) return std::nullopt;
  const nest::NameSet used = nest::free_names(buffer.strides.back());
  nest::Substitution values;
  for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
    const auto* of = std::get_if<lower::StrideOf>(&launch.scalar_args[i]);
    const Name& param = launch.kernel.scalars[i].name;
    if (of && used.contains(param)) values.emplace(param, stride(name(of->array), of->dim));
  }
  if (values.empty()) return std::nullopt;
  values.merge(lower::host_values(launch));
  return nest::substitute(values, buffer.strides.back());
}

// struct hd_contraction of runtime/contraction/tiling.h, but for the geometry, which is the kernel's.
Record Builder::contraction(const lower::Specialized& s, const nest::Substitution& values) {
  auto here = [&](const Expr& e) { return nest::substitute(values, e); };
  auto all_here = [&](const std::vector<Expr>& list) {
    std::vector<Expr> all;
    for (const Expr& e : list) all.push_back(here(e));
    return all;
  };
  auto row_alignment = [&](const Expr& bits, int64_t elem_size) {
    Name n = fresh("aligned", {prim::Type::I64});
    add(Ask{n, Question::RowAlignment, {bits, nest::constant(elem_size)}});
    return nest::var(n, prim::Type::I64);
  };
  const std::vector<nest::Buffer>& buffers = s.launch.kernel.buffers;
  heddle::contraction::Shape shape = heddle::contraction::shape_of(s.match, buffers);
  Records operands;
  for (const heddle::contraction::OperandShape& o : shape.operands) {
    int64_t elem_size = prim::size_bytes(o.elem);
    // Of powers of two, the least is what divides all: where the array begins, and how long the rows are in which it is
    // seen here.
    Expr bits = here(o.row);
    if (const auto* array = std::get_if<lower::HostArray>(&s.launch.buffer_args[o.buffer])) {
      Aspect aspect = is_dense(buffers[o.buffer]) ? Aspect::Address : Aspect::Alignment;
      bits = nest::operation(Op(prim::Family::Or, prim::Type::I64),
                             {measure(aspect, name(array->name), 0, "begins"), bits});
    }
    if (auto last = last_stride(s.launch, buffers[o.buffer])) {
      Expr follow = nest::operation(Op(prim::Family::Eq, prim::Type::I64), {*last, nest::constant(int64_t{1})});
      bits = nest::operation(Op(prim::Family::Or, prim::Type::I64),
                             {bits, nest::select(follow, nest::constant(int64_t{0}), nest::constant(int64_t{1}))});
    }
    operands.push_back({"tiled_operand",
                        {{"rank", number(o.constants.size())},
                         {"elem_size", nest::constant(elem_size)},
                         {"coefficients", all_here(o.coefficients)},
                         {"constants", all_here(o.constants)},
                         {"reach", all_here(o.reach)},
                         {"aligned", row_alignment(bits, elem_size)},
                         {"by_group", nest::constant(prim::Value::of_bool(o.by_group))},
                         {"transposed", nest::constant(prim::Value::of_bool(o.transposed))}}});
  }
  Expr result_aligned = row_alignment(here(shape.extents[shape.num_parallel - 1]), prim::size_bytes(shape.result));
  return {"contraction",
          {{"num_parallel", number(shape.num_parallel)},
           {"num_reduction", number(shape.num_reduction)},
           {"num_operands", number(shape.operands.size())},
           {"extents", all_here(shape.extents)},
           {"separable", flags(shape.separable)},
           {"window", flags(shape.window)},
           {"may_overrun", flags(shape.may_overrun)},
           {"elem_size", nest::constant(int64_t{prim::size_bytes(shape.sum)})},
           {"result_aligned", result_aligned},
           {"operands", std::move(operands)},
           {"num_by_blocks", number(s.parts ? 1 : 0)},
           {"products", nest::constant(shape.products)}}};
}

Way Builder::way(const lower::Specialized& s, const lower::Launch& direct, Memory memory) {
  Way result;
  result.kernel = tables_.family_kernels.at(&s);
  begin();
  if (s.parts) {
    std::vector<Expr> args{expr(s.parts->points), expr(s.parts->extent), expr(s.parts->depth)};
    add(Ask{bind(s.parts->name, {prim::Type::I64}), Question::Parts, std::move(args)});
  }
  if (s.detour) {
    std::vector<Expr> args{expr(s.detour->saved), expr(s.detour->moved), expr(s.detour->kernels), expr(s.detour->room)};
    add(Ask{bind(s.detour->pays, {prim::Type::I64}), Question::DetourPays, std::move(args)});
  }
  result.asked = finish({});
  result.guard = s.guard ? expr(s.guard) : nest::constant(prim::Value::of_bool(true));

  begin();
  nest::Substitution values;
  for (const lower::Launch* l : {&direct, &s.launch}) {
    std::vector<Expr> args = scalar_args(*l);
    for (size_t i = 0; i < args.size(); ++i) values.emplace(l->kernel.scalars[i].name, args[i]);
  }
  for (const auto& [constant, value] : s.fixed) values.emplace(constant, expr(value));
  std::map<std::pair<Name, int>, Expr> strides = frames_.back().strides;
  result.shape = contraction(s, values);
  result.measured = finish({});
  auto here = [&](const Expr& e) { return nest::substitute(values, e); };
  for (const Name& n : heddle::contraction::sizes_of(s.geometry, s.tiling))
    result.sizes.push_back(here(nest::var(n, prim::Type::I64)));
  for (const auto& [constant, value] : s.fixed) result.fixed.push_back(expr(value));
  for (const Expr& e : narrow_values(s.launch.kernel)) result.places.push_back(here(e));

  begin();
  frames_.back().strides = std::move(strides);
  memory.temporaries = allocate(s.temporaries);
  for (const lower::Pack& p : s.before) pack(p, memory);
  for (const lower::Launch& l : s.first) launch(l, memory);
  launch(s.launch, memory, true);
  for (const lower::Launch& l : s.after) launch(l, memory);
  std::vector<Value> yields;
  if (s.doubt) {
    const Name doubt = fresh("doubt", {prim::Type::I32});
    add(ReadElement{doubt, prim::Type::I32, memory.temporaries[static_cast<size_t>(*s.doubt)], {number(0)}});
    yields.emplace_back(nest::operation(Op(prim::Family::Eq, prim::Type::I32),
                                        {nest::var(doubt, prim::Type::I32), nest::constant(prim::Value::i32(0))}));
  }
  release(memory.temporaries);
  result.body = finish(std::move(yields));
  return result;
}

// ---- For the families. ----

FamilyKernel family_kernel(const lower::Specialized& way, const std::string& label) {
  FamilyKernel result{"contraction", label, way.launch.kernel, {}, {}, {}};
  hd_tiling tiling;
  for (const heddle::contraction::Member& m : heddle::contraction::tiling_members(way.tiling, tiling))
    result.chosen.push_back({m.text, std::get<nest::Var>(m.value->node).name});
  result.sizes = heddle::contraction::sizes_of(way.geometry, way.tiling);
  auto add = [&](const char* name, const std::vector<heddle::contraction::Member>& members) {
    FamilyKernel::Function f{name, {}};
    for (const heddle::contraction::Member& m : members) f.results.push_back({m.text, m.value});
    result.functions.push_back(std::move(f));
  };
  hd_tile_geometry tiles;
  add("tile_geometry", heddle::contraction::tile_members(way.geometry, tiles));
  hd_kernel_geometry kernel;
  add("kernel_geometry", heddle::contraction::kernel_members(way.geometry, kernel));
  return result;
}

}  // namespace heddle::host
