// Contractions: the kernel compiled for the sizes at hand if there is one, else the generic one.
#include "codegen/host/function_writer.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/structure.h"

namespace heddle::codegen::host {

namespace {

// Of the kernel's scalars, in terms of the host's.
nest::Substitution host_values(const lower::Launch& direct) {
  nest::Substitution values;
  for (size_t i = 0; i < direct.scalar_args.size(); ++i) {
    if (const auto* e = std::get_if<nest::Expr>(&direct.scalar_args[i])) {
      values.emplace(direct.kernel.scalars[i].name, *e);
    }
  }
  return values;
}

// What the kernel takes to be narrow (nest::Kernel::places).
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
    const nest::Name& n = launch.kernel.scalars[i].name;
    if (nest::is_place(launch.kernel, n) || strides.contains(n)) {
      result.push_back(scalar_arg(launch.scalar_args[i]));
    }
  }
  return result;
}

}  // namespace

// Writes the tables that describe the contraction; yields the name of the last.
std::string FunctionWriter::contraction(const seg::Stm& stm, const lower::Specialized& s, const lower::Launch& direct) {
  nest::Substitution values = host_values(direct);
  auto text = [&](const nest::Expr& e) { return c_expr(nest::substitute(values, e)); };
  auto flag = [](bool b) { return std::string(b ? "true" : "false"); };
  std::vector<nest::Buffer> buffers = s.launch.kernel.buffers;
  contraction::Structure structure = contraction::structure_of(s.match, buffers);

  std::vector<std::string> extents, window, may_overrun, separable, operands;
  for (const auto* list : {&s.match.parallel, &s.match.reduction}) {
    for (const recognize::Index& i : *list) extents.push_back(text(i.extent));
  }
  for (bool b : structure.window) window.push_back(flag(b));
  for (bool b : structure.may_overrun) may_overrun.push_back(flag(b));
  out_.line("const int64_t extents[] = {{{}}};", join(extents));
  out_.line("const bool window[] = {{{}}};", join(window));
  out_.line("const bool may_overrun[] = {{{}}};", join(may_overrun));
  for (bool b : structure.separable) separable.push_back(flag(b));
  out_.line("const bool separable[] = {{{}}};", join(separable));
  for (size_t o = 0; o < s.match.operands.size(); ++o) {
    const recognize::Operand& operand = s.match.operands[o];
    std::vector<std::string> coefficients, constants;
    for (size_t d : structure.staged[o]) {
      const contraction::DimMap& m = structure.maps[o][d];
      for (const nest::Expr& k : m.coefficients) coefficients.push_back(text(k));
      constants.push_back(text(m.constant));
    }
    out_.line("const int64_t coefficients{}[] = {{{}}};", o, join(coefficients));
    out_.line("const int64_t constants{}[] = {{{}}};", o, join(constants));
    size_t b = 0;
    while (buffers[b].name != operand.buffer) ++b;
    std::string aligned;
    if (const auto* host = std::get_if<lower::HostArray>(&s.launch.buffer_args[b])) {
      // Seen in other dimensions, it may have shorter rows. Of powers of two, the least is what divides them all.
      aligned =
          fmt::format("hd_row_alignment(hd_array_alignment(&{}) | ({}), {})", c_name(host->name),
                      buffers[b].dims.empty() ? "0" : text(buffers[b].dims.back()), prim::size_bytes(operand.elem));
    } else {
      // Fresh memory begins at a multiple of everything.
      aligned = fmt::format("hd_row_alignment({}, {})", text(buffers[b].dims.back()), prim::size_bytes(operand.elem));
    }
    operands.push_back(fmt::format("{{{}, {}, coefficients{}, constants{}, {}, {}, {}}}", structure.maps[o].size(),
                                   prim::size_bytes(operand.elem), o, o, aligned, flag(structure.by_group[o]),
                                   flag(structure.turned(o))));
  }
  out_.open("const struct hd_tiled_operand operands[] =");
  for (const std::string& o : operands) out_.line("{},", o);
  out_.close(";");
  out_.line(
      "const struct hd_contraction contraction = {{{}, {}, {}, extents, separable, window, may_overrun, {}, {}, "
      "operands}};",
      s.match.parallel.size(), s.match.reduction.size(), s.match.operands.size(),
      prim::size_bytes(s.match.neutral.type),
      fmt::format("hd_row_alignment({}, {})", extents[s.match.parallel.size() - 1],
                  prim::size_bytes(s.match.result.value->type)));
  (void)stm;
  return "contraction";
}

void FunctionWriter::run_specialized(const seg::Stm& stm, const lower::Lowered& lowered, int number) {
  const lower::Specialized& s = *lowered.specialized;
  const lower::Launch& direct = lowered.launches[0];
  nest::Substitution values = host_values(direct);
  out_.open("");
  std::string shape = contraction(stm, s, direct);
  std::vector<std::string> fixed;
  for (const auto& [name, value] : s.fixed) fixed.push_back(c_expr(value));
  out_.line("const int64_t fixed[] = {{{}}};", fixed.empty() ? "0" : join(fixed));
  std::vector<std::string> places = narrow_values(s.launch, values);
  // C has no empty arrays.
  out_.line("const int64_t places[] = {{{}}};", places.empty() ? "0" : join(places));
  out_.line("const struct hd_request request = {{{}, &{}, {}, fixed, {}, places}};", number, shape, s.fixed.size(),
            places.size());
  out_.line("int64_t constants[{}];", s.launch.kernel.constants.size());
  std::string find = "hd_find_variant(ctx, &request, constants)";
  out_.line("struct hd_kernel_variant *const variant = {};",
            s.guard ? c_expr(s.guard) + " ? " + find + " : NULL" : find);
  out_.open("if (variant != NULL)");
  std::vector<std::string> relaid;
  for (const lower::Relaid& r : s.relaid) {
    relaid.push_back(fresh("relaid"));
    declare_array(relaid.back());
    allocate(relaid.back(), r.elem, {c_expr(r.num_elems)});
  }
  for (const lower::Relaid& r : s.relaid) launch(stm, r.launch, relaid);
  out_.open("do");
  launch(stm, s.launch, relaid, Variant{number, "variant", "constants"});
  out_.close(" while (hd_repeat_variant(ctx, variant, constants));");
  for (const std::string& r : relaid) out_.line("hd_array_release(ctx, &{});", r);
  out_.close();
  out_.open("else");
  for (const lower::Launch& l : lowered.launches) launch(stm, l);
  out_.close();
  out_.close();
}

}  // namespace heddle::codegen::host
