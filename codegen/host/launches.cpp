// Seg ops: memory for their results, and the launches that fill it.
#include "codegen/cuda/kernel_text.h"
#include "codegen/host/function_writer.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen::host {

void FunctionWriter::run_kernels(const seg::Stm& stm, Ending& ending) {
  const lower::Lowered& lowered = program_.kernels.at(&stm);
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    const auto* place = std::get_if<lower::FreshResult>(&lowered.results[i]);
    if (!place) continue;
    std::string dst = c_name(stm.pat[i].name);
    std::vector<std::string> shape;
    for (const nest::Expr& e : place->shape) shape.push_back(c_expr(e));
    bool row_major = true;
    for (size_t d = 0; d < place->perm.size(); ++d) row_major &= place->perm[d] == static_cast<int>(d);
    if (row_major) {
      allocate(dst, place->elem, shape);
    } else {
      try_call("hd_array_alloc_permuted(ctx, &{}, {}, {}, {}, {})", dst, c_enum(place->elem), shape.size(),
               c_int64s(shape), c_ints(place->perm));
    }
  }
  if (!survey_.specialized.empty() && !lowered.specialized.empty()) {
    run_specialized(stm, lowered);
  } else {
    run_launches(stm, lowered);
  }
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    const auto* place = std::get_if<lower::UpdatedResult>(&lowered.results[i]);
    if (place && kind_of(stm.pat[i].type) == Kind::Array) alias(c_name(stm.pat[i].name), place->array, ending);
  }
}

void FunctionWriter::run_launches(const seg::Stm& stm, const lower::Lowered& lowered) {
  const std::vector<std::string> temporaries = allocate(lowered.temporaries);
  for (const lower::Launch& l : lowered.launches) launch(stm, l, temporaries);
  release(temporaries);
}

std::vector<std::string> FunctionWriter::allocate(const std::vector<lower::Temporary>& temporaries) {
  std::vector<std::string> names;
  for (const lower::Temporary& t : temporaries) {
    names.push_back(fresh("temporary"));
    declare_array(names.back());
    allocate(names.back(), t.elem, {c_expr(t.num_elems)});
  }
  return names;
}

void FunctionWriter::release(const std::vector<std::string>& temporaries) {
  for (const std::string& t : temporaries) out_.line("hd_array_release(ctx, &{});", t);
}

std::string scalar_arg(const lower::ScalarArg& arg) {
  if (const auto* stride = std::get_if<lower::StrideOf>(&arg)) {
    return fmt::format("{}.stride[{}]", c_name(stride->array), stride->dim);
  }
  return c_expr(std::get<nest::Expr>(arg));
}

namespace {

// The kernel's names may be names of the host function, too; here they get names of their own.
Name own(const Name& n) { return {"arg_" + n.base, n.tag}; }

// Scalars of a launch that already have a name. The sizes of tiles recur in their numbers, and written out each time they
// are much of what the C compiler has to read.
class Computed {
 public:
  void add(const nest::Expr& value, const nest::Expr& name) {
    if (!std::holds_alternative<nest::Var>(value->node) && !std::holds_alternative<nest::Const>(value->node))
      known_.emplace_back(value, name);
  }

  // The expression with names in place of what is known.
  nest::Expr look_up(nest::Expr e) const {
    Lookup lookup{{}, known_};
    lookup.expr(e);
    return e;
  }

 private:
  using Known = std::vector<std::pair<nest::Expr, nest::Expr>>;

  struct Lookup : nest::Rebuilder<Lookup> {
    const Known& known;

    void expr(nest::Expr& e) {
      for (const auto& [value, name] : known) {
        if (nest::equal(value, e)) {
          e = name;
          return;
        }
      }
      nest::Rebuilder<Lookup>::expr(e);
    }
  };

  Known known_;
};

// The host's variable for memory that is there already.
std::string array_name(const seg::Stm& stm, const lower::BufferArg& arg, const std::vector<std::string>& temporaries) {
  if (const auto* host = std::get_if<lower::HostArray>(&arg)) return c_name(host->name);
  if (const auto* result = std::get_if<lower::ResultArray>(&arg))
    return c_name(stm.pat[static_cast<size_t>(result->index)].name);
  return temporaries.at(static_cast<size_t>(std::get<lower::TemporaryArray>(arg).index));
}

}  // namespace

