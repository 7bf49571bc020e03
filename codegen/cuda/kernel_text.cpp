#include "codegen/cuda/kernel_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "codegen/c_expr.h"
#include "codegen/cuda/atomic_text.h"
#include "codegen/cuda/shared_layout.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen {

namespace {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using nest::Kernel;
using nest::Parallel;
using nest::Stmt;

nest::NameSet written_buffers(const Kernel& kernel) {
  nest::NameSet written;
  nest::for_each_stmt(kernel.body, [&](const Stmt& s) {
    if (const auto* store = std::get_if<nest::Store>(&s->node)) written.insert(store->buffer);
    if (const auto* update = std::get_if<nest::AtomicUpdate>(&s->node)) written.insert(update->buffer);
  });
  return written;
}

struct Param {
  std::string type;  // "const float *HD_RESTRICT "
  std::string name;
};

std::vector<Param> params(const Kernel& kernel) {
  nest::NameSet written = written_buffers(kernel);
  std::vector<Param> result = {{"struct hd_failure_record *", "failure"}};
  for (const nest::ScalarParam& p : kernel.scalars) {
    if (has_text(p.type)) result.push_back({fmt::format("const {} ", c_type(p.type)), c_name(p.name)});
  }
  for (const Buffer& b : kernel.buffers) {
    if (!has_text(b.elem)) continue;
    std::string type = written.contains(b.name) ? fmt::format("{} *", c_type(b.elem))
                                                : fmt::format("const {} *HD_RESTRICT ", c_type(b.elem));
    result.push_back({type, c_name(b.name)});
  }
  return result;
}

// Blocks and threads are numbered in 32 bits, whose division is much faster on the device than that of 64.
std::string unsigned_text(const Expr& e) {
  if (auto n = nest::int_constant(e)) return fmt::format("{}u", *n);
  return fmt::format("(uint32_t)({})", c_expr(e));
}

class Writer {
 public:
  explicit Writer(const Kernel& kernel)
      : shared_(shared_layout(kernel)),
        surplus_blocks_(nest::has_surplus(kernel, Parallel::Blocks)),
        surplus_threads_(nest::has_surplus(kernel, Parallel::Threads)) {
    for (const Buffer& b : kernel.buffers) buffers_.emplace(b.name, b);
  }

  void line(std::string_view s) {
    text_.append(2 * static_cast<size_t>(depth_), ' ');
    text_ += s;
    text_ += '\n';
  }

  void block(const Block& b) {
    ++depth_;
    statements(b);
    --depth_;
  }

  std::string take() { return std::move(text_); }

 private:
  void statements(const Block& b) {
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s->node);
  }

  std::string expr(const Expr& e) const { return c_expr(e, buffers_); }

  void braces(std::string_view head, const Block& b) {
    line(fmt::format("{} {{", head));
    block(b);
    line("}");
  }

  void stmt(const nest::Let& s) {
    if (!has_text(s.value->type)) return;
    line(fmt::format("const {} {} = {};", c_type(s.value->type), c_name(s.name), expr(s.value)));
  }

  void stmt(const nest::Alloc& s) {
    const Buffer& b = s.buffer;
    buffers_.emplace(b.name, b);
    if (!has_text(b.elem)) return;
    if (b.space == nest::Space::Shared) {
      const Expr& offset = shared_.offsets.at(b.name);
      std::string place = nest::int_constant(offset) == 0 ? "HD_SHARED" : fmt::format("(HD_SHARED + {})", expr(offset));
      line(fmt::format("{} *const {} = ({} *){};", c_type(b.elem), c_name(b.name), c_type(b.elem), place));
    } else if (b.dims.empty()) {
      line(fmt::format("{} {};", c_type(b.elem), c_name(b.name)));
    } else {
      int64_t n = nest::int_constant(extent_in_elements(b)).value();
      line(fmt::format("{} {}[{}];", c_type(b.elem), c_name(b.name), std::max<int64_t>(n, 1)));
    }
  }

  void stmt(const nest::Store& s) {
    if (!has_text(s.value->type)) return;
    line(fmt::format("{} = {};", c_element(s.buffer, s.index, buffers_), expr(s.value)));
  }

  void stmt(const nest::For& s) {
    if (auto sort = nest::parallel(s.role)) return parallel_loop(s, *sort);
    if (s.role != nest::Role::Serial) line("HD_UNROLL");
    auto fixed = nest::int_constant(s.extent);
    std::string i = c_name(s.index), extent = fixed ? std::to_string(*fixed) : expr(s.extent);
    // The extent is evaluated once, even if the body changes what it reads.
    bool simple = !std::holds_alternative<nest::Operation>(s.extent->node) && !reads_memory(s.extent);
    if (simple) {
      braces(fmt::format("for (int64_t {} = 0; {} < {}; {}++)", i, i, extent, i), s.body);
    } else {
      braces(fmt::format("for (int64_t {} = 0, {}_end = {}; {} < {}_end; {}++)", i, i, extent, i, i, i), s.body);
    }
  }

