#include "codegen/cuda/kernel_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "codegen/c_expr.h"
#include "codegen/constant_text.h"
#include "codegen/cuda/atomic_text.h"
#include "codegen/cuda/kernel_traits.h"
#include "codegen/cuda/shared_layout.h"
#include "codegen/cuda/turns.h"
#include "codegen/long_chain.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"

namespace heddle::codegen {

namespace {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using nest::Kernel;
using nest::Parallel;
using nest::Stmt;

constexpr int kMaxIndented = 64;  // deeper lines begin there, else deep nesting is mostly blanks

struct Param {
  std::string type;  // "const float *HD_RESTRICT "
  std::string name;
};

std::string divisor_name(size_t i) { return fmt::format("divisor_{}", i); }

std::vector<Param> params(const Kernel& kernel) {
  nest::NameSet written = nest::written_buffers(kernel.body);
  std::vector<Param> result = {{"struct hd_failure_record *", "failure"}};
  for (const nest::ScalarParam& p : kernel.scalars) {
    if (!has_text(p.type)) continue;
    std::string_view type = nest::is_address_scalar(kernel, p.name) ? "int32_t" : c_type(p.type);
    result.push_back({fmt::format("const {} ", type), c_name(p.name)});
  }
  for (const Buffer& b : kernel.buffers) {
    if (!has_text(b.elem)) continue;
    std::string type = b.exchanged                ? fmt::format("volatile {} *", c_type(b.elem))
                       : written.contains(b.name) ? fmt::format("{} *", c_type(b.elem))
                                                  : fmt::format("const {} *HD_RESTRICT ", c_type(b.elem));
    result.push_back({type, c_name(b.name)});
  }
  for (size_t i = 0; i < divisors(kernel).size(); ++i) result.push_back({"const struct hd_divisor ", divisor_name(i)});
  for (size_t i = 0; i < long_divisors(kernel).size(); ++i)
    result.push_back({"const struct hd_long_divisor ", long_divisor_name(i)});
  return result;
}

// How far apart the iterations of a loop's outermost loop are in the numbering of blocks or threads.
Expr step_of(const std::vector<Expr>& extents) {
  Expr step = nest::constant(int64_t{1});
  for (size_t i = 1; i < extents.size(); ++i) step = nest::mul(step, extents[i]);
  return step;
}

// Known as soon as these names are.
bool fixed(const Expr& e, const nest::NameSet& known) {
  for (const Name& n : nest::free_names(e)) {
    if (!known.contains(n)) return false;
  }
  return true;
}

bool reads_memory(const Expr& e) {
  bool found = false;
  nest::for_each_expr(e, [&](const Expr& x) { found |= std::holds_alternative<nest::Load>(x->node); });
  return found;
}

// Whether the host may compute it before the kernel begins.
bool known_to_host(const Expr& e, const nest::NameSet& scalars) {
  bool fails = false;
  nest::for_each_expr(e, [&](const Expr& x) {
    const auto* o = std::get_if<nest::Operation>(&x->node);
    fails |= o && can_fail(*o);
  });
  return !fails && !reads_memory(e) && fixed(e, scalars);
}

// Lengths of arrays, and their products, are not negative.
bool is_length(const Expr& e, const Kernel& kernel) {
  auto same = [&](const Expr& length) { return nest::equal(length, e); };
  if (std::ranges::any_of(kernel.buffers, [&](const Buffer& b) { return std::ranges::any_of(b.dims, same); }))
    return true;
  const auto* o = std::get_if<nest::Operation>(&e->node);
  return o && o->op.family == prim::Family::MulNw &&
         std::ranges::all_of(o->args, [&](const Expr& x) { return is_length(x, kernel); });
}

class Writer {
 public:
  Writer(const Kernel& kernel, const KernelTextOptions& options)
      : on_processor_(options.on_processor),
        shared_(shared_layout(kernel)),
        divisors_(divisors(kernel)),
        constants_(kernel.constants.begin(), kernel.constants.end()),
        surplus_blocks_(nest::has_surplus(kernel, Parallel::Blocks)),
        surplus_threads_(nest::has_surplus(kernel, Parallel::Threads)) {
    narrow_.small.insert(kernel.constants.begin(), kernel.constants.end());
    narrow_.constants = narrow_.small;
    narrow_.indices.insert(kernel.address_scalars.begin(), kernel.address_scalars.end());
    narrow_.long_divisors = long_divisors(kernel);
    has_constants_ = !kernel.constants.empty();
    bounds_ = kernel.bounds;
    keeps_loops_ = kernel.keeps_loops || has_constants_;
    for (const Buffer& b : kernel.buffers)
      buffers_.emplace(b.name, kernel.address_scalars.empty() ? b : with_named_strides(b));
  }

