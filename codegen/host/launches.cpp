// Launches: the addresses of all arguments, and how many threads.
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/kernel_traits.h"
#include "codegen/host/function_writer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"

namespace heddle::codegen::host {

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

}  // namespace

void FunctionWriter::launch(const nest::Kernel& kernel, const std::vector<nest::Expr>& scalars,
                            const std::vector<Name>& buffers, const std::string& number, const std::string& constants,
                            const std::string& code, const std::optional<Beside>& beside) {
  out_.open("");
  std::vector<std::string> args{"hd_failure_address(ctx)"}, uses;
  if (beside) {
    out_.line("int32_t order;");
    args.emplace_back("&order");
  }

  nest::Substitution values;
  Computed computed;
  for (size_t i = 0; i < kernel.scalars.size(); ++i) {
    const nest::ScalarParam& param = kernel.scalars[i];
    if (!has_text(param.type)) continue;
    nest::Expr here = scalars[i];
    if (!std::holds_alternative<nest::Var>(here->node)) {
      here = nest::var(own(param.name), param.type);
      out_.line("{} {} = {};", prim::c_type(param.type), c_name(own(param.name)), c_expr(computed.look_up(scalars[i])));
      computed.add(scalars[i], here);
    }
    std::string name = c_expr(here);
    if (nest::is_address_scalar(kernel, param.name)) {
      std::string narrow = c_name(own(param.name)) + "_place";
      out_.line("int32_t {} = (int32_t){};", narrow, name);
      name = narrow;
    }
    args.push_back("&" + name);
    values.emplace(param.name, here);
  }
  for (size_t i = 0; i < kernel.constants.size(); ++i) {
    Name constant = own(kernel.constants[i]);
    out_.line("int64_t {} = {}[{}];", c_name(constant), constants, i);
    values.emplace(kernel.constants[i], nest::var(constant, prim::Type::I64));
  }

  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const nest::Buffer& buffer = kernel.buffers[i];
    if (!has_text(buffer.elem)) continue;
    std::string name = c_name(own(buffer.name));
    out_.line("void *{} = hd_array_address(&{});", name, array(buffers[i]));
    if (beside) uses.push_back(fmt::format("{{&{}, {}}}", array(buffers[i]), beside->written.contains(buffer.name)));
    args.push_back("&" + name);
  }

  auto size = [&](const nest::Expr& e) { return c_expr(nest::substitute(values, e)); };
  for (const nest::Expr& d : divisors(kernel)) {
    std::string name = fmt::format("divisor{}", args.size());
    out_.line("struct hd_divisor {} = hd_divisor_of({});", name, size(d));
    args.push_back("&" + name);
  }
  for (const nest::Expr& d : long_divisors(kernel)) {
    std::string name = fmt::format("divisor{}", args.size());
    out_.line("struct hd_long_divisor {} = hd_long_divisor_of({});", name, size(d));
    args.push_back("&" + name);
  }
  out_.line("void *args[] = {{{}}};", join(args));
  if (beside) out_.line("const struct hd_use uses[] = {{{}}};", join(uses));
  out_.open("const struct hd_launch launch =");
  if (!number.empty()) out_.line(".kernel = {},  // {}", number, kernel.name);
  out_.line(".num_blocks = {},", size(nest::num_blocks(kernel)));
  out_.line(".block_size = (int)({}),", size(nest::block_size(kernel)));
  out_.line(".shared_bytes = {},", size(shared_bytes(kernel)));
  out_.line(".args = args,");
  if (beside) {
    out_.line(".order = &order,");
    if (beside->next) out_.line(".beside_next = true,");
    out_.line(".num_uses = {},", uses.size());
    out_.line(".uses = uses,");
  }
  out_.close(";");
  try_call("{}", code);
  out_.close();
}

void FunctionWriter::emit(const ir::Launch& s) {
  const nest::Kernel& kernel = program_.kernels[static_cast<size_t>(s.kernel)];
  std::optional<Beside> beside;
  if (beside_others_[static_cast<size_t>(s.kernel)]) beside = Beside{nest::written_buffers(kernel.body), s.beside_next};
  launch(kernel, s.scalars, s.buffers, std::to_string(s.kernel), "", "hd_launch_kernel(ctx, &launch)", beside);
}

void FunctionWriter::emit(const ir::LaunchChosen& s) {
  out_.open("do");
  launch(program_.family_kernels[static_cast<size_t>(way_->kernel)].kernel, s.scalars, s.buffers, "", "constants",
         "hd_launch_variant(ctx, variant, &launch)", {});
  out_.close(" while (hd_repeat_variant(ctx, variant, constants));");
}

}  // namespace heddle::codegen::host