  static bool reads_memory(const Expr& e) {
    bool found = false;
    nest::for_each_expr(e, [&](const Expr& x) { found |= std::holds_alternative<nest::Load>(x->node); });
    return found;
  }

  // The loop has become the launch: only its index is left, as a share of the block's or thread's number.
  void parallel_loop(const nest::For& s, Parallel sort) {
    bool& inside = sort == Parallel::Blocks ? inside_blocks_ : inside_threads_;
    bool surplus = sort == Parallel::Blocks ? surplus_blocks_ : surplus_threads_;
    std::string_view id = sort == Parallel::Blocks ? "HD_BLOCK_ID" : "HD_THREAD_ID";
    std::vector<Expr> extents = nest::nest_extents(s);

    std::string value(id);
    if (extents.size() > 1) {
      Expr steps = nest::constant(int64_t{1});
      for (size_t i = 1; i < extents.size(); ++i) steps = nest::mul(steps, extents[i]);
      value = fmt::format("(uint32_t){} / {}", id, unsigned_text(steps));
    }
    if (inside)
      value = fmt::format("{}{} % {}", extents.size() > 1 ? "" : "(uint32_t)", value, unsigned_text(s.extent));

    bool outermost = !inside, guarded = outermost && surplus;
    if (guarded) {
      line(fmt::format("if ({} < {}) {{", id, expr(nest::num_iterations(extents))));
      ++depth_;
    }
    line(fmt::format("const int64_t {} = {};", c_name(s.index), value));
    inside = true;
    statements(s.body);
    inside = !outermost;
    if (guarded) {
      --depth_;
      line("}");
    }
  }

  void stmt(const nest::While& s) { braces(fmt::format("while ({})", expr(s.condition)), s.body); }

  void stmt(const nest::If& s) {
    line(fmt::format("if ({}) {{", expr(s.condition)));
    block(s.then_body);
    if (!s.else_body.empty()) {
      line("} else {");
      block(s.else_body);
    }
    line("}");
  }

  void stmt(const nest::AtomicUpdate& s) {
    if (!has_text(s.value->type)) return;
    if (auto direct = direct_atomic(s, buffers_)) return line(*direct);
    for (const std::string& l : exchange_loop(s, buffers_).head) line(l);
    block(s.compute);
    // Only now, since the value may read buffers that `compute` has declared.
    for (const std::string& l : exchange_loop(s, buffers_).tail) line(l);
  }

  void stmt(const nest::Barrier& s) { line(s.scope == nest::Scope::Block ? "HD_BARRIER();" : "HD_WARP_BARRIER();"); }

  void stmt(const nest::Fail& s) {
    std::string args;
    int count = 0;
    for (const Expr& a : s.args) {
      if (!has_text(a->type)) continue;
      ++count;
      if (a->type == prim::Type::F16) {
        args += fmt::format(", hd_failure_arg_float(hd_fpconv_f16_f64({}))", expr(a));
      } else if (prim::is_float(a->type)) {
        args += fmt::format(", hd_failure_arg_float({})", expr(a));
      } else {
        args += fmt::format(", {}", expr(a));
      }
    }
    line(fmt::format("HD_FAIL(failure, {}, {}{});", s.id, count, count == 0 ? ", 0" : args));
    line("return;");
  }

  BufferTable buffers_;
  SharedLayout shared_;
  bool surplus_blocks_, surplus_threads_;
  bool inside_blocks_ = false, inside_threads_ = false;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string kernel_text(const Kernel& kernel, const KernelTextOptions& options) {
  Writer w(kernel);
  std::string signature = kernel.name;
  for (const Param& p : params(kernel)) signature += ", " + p.type + p.name;
  w.line(fmt::format("HD_KERNEL({}) {{", signature));
  if (options.check_earlier_failure) w.line("  if (HD_ALREADY_FAILED(failure)) return;");
  w.block(kernel.body);
  w.line("}");
  return w.take();
}

std::string cpu_trampoline(const Kernel& kernel) {
  Writer w(kernel);
  w.line(fmt::format("static void {}_cpu(const struct hd_cpu_launch *launch, void **args) {{", kernel.name));
  std::string args;
  int i = 0;
  for (const Param& p : params(kernel)) {
    w.line(fmt::format("  {}{} = *({}*)args[{}];", p.type, p.name, p.type, i++));
    args += ", " + p.name;
  }
  w.line(fmt::format("  HD_CPU_FOR_EACH_THREAD(launch, self) {}(self{});", kernel.name, args));
  w.line("}");
  return w.take();
}

Expr shared_bytes(const Kernel& kernel) { return shared_layout(kernel).total; }

bool has_barriers(const Kernel& kernel) {
  bool found = false;
  nest::for_each_stmt(kernel.body, [&](const Stmt& s) { found |= std::holds_alternative<nest::Barrier>(s->node); });
  return found;
}

}  // namespace heddle::codegen