  void name_strides() {
    for (const auto& [name, stride] : strides_) {
      line(fmt::format("  const int32_t {} = (int32_t)({});", c_name(name), expr(stride)));
    }
  }

  // Each after the one before, since sums of the sizes of all before would be long.
  void name_shared_offsets() {
    Expr next = nest::constant(int64_t{0});
    for (const auto& [buffer, size] : shared_.order) {
      Name at{"at_" + buffer.base, buffer.tag};
      if (!has_constants_ && !is_leaf(next)) {
        line(fmt::format("  const int64_t {} = {};", c_name(at), expr(next)));
        next = nest::var(at, prim::Type::I64);
      }
      if (!has_constants_) shared_.offsets.insert_or_assign(buffer, next);
      next = nest::add(next, size);
    }
  }

  // Divisions by them then need not look at the sign.
  void assume_lengths(const Kernel& kernel) {
    for (const Expr& d : narrow_.long_divisors) {
      if (is_length(d, kernel)) line(fmt::format("  HD_ASSUME(0 <= {});", expr(d)));
    }
  }

  void line(std::string_view s) {
    text_.append(2 * static_cast<size_t>(std::min(depth_, kMaxIndented)), ' ');
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
  // Strides are places, too, also where they are products of sizes.
  Buffer with_named_strides(Buffer b) {
    for (size_t d = 0; d < b.strides.size(); ++d) {
      if (width_of(b.strides[d], narrow_) != Width::Wide) continue;
      // In this order, since long names are cut off.
      Name name{fmt::format("stride_{}_{}", d, b.name.base), b.name.tag};
      strides_.emplace_back(name, b.strides[d]);
      narrow_.indices.insert(name);
      b.strides[d] = nest::var(name, prim::Type::I64);
    }
    return b;
  }

  void statements(const Block& b) {
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s->node);
  }

  std::string expr(const Expr& e) const { return c_expr(e, buffers_, narrow_); }

  void braces(std::string_view head, const Block& b) {
    line(fmt::format("{} {{", head));
    block(b);
    line("}");
  }

  void stmt(const nest::Let& s) {
    if (!has_text(s.value->type)) return;
    Width width = has_constants_ ? bound_of(s.value) : Width::Wide;
    line(fmt::format("const {} {} = {};", s.value->type == prim::Type::I64 ? type_of(width) : c_type(s.value->type),
                     c_name(s.name), expr(s.value)));
    declare(s.name, width);
    if (is_not_negative(s.value, not_negative_)) not_negative_.insert(s.name);
    if (has_constants_ && small_extent(s.value)) small_extents_.insert(s.name);
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
      line(fmt::format("{} {};", narrow_.indices.contains(b.name) ? "int32_t" : c_type(b.elem), c_name(b.name)));
    } else {
      Expr extent = extent_in_elements(b);
      auto n = nest::int_constant(extent);
      std::string length = n ? std::to_string(std::max<int64_t>(*n, 1)) : product_text(b.dims);
      line(fmt::format("{} {}[{}];", c_type(b.elem), c_name(b.name), length));
    }
  }

  static const char* type_of(Width width) {
    return width == Width::Small ? "uint32_t" : width == Width::Index ? "int32_t" : "int64_t";
  }
  void declare(const Name& name, Width width) {
    if (width == Width::Small) narrow_.small.insert(name);
    if (width == Width::Index) narrow_.indices.insert(name);
  }

