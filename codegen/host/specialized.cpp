// Contractions: the kernel compiled for the sizes at hand if there is one, else the generic one.
#include "codegen/host/function_writer.h"
#include "codegen/host/geometry_text.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/geometry_members.h"
#include "rewrites/contraction/shape.h"
#include "rewrites/lower/way.h"

namespace heddle::codegen::host {

namespace {

// Strides of arrays that those of views are computed from.
nest::NameSet strides_behind_views(const lower::Launch& launch) {
  nest::NameSet names;
  for (const nest::Buffer& b : launch.kernel.buffers) {
    for (const nest::Expr& stride : b.strides) {
      if (!std::holds_alternative<nest::Var>(stride->node)) names.merge(nest::free_names(stride));
    }
  }
  return names;
}

// What the kernel takes to be narrow (nest::Kernel::address_scalars).
std::vector<std::string> narrow_values(const lower::Launch& launch, const nest::Substitution& values) {
  std::vector<std::string> result;
  nest::NameSet strides;
  for (const nest::Buffer& b : launch.kernel.buffers) {
    for (const nest::Expr& stride : b.strides) {
      if (const auto* v = std::get_if<nest::Var>(&stride->node)) {
        strides.insert(v->name);
      } else if (!nest::int_constant(stride)) {
        result.push_back(c_expr(nest::substitute(values, stride)));
      }
    }
  }
  for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
    const Name& n = launch.kernel.scalars[i].name;
    if (nest::is_address_scalar(launch.kernel, n) || strides.contains(n)) {
      result.push_back(scalar_arg(launch.scalar_args[i]));
    }
  }
  return result;
}

// Whether the elements follow each other in row-major order.
bool is_dense(const nest::Buffer& b) {
  std::vector<nest::Expr> dense = nest::dense_strides(b.dims);
  for (size_t d = 0; d < b.dims.size(); ++d) {
    auto expected = nest::from_expr(dense[d], nest::no_definition);
    if (!expected || expected != nest::from_expr(b.strides[d], nest::no_definition)) return false;
  }
  return true;
}

}  // namespace

// Writes the tables that describe the contraction; the last one is `contraction`.
void FunctionWriter::contraction(const lower::Specialized& s, const nest::Substitution& values) {
  auto text = [&](const nest::Expr& e) { return c_expr(nest::substitute(values, e)); };
  auto join_all = [&](const std::vector<nest::Expr>& list) {
    std::vector<std::string> texts;
    for (const nest::Expr& e : list) texts.push_back(text(e));
    return join(texts);
  };
  auto join_flags = [](const std::vector<bool>& list) {
    std::vector<std::string> texts;
    for (bool b : list) texts.emplace_back(b ? "true" : "false");
    return join(texts);
  };
  const std::vector<nest::Buffer>& buffers = s.launch.kernel.buffers;
  contraction::Shape shape = contraction::shape_of(s.match, buffers);

  out_.line("const int64_t extents[] = {{{}}};", join_all(shape.extents));
  out_.line("const bool window[] = {{{}}};", join_flags(shape.window));
  out_.line("const bool may_overrun[] = {{{}}};", join_flags(shape.may_overrun));
  out_.line("const bool separable[] = {{{}}};", join_flags(shape.separable));
  std::vector<std::string> operands;
  for (size_t o = 0; o < shape.operands.size(); ++o) {
    const contraction::OperandShape& operand = shape.operands[o];
    out_.line("const int64_t coefficients{}[] = {{{}}};", o, join_all(operand.coefficients));
    out_.line("const int64_t constants{}[] = {{{}}};", o, join_all(operand.constants));
    out_.line("const int64_t reach{}[] = {{{}}};", o, join_all(operand.reach));
    // Of powers of two, the least is what divides all: where the array begins, and how long the rows are in which it is
    // seen here.
    std::string begins = "0";
    if (const auto* host = std::get_if<lower::HostArray>(&s.launch.buffer_args[operand.buffer])) {
      begins =
          fmt::format("{}(&{})", is_dense(buffers[operand.buffer]) ? "hd_array_element_address" : "hd_array_alignment",
                      c_name(host->name));
    }
    int64_t elem_size = prim::size_bytes(operand.elem);
    std::string aligned = fmt::format("hd_row_alignment({} | ({}), {})", begins, text(operand.row), elem_size);
    operands.push_back(fmt::format("{{{}, {}, coefficients{}, constants{}, reach{}, {}, {}, {}}}",
                                   operand.constants.size(), elem_size, o, o, o, aligned, operand.by_group,
                                   operand.transposed));
  }
  out_.open("const struct hd_tiled_operand operands[] =");
  for (const std::string& o : operands) out_.line("{},", o);
  out_.close(";");
  std::vector<nest::Expr> sizes;
  for (const Name& n : contraction::sizes_of(s.geometry, s.tiling)) {
    sizes.push_back(nest::var(n, prim::Type::I64));
  }
  out_.line("const int64_t sizes[] = {{{}}};", sizes.empty() ? "0" : join_all(sizes));
  out_.line(
      "const struct hd_contraction contraction = {{{}, {}, {}, extents, separable, window, may_overrun, {}, {}, "
      "operands, {}, {}}};",
      shape.num_parallel, shape.num_reduction, shape.operands.size(), prim::size_bytes(shape.sum),
      fmt::format("hd_row_alignment({}, {})", text(shape.extents[shape.num_parallel - 1]),
                  prim::size_bytes(shape.result)),
      s.parts ? 1 : 0, geometry_functions(survey_.specialized_index.at(&s), "sizes"));
}

