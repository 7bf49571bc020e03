// Seg ops: memory for their results, and the launches that fill it.
#include "codegen/host/function_writer.h"

namespace heddle::codegen::host {

void FunctionWriter::run_kernels(const seg::Stm& stm, Ending& ending) {
  const lower::Lowered& lowered = program_.kernels.at(&stm);
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    const auto* place = std::get_if<lower::FreshResult>(&lowered.results[i]);
    if (!place) continue;
    std::string dst = c_name(stm.pat[i].name);
    std::vector<std::string> shape;
    for (const nest::Expr& e : place->shape) shape.push_back(c_expr(e, c_name));
    bool row_major = true;
    for (size_t d = 0; d < place->perm.size(); ++d) row_major &= place->perm[d] == static_cast<int>(d);
    if (row_major) {
      allocate(dst, place->elem, shape);
    } else {
      try_call("hd_array_alloc_permuted(ctx, &{}, {}, {}, {}, {})", dst, c_enum(place->elem), shape.size(),
               c_int64s(shape), c_ints(place->perm));
    }
  }
  for (const lower::Launch& l : lowered.launches) launch(stm, l);
  for (size_t i = 0; i < lowered.results.size(); ++i) {
    const auto* place = std::get_if<lower::UpdatedResult>(&lowered.results[i]);
    if (place && kind_of(stm.pat[i].type) == Kind::Array) alias(c_name(stm.pat[i].name), place->array, ending);
  }
}

void FunctionWriter::launch(const seg::Stm& stm, const lower::Launch& launch) {
  int index = survey_.kernel_index.at(&launch);
  out_.open("");
  std::vector<std::string> args{"hd_failure_address(ctx)"};

  std::unordered_map<seg::Name, std::string> scalars;
  for (size_t i = 0; i < launch.kernel.scalars.size(); ++i) {
    const nest::ScalarParam& param = launch.kernel.scalars[i];
    std::string name = fmt::format("arg_{}", c_name(param.name)), value;
    if (const auto* stride = std::get_if<lower::StrideOf>(&launch.scalar_args[i])) {
      value = fmt::format("{}.stride[{}]", c_name(stride->array), stride->dim);
    } else {
      value = c_expr(std::get<nest::Expr>(launch.scalar_args[i]), c_name);
    }
    out_.line("{} {} = {};", prim::c_type(param.type), name, value);
    args.push_back("&" + name);
    scalars[param.name] = name;
  }

  std::vector<std::string> scratches;
  for (size_t i = 0; i < launch.kernel.buffers.size(); ++i) {
    std::string array;
    const lower::BufferArg& arg = launch.buffer_args[i];
    if (const auto* host = std::get_if<lower::HostArray>(&arg)) {
      array = c_name(host->name);
    } else if (const auto* result = std::get_if<lower::ResultArray>(&arg)) {
      array = c_name(stm.pat[static_cast<size_t>(result->index)].name);
    } else {
      const auto& scratch = std::get<lower::ScratchArray>(arg);
      array = fmt::format("scratch{}", scratches.size());
      declare_array(array);
      allocate(array, scratch.elem, {c_expr(scratch.num_elems, c_name)});
      scratches.push_back(array);
    }
    std::string name = fmt::format("arg_{}", c_name(launch.kernel.buffers[i].name));
    out_.line("void *{} = hd_array_address(&{});", name, array);
    args.push_back("&" + name);
  }

  auto naming = [&](const seg::Name& n) { return scalars.at(n); };
  out_.line("void *args[] = {{{}}};", join(args));
  out_.open("const struct hd_launch launch =");
  out_.line(".kernel = {},  // {}", index, survey_.kernels[static_cast<size_t>(index)].name);
  out_.line(".num_blocks = {},", c_expr(launch.num_blocks, naming));
  out_.line(".block_size = (int){},", c_expr(launch.block_size, naming));
  out_.line(".args = args,");
  out_.close(";");
  try_call("hd_launch_kernel(ctx, &launch)");
  for (const std::string& s : scratches) out_.line("hd_array_release(ctx, &{});", s);
  out_.close();
}

}  // namespace heddle::codegen::host