  // How wide a variable with this value must be: a remainder by what is small is small, and so is what lies between
  // small numbers.
  Width bound_of(const Expr& e) const {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (o && o->op.family == prim::Family::SMod && is_small(o->args[1], narrow_)) return Width::Small;
    if (o && o->op.family == prim::Family::SMax && is_small(o->args[1], narrow_)) {
      const auto* upper = std::get_if<nest::Operation>(&o->args[0]->node);
      if (upper && upper->op.family == prim::Family::SMin && is_small(upper->args[0], narrow_)) return Width::Small;
    }
    return width_of(e, narrow_);
  }

  // Whether an index below the extent is small.
  bool small_extent(const Expr& e) const {
    if (is_small(e, narrow_)) return true;
    if (const auto* v = std::get_if<nest::Var>(&e->node)) return small_extents_.contains(v->name);
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || o->args.size() != 2) return false;
    if (o->op.family == prim::Family::SMin) return small_extent(o->args[0]) || small_extent(o->args[1]);
    return o->op.family == prim::Family::SDivUp && small_extent(o->args[0]);
  }

  // Only dense buffers have sizes that are constants by name, and C wants operators in them, no functions.
  static std::string product_text(const std::vector<Expr>& dims) {
    std::string text;
    for (const Expr& d : dims) text += fmt::format("{}({})", text.empty() ? "" : " * ", constant_text(d));
    return text;
  }

  void stmt(const nest::Store& s) {
    if (!has_text(s.value->type)) return;
    line(fmt::format("{} = {};", c_element(s.buffer, s.index, buffers_, narrow_), expr(s.value)));
  }

  void stmt(const nest::For& s) {
    if (auto sort = nest::parallel(s.role)) return parallel_loop(s, *sort);
    if (s.role == nest::Role::Vector) return wide_access(s);
    if (!has_constants_) {
      if (auto t = turns(s, not_negative_)) return take_turns(*t);
    }
    auto fixed = nest::int_constant(s.extent);
    std::string i = c_name(s.index), extent = fixed ? std::to_string(*fixed) : expr(s.extent);
    // The extent is evaluated once, even if the body changes what it reads.
    bool simple = !std::holds_alternative<nest::Operation>(s.extent->node) && !reads_memory(s.extent);
    Width width = !has_constants_ ? Width::Wide : small_extent(s.extent) ? Width::Small : width_of(s.extent, narrow_);
    std::string type = type_of(width);
    declare(s.index, width);
    std::string condition = fmt::format("{} < {}", i, extent);
    if (!simple && is_small(s.extent, narrow_)) {
      condition = expr(nest::less(nest::var(s.index, prim::Type::I64), s.extent));
    } else if (!simple) {
      condition = fmt::format("{} < {}_end", i, i);
      line(fmt::format("const int64_t {}_end = {};", i, extent));
    }
    if (s.role != nest::Role::Serial) {
      if (!has_constants_) narrow_.written_out.insert(s.index);
      line("HD_UNROLL");
    } else if (keeps_loops_) {
      line("HD_NO_UNROLL");
    } else if (folds(s.body, buffers_)) {
      line("HD_UNROLL_ON_CPU");
    }
    const bool outer = std::exchange(in_steps_, in_steps_ || has_barriers(s.body));
    braces(fmt::format("for ({} {} = 0; {}; {}++)", type, i, condition, i), s.body);
    in_steps_ = outer;
  }

  void take_turns(const Turns& t) {
    std::string point = c_name(t.point), end = expr(t.total);
    if (std::holds_alternative<nest::Operation>(t.total->node)) {
      line(fmt::format("const int64_t {}_end = {};", point, end));
      end = point + "_end";
    }
    not_negative_.insert(t.point);
    if (in_steps_ && is_leaf(t.total) && is_short(*t.work)) return take_one_turn_or_more(t, end);
    take_all_turns(t, end);
  }

  void take_all_turns(const Turns& t, const std::string& end) {
    if (!gains_by_unrolling(*t.work, buffers_)) line("HD_NO_UNROLL");
    braces(fmt::format("for (int64_t {0} = {1}; {0} < {2}; {0} += {3})", c_name(t.point), expr(t.member), end,
                       expr(t.members)),
           *t.work);
  }