// Runs the seg op this way if it can be; then `decided` is true, and `done` unless the generic kernel is to run yet.
void FunctionWriter::way(const seg::Stm& stm, const lower::Specialized& s, const lower::Launch& direct) {
  nest::Substitution values = lower::host_values(direct);
  values.merge(lower::host_values(s.launch));
  if (s.parts) {
    out_.line("const int64_t {} = hd_parts(ctx, {}, {}, {});", c_name(s.parts->name), c_expr(s.parts->points),
              c_expr(s.parts->extent), c_expr(s.parts->depth));
  }
  if (s.packing) {
    // It looks for memory, so it is not asked in vain.
    out_.line("const int64_t {} = !decided && hd_packing_pays(ctx, {}, {});", c_name(s.packing->pays),
              c_expr(s.packing->steps), c_expr(s.packing->bytes));
  }
  int number = survey_.specialized_index.at(&s);
  out_.open("if ({})", s.guard ? fmt::format("!decided && ({})", c_expr(s.guard)) : "!decided");
  contraction(s, values);
  std::vector<std::string> fixed;
  for (const auto& [name, value] : s.fixed) fixed.push_back(c_expr(value));
  out_.line("const int64_t fixed[] = {{{}}};", fixed.empty() ? "0" : join(fixed));
  nest::NameSet behind_views = strides_behind_views(s.launch);
  for (size_t i = 0; i < s.launch.scalar_args.size(); ++i) {
    const Name& n = s.launch.kernel.scalars[i].name;
    bool is_stride = std::holds_alternative<lower::StrideOf>(s.launch.scalar_args[i]);
    if (is_stride && behind_views.contains(n)) {
      out_.line("const int64_t {} = {};", c_name(n), scalar_arg(s.launch.scalar_args[i]));
    }
  }
  std::vector<std::string> places = narrow_values(s.launch, values);
  // C has no empty arrays.
  out_.line("const int64_t places[] = {{{}}};", places.empty() ? "0" : join(places));
  out_.line("const struct hd_request request = {{{}, &contraction, {}, fixed, {}, places}};", number, s.fixed.size(),
            places.size());
  out_.line("int64_t constants[{}];", s.launch.kernel.constants.size());
  out_.line("struct hd_kernel_variant *const variant = hd_find_variant(ctx, &request, constants);");
  out_.line("decided = variant != NULL;");
  out_.line("done = decided && variant->code != NULL;");
  out_.open("if (done)");
  const std::vector<std::string> temporaries = allocate(s.temporaries);
  for (const lower::Pack& r : s.before) pack(stm, r, temporaries);
  out_.open("do");
  launch(stm, s.launch, temporaries, Variant{number, "variant", "constants"});
  out_.close(" while (hd_repeat_variant(ctx, variant, constants));");
  for (const lower::Launch& l : s.after) launch(stm, l, temporaries);
  release(temporaries);
  out_.close();
  out_.close();
}

void FunctionWriter::run_specialized(const seg::Stm& stm, const lower::Lowered& lowered) {
  out_.open("");
  out_.line("bool decided = false, done = false;");
  for (const lower::Specialized& s : lowered.specialized) way(stm, s, lowered.launches[0]);
  out_.open("if (!done)");
  run_launches(stm, lowered);
  out_.close();
  out_.close();
}

}  // namespace heddle::codegen::host