void FunctionWriter::pack(const seg::Stm& stm, const lower::Pack& pack, const std::vector<std::string>& temporaries) {
  out_.open("");
  nest::Substitution scalars;
  for (size_t i = 0; i < pack.scalars.size(); ++i) {
    const nest::ScalarParam& param = pack.scalars[i];
    out_.line("{} {} = {};", prim::c_type(param.type), c_name(own(param.name)), scalar_arg(pack.scalar_args[i]));
    scalars.emplace(param.name, nest::var(own(param.name), param.type));
  }
  auto values = [&](const std::vector<nest::Expr>& list) {
    std::vector<std::string> texts;
    for (const nest::Expr& e : list) texts.push_back(c_expr(nest::substitute(scalars, e)));
    return c_int64s(texts);
  };
  try_call("hd_array_pack(ctx, &{}, &{}, {}, {}, {}, {})", array_name(stm, pack.to, temporaries),
           array_name(stm, pack.from, temporaries), pack.shape.size(), values(pack.shape), values(pack.to_strides),
           values(pack.from_strides));
  out_.close();
}

void FunctionWriter::launch(const seg::Stm& stm, const lower::Launch& launch,
                            const std::vector<std::string>& temporaries, const std::optional<Variant>& variant) {
  out_.open("");
  std::vector<std::string> args{"hd_failure_address(ctx)"};

  nest::Substitution scalars;
  Computed computed;
  for (size_t i = 0; i < launch.kernel.scalars.size(); ++i) {
    const nest::ScalarParam& param = launch.kernel.scalars[i];
    if (!has_text(param.type)) continue;
    std::string name = c_name(own(param.name));
    lower::ScalarArg arg = launch.scalar_args[i];
    if (auto* value = std::get_if<nest::Expr>(&arg)) {
      nest::Expr whole = *value;
      *value = computed.look_up(whole);
      computed.add(whole, nest::var(own(param.name), param.type));
    }
    out_.line("{} {} = {};", prim::c_type(param.type), name, scalar_arg(arg));
    if (nest::is_address_scalar(launch.kernel, param.name)) {
      out_.line("int32_t {}_place = (int32_t){};", name, name);
      name += "_place";
    }
    args.push_back("&" + name);
    scalars.emplace(param.name, nest::var(own(param.name), param.type));
  }

  for (size_t i = 0; variant && i < launch.kernel.constants.size(); ++i) {
    Name constant = own(launch.kernel.constants[i]);
    out_.line("int64_t {} = {}[{}];", c_name(constant), variant->values, i);
    scalars.emplace(launch.kernel.constants[i], nest::var(constant, prim::Type::I64));
  }

  std::vector<std::string> scratches;
  for (size_t i = 0; i < launch.kernel.buffers.size(); ++i) {
    const nest::Buffer& buffer = launch.kernel.buffers[i];
    if (!has_text(buffer.elem)) continue;
    std::string array;
    if (const auto* scratch = std::get_if<lower::ScratchArray>(&launch.buffer_args[i])) {
      array = fmt::format("scratch{}", scratches.size());
      declare_array(array);
      allocate(array, scratch->elem, {c_expr(scratch->num_elems)});
      scratches.push_back(array);
    } else {
      array = array_name(stm, launch.buffer_args[i], temporaries);
    }
    std::string name = c_name(own(buffer.name));
    out_.line("void *{} = hd_array_address(&{});", name, array);
    args.push_back("&" + name);
  }

  auto size = [&](const nest::Expr& e) { return c_expr(nest::substitute(scalars, e)); };
  for (const nest::Expr& d : divisors(launch.kernel)) {
    std::string name = fmt::format("divisor{}", args.size());
    out_.line("struct hd_divisor {} = hd_divisor_of({});", name, size(d));
    args.push_back("&" + name);
  }
  out_.line("void *args[] = {{{}}};", join(args));
  out_.open("const struct hd_launch launch =");
  if (!variant) {
    int index = survey_.kernel_index.at(&launch);
    out_.line(".kernel = {},  // {}", index, survey_.kernels[static_cast<size_t>(index)].kernel.name);
  }
  out_.line(".num_blocks = {},", size(launch.num_blocks));
  out_.line(".block_size = (int)({}),", size(launch.block_size));
  out_.line(".shared_bytes = {},", size(shared_bytes(launch.kernel)));
  out_.line(".args = args,");
  out_.close(";");
  if (variant) {
    try_call("hd_launch_variant(ctx, {}, &launch)", variant->code);
  } else {
    try_call("hd_launch_kernel(ctx, &launch)");
  }
  for (const std::string& s : scratches) out_.line("hd_array_release(ctx, &{});", s);
  out_.close();
}

}  // namespace heddle::codegen::host