  // In steps in which threads wait for each other it is worth the text to know that there is one turn, as there mostly is.
  void take_one_turn_or_more(const Turns& t, const std::string& end) {
    line(fmt::format("if ({} <= {}) {{", end, expr(t.members)));
    ++depth_;
    line(fmt::format("const int64_t {} = {};", c_name(t.point), expr(t.member)));
    braces(fmt::format("if ({} < {})", c_name(t.point), end), *t.work);
    --depth_;
    line("} else {");
    ++depth_;
    take_all_turns(t, end);
    --depth_;
    line("}");
  }

  // The verifier has seen to it that the body is one move of neighbouring elements.
  void wide_access(const nest::For& s) {
    nest::Substitution first = {{s.index, nest::constant(int64_t{0})}};
    const auto& store = std::get<nest::Store>(s.body[0]->node);
    const auto& load = std::get<nest::Load>(store.value->node);
    auto element = [&](const Name& buffer, std::vector<Expr> index) {
      for (Expr& e : index) e = nest::substitute(first, e);
      return c_element(buffer, index, buffers_, narrow_);
    };
    if (!has_text(store.value->type)) return;
    bool to_global = buffers_.at(store.buffer).space == nest::Space::Global;
    bool is_choice = std::holds_alternative<nest::Select>(s.extent->node);
    std::string elems = is_choice ? fmt::format("({})", expr(s.extent)) : expr(s.extent);
    line(fmt::format("{}(&{}, &{}, (int)({} * sizeof({})));", to_global ? "hd_move_to_global" : "hd_move",
                     element(store.buffer, store.index), element(load.buffer, load.index), elems,
                     c_type(store.value->type)));
  }

  static bool is_leaf(const Expr& e) {
    return std::holds_alternative<nest::Const>(e->node) || std::holds_alternative<nest::Var>(e->node);
  }

  // The loop has become the launch: only its index is left, as a digit of the block's or thread's number.
  void parallel_loop(const nest::For& s, Parallel sort) {
    std::string& rest = sort == Parallel::Blocks ? rest_of_block_ : rest_of_thread_;
    bool surplus = sort == Parallel::Blocks ? surplus_blocks_ : surplus_threads_;
    std::vector<Expr> extents = nest::nest_extents(s);
    bool guarded = rest.empty() && surplus;
    if (guarded) {
      std::string_view id = sort == Parallel::Blocks ? "HD_BLOCK_ID" : "HD_THREAD_ID";
      line(fmt::format("if ({} < {}) {{", id, expr(nest::num_iterations(extents))));
      ++depth_;
    }
    std::string outer_rest = rest;
    if (rest.empty()) rest = sort == Parallel::Blocks ? "(uint32_t)HD_BLOCK_ID" : "(uint32_t)HD_THREAD_ID";
    std::string index = c_name(s.index);
    // There are fewer than 2^31 blocks.
    Width width = !has_constants_ ? Width::Wide : sort == Parallel::Threads ? Width::Small : Width::Index;
    std::string type = type_of(width);
    declare(s.index, width);
    not_negative_.insert(s.index);
    const auto* extent = std::get_if<nest::Var>(&s.extent->node);  // not negative inside: else nobody is there
    const bool is_new = extent && not_negative_.insert(extent->name).second;
    if (extents.size() == 1) {
      line(fmt::format("const {} {} = {};", type, index, rest));
      if (bounds_ && sort == Parallel::Threads) line(fmt::format("HD_ASSUME({} < {});", index, expr(bounds_->threads)));
    } else {
      auto [quotient, product] = divided(rest, index, step_of(extents));
      line(fmt::format("const uint32_t {}_digit = {}, {}_rest = {} - {};", index, quotient, index, rest, product));
      line(fmt::format("const {} {} = {}_digit;", type, index, index));
      rest = index + "_rest";
    }
    statements(s.body);
    if (is_new) not_negative_.erase(extent->name);
    rest = outer_rest;
    if (guarded) {
      --depth_;
      line("}");
    }
  }

  struct Division {
    std::string quotient, product;  // of the digit and the divisor
  };
  // Divisions by what only the host knows would take most of a short thread's time; a multiplication does as well.
  Division divided(const std::string& rest, const std::string& index, const Expr& step) const {
    auto known = nest::int_constant(step);
    if (known || fixed(step, constants_)) {
      std::string by = known ? fmt::format("{}u", *known) : fmt::format("(uint32_t)({})", constant_text(step));
      return {fmt::format("{} / {}", rest, by), fmt::format("{}_digit * {}", index, by)};
    }
    auto same = [&](const Expr& e) { return nest::equal(e, step); };
    auto i = std::find_if(divisors_.begin(), divisors_.end(), same) - divisors_.begin();
    std::string by = divisor_name(static_cast<size_t>(i));
    return {fmt::format("hd_quotient({}, {})", rest, by), fmt::format("{}_digit * {}.divisor", index, by)};
  }

  void stmt(const nest::While& s) {
    line(fmt::format("while ({}) {{", expr(s.condition)));
    if (on_processor_ && listens(s, buffers_)) line("  hd_cpu_give_way();");
    if (!on_processor_ && s.rest > 0) line(fmt::format("  HD_REST({});", s.rest));
    block(s.body);
    line("}");
  }

  // The branch that is all that is left of another one's `else`, after some statements; null if there is none.
  static const nest::If* else_if(const nest::If& s) {
    return s.else_body.empty() ? nullptr : std::get_if<nest::If>(&s.else_body.back()->node);
  }

  void long_chain(const nest::If& first) {
    line("do {");
    ++depth_;
    const nest::If* s = &first;
    while (true) {
      line(fmt::format("if ({}) {{", expr(s->condition)));
      block(s->then_body);
      line("  break;");
      line("}");
      const nest::If* next = else_if(*s);
      if (!next) break;
      for (size_t k = 0; k + 1 < s->else_body.size(); ++k)
        std::visit([&](const auto& node) { stmt(node); }, s->else_body[k]->node);
      s = next;
    }
    statements(s->else_body);
    --depth_;
    line("} while (0);");
  }

  void stmt(const nest::If& s) {
    size_t length = 1;
    for (const nest::If* i = &s; (i = else_if(*i)) != nullptr;) ++length;
    if (length > kLongChain) return long_chain(s);
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
    if (auto direct = direct_atomic(s, buffers_, on_processor_)) return line(*direct);
    for (const std::string& l : exchange_loop(s, buffers_, on_processor_).head) line(l);
    block(s.compute);
    // Only now, since the value may read buffers that `compute` has declared.
    for (const std::string& l : exchange_loop(s, buffers_, on_processor_).tail) line(l);
  }

  // One loop for all threads of a warp, left by each when it is done: whoever has the lock gives it back in the same turn, so that it
  // does not matter whether the others of its warp wait for it.
  void stmt(const nest::Locked& s) {
    const Buffer& lock = buffers_.at(s.lock);
    std::string at = fmt::format("&{}", c_element(s.lock, s.index, buffers_, narrow_));
    std::string kind = fmt::format("{}_{}", lock.space == nest::Space::Shared ? "block" : "device",
                                   lock.elem == prim::Type::I32 ? 32 : 64);
    line("for (bool waits = true; waits;) {");
    ++depth_;
    line(fmt::format("if (hd_try_lock_{}({})) {{", kind, at));
    block(s.body);
    line(fmt::format("  hd_unlock_{}({});", kind, at));
    line("  waits = false;");
    line("}");
    --depth_;
    line("}");
  }

  void stmt(const nest::AsyncCopy& s) {
    const Buffer& to = buffers_.at(s.to);
    if (!has_text(to.elem)) return;
    line(fmt::format("hd_copy_async{}(&{}, HD_ADDRESS_IF({}, &{}, {}), (int)({} * sizeof({})), {});",
                     s.is_kept ? "_kept" : "", c_element(s.to, s.to_index, buffers_, narrow_), expr(s.valid),
                     c_element(s.from, s.from_index, buffers_, narrow_), c_name(s.from), expr(s.elems), c_type(to.elem),
                     expr(s.valid)));
  }
  void stmt(const nest::AsyncCommit&) { line("hd_copy_async_commit();"); }
  void stmt(const nest::AsyncWait& s) { line(fmt::format("hd_copy_async_wait({});", constant_text(s.pending))); }

  void stmt(const nest::Barrier& s) { line(s.scope == nest::Scope::Block ? "HD_BARRIER();" : "HD_WARP_BARRIER();"); }

  void stmt(const nest::Shuffle& s) {
    if (!has_text(s.value->type)) return;
    line(fmt::format("{} {} = {};", c_type(s.value->type), c_name(s.name), expr(s.value)));
    line(fmt::format("HD_SHUFFLE({}, {});", c_name(s.name), expr(s.lane)));
  }

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

  bool on_processor_;
  BufferTable buffers_;
  SharedLayout shared_;
  std::vector<Expr> divisors_;
  nest::NameSet constants_;
  NarrowNames narrow_;
  nest::NameSet small_extents_;
  nest::NameSet not_negative_;
  bool in_steps_ = false;  // of a loop that has barriers
  bool has_constants_ = false, keeps_loops_ = false;
  std::optional<nest::LaunchBounds> bounds_;
  std::vector<std::pair<Name, Expr>> strides_;  // that are no parameters
  bool surplus_blocks_, surplus_threads_;
  // What the loops around have left of the number of the block and of the thread; empty outside of all such loops.
  std::string rest_of_block_, rest_of_thread_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string kernel_text(const Kernel& kernel, const KernelTextOptions& options) {
  Writer w(kernel, options);
  std::string signature = kernel.name;
  std::vector<Param> all = params(kernel);
  if (options.beside_others) all.insert(all.begin() + 1, {"const int32_t ", "order"});
  for (const Param& p : all) signature += ", " + p.type + p.name;
  if (kernel.bounds) {
    w.line(fmt::format("HD_BOUNDED_KERNEL(({}), ({}), {}) {{", constant_text(kernel.bounds->threads),
                       constant_text(kernel.bounds->registers), signature));
  } else {
    w.line(fmt::format("HD_KERNEL({}) {{", signature));
  }
  w.line(options.beside_others ? "  HD_BESIDE_OTHERS(order);" : "  HD_AFTER_EARLIER_KERNELS();");
  if (options.check_earlier_failure) w.line("  if (HD_ALREADY_FAILED(failure)) return;");
  w.name_strides();
  w.name_shared_offsets();
  w.assume_lengths(kernel);
  w.block(kernel.body);
  w.line("}");
  return w.take();
}

std::string cpu_trampoline(const Kernel& kernel) {
  Writer w(kernel, {});
  w.line(fmt::format("HD_API void {}_cpu(const struct hd_cpu_launch *launch, void **args) {{", kernel.name));
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

std::vector<Expr> divisors(const Kernel& kernel) {
  std::vector<Expr> found;
  nest::NameSet constants(kernel.constants.begin(), kernel.constants.end());
  nest::for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop || !nest::parallel(loop->role)) return;
    Expr step = step_of(nest::nest_extents(*loop));
    bool known = fixed(step, constants);
    for (const Expr& e : found) known |= nest::equal(e, step);
    if (!known) found.push_back(step);
  });
  return found;
}

std::vector<Expr> long_divisors(const Kernel& kernel) {
  std::vector<Expr> found;
  // Where sizes are constants, numbers are narrow already.
  if (!kernel.constants.empty()) return found;
  nest::NameSet scalars;
  for (const nest::ScalarParam& p : kernel.scalars) scalars.insert(p.name);
  nest::for_each_expr(kernel.body, [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !is_long_division(*o)) return;
    const Expr& by = o->args[1];
    if (nest::int_constant(by) || !known_to_host(by, scalars)) return;
    if (std::ranges::none_of(found, [&](const Expr& f) { return nest::equal(f, by); })) found.push_back(by);
  });
  return found;
}

}  // namespace heddle::codegen
