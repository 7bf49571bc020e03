#include "rewrites/nest/split_reduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "ir/prim/algebra.h"

namespace heddle::nest {

namespace {

using prim::Type;

class Splitter {
 public:
  Splitter(const Kernel& kernel, const Name& loop, NameSource& names)
      : kernel_(kernel), names_(names), site_(find_loop(kernel, loop)), loop_(*site_.loop) {
    if (loop_.role != Role::Serial) refuse(fmt::format("{} is {}", loop.text(), to_text(loop_.role)));
    find_point(kernel.body, 0);
    find_reduction();
  }

  Split run() {
    Buffer partial{names_.fresh("partial"), acc_.elem, Space::Global, {number_of_parts()}, {}};
    std::vector<Expr> at = {var(loop_.index, Type::I64)};
    for (const For* f : site_.around) {
      partial.dims.push_back(known_extent(*f));
      at.push_back(var(f->index, Type::I64));
    }
    partial.strides = dense_strides(partial.dims);
    Split split{with_buffer(partial), with_buffer(partial), partial.name,
                fmt::format("{} only takes steps of a reduction by {}, which is associative and commutative",
                            loop_.index.text(), prim::name(reduce_))};
    Expr old = load(acc_.name, acc_.elem, {});

    Block part = {stmt(Alloc{acc_}), stmt(Store{acc_.name, {}, constant(*prim::neutral_element(reduce_))})};
    part.insert(part.end(), loop_.body.begin(), loop_.body.end());
    part.push_back(stmt(Store{partial.name, at, old}));
    split.first.name += "_parts";
    split.first.body = {stmt(For{loop_.index, loop_.extent, Role::Serial, around_points(part)})};

    Expr next = operation(reduce_, {old, load(partial.name, partial.elem, at)});
    Block whole = point_;
    whole[at_loop_] = stmt(For{loop_.index, loop_.extent, Role::Serial, {stmt(Store{acc_.name, {}, next})}});
    split.second.name += "_whole";
    split.second.body = around_points(whole);
    for (Kernel* k : {&split.first, &split.second}) {
      NameSet used = free_names(k->body);
      std::erase_if(k->buffers, [&](const Buffer& b) { return !used.contains(b.name); });
      std::vector<std::string> problems = verify(*k);
      if (!problems.empty()) refuse(problems[0]);
    }
    return split;
  }

 private:
  // The statements among which the loop is, and the layers and loops around them.
  void find_point(const Block& block, size_t depth) {
    Shell shell = shell_of(block);
    shells_.push_back(shell.layers);
    if (depth == site_.around.size()) {
      point_ = shell.core;
      return;
    }
    const auto* f = shell.core.size() == 1 ? std::get_if<For>(&shell.core[0]->node) : nullptr;
    if (!f || f != site_.around[depth])
      refuse(fmt::format("other statements stand beside a loop around {}", loop_.index.text()));
    if (f->role != Role::Serial)
      refuse(fmt::format("{}, which is around it, is {}", f->index.text(), to_text(f->role)));
    find_point(f->body, depth + 1);
  }

  Block around_points(Block body) const {
    body = in_layers(shells_.back(), std::move(body));
    for (size_t k = site_.around.size(); k-- > 0;) {
      const For& f = *site_.around[k];
      body = in_layers(shells_[k], {stmt(For{f.index, f.extent, f.role, std::move(body)})});
    }
    return body;
  }

  void find_reduction() {
    auto at = std::ranges::find_if(point_, [&](const Stmt& s) { return std::get_if<For>(&s->node) == &loop_; });
    if (at == point_.end()) refuse(fmt::format("{} stands under a condition of its own", loop_.index.text()));
    at_loop_ = static_cast<size_t>(at - point_.begin());
    std::optional<Name> acc;
    NameSet own;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) own.insert(alloc->buffer.name);
    });
    size_t num_steps = 0;
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      const auto* store = std::get_if<Store>(&s->node);
      bool is_plain = store || std::holds_alternative<Let>(s->node) || std::holds_alternative<For>(s->node) ||
                      std::holds_alternative<If>(s->node) || std::holds_alternative<Alloc>(s->node);
      if (!is_plain) refuse(fmt::format("{} does more than reduce", loop_.index.text()));
      if (!store || own.contains(store->buffer)) return;
      if (acc && *acc != store->buffer)
        refuse(fmt::format("{} writes to {} and {}", loop_.index.text(), acc->text(), store->buffer.text()));
      acc = store->buffer;
      step(*store, num_steps == 0);
      ++num_steps;
    });
    if (!acc) refuse(fmt::format("{} reduces nothing", loop_.index.text()));
    size_t num_reads = 0;
    for_each_expr(loop_.body, [&](const Expr& e) {
      const auto* l = std::get_if<Load>(&e->node);
      if (!l || own.contains(l->buffer)) return;
      num_reads += l->buffer == *acc ? 1 : 0;
      // Parts are reduced before anything else is done.
      if (l->buffer != *acc) check_only_read(kernel_, l->buffer);
    });
    if (num_reads != num_steps) refuse(fmt::format("{} is used within the reduction", acc->text()));
    auto made = std::ranges::find_if(point_, [&](const Stmt& s) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      return alloc && alloc->buffer.name == *acc;
    });
    if (made == point_.end()) refuse(fmt::format("{} is not made where {} is", acc->text(), loop_.index.text()));
    acc_ = std::get<Alloc>((*made)->node).buffer;
    if (!acc_.dims.empty()) refuse(fmt::format("{} is no scalar", acc->text()));
  }

  void step(const Store& s, bool is_first) {
    const auto* o = std::get_if<Operation>(&s.value->node);
    if (!o || !prim::neutral_element(o->op))
      refuse(fmt::format("what is stored to {} comes from no associative and commutative operator", s.buffer.text()));
    if (!is_first && o->op != reduce_)
      refuse(fmt::format("{} and {} are mixed", prim::name(reduce_), prim::name(o->op)));
    reduce_ = o->op;
    bool is_step = std::ranges::any_of(o->args, [&](const Expr& a) {
      const auto* l = std::get_if<Load>(&a->node);
      return l && l->buffer == s.buffer;
    });
    if (!is_step) refuse(fmt::format("{} does not go on from its old value", s.buffer.text()));
  }

  Expr number_of_parts() const {
    Expr extent = known_extent(loop_);
    if (!equal(extent, substitute(index_lets(kernel_), loop_.extent)))
      refuse(fmt::format("the extent of {} is not the same everywhere", loop_.index.text()));
    return extent;
  }

  Expr known_extent(const For& f) const {
    NameSet bound;
    for (const For* around : site_.around) bound.insert(around->index);
    Expr extent = extent_without(f.extent, index_lets(kernel_), bound);
    if (!extent) refuse(fmt::format("the extent of {} is not known at launch", f.index.text()));
    return extent;
  }

  Kernel with_buffer(const Buffer& b) const {
    Kernel k = kernel_;
    k.buffers.push_back(b);
    return k;
  }

  const Kernel& kernel_;
  NameSource& names_;
  LoopSite site_;
  const For& loop_;
  std::vector<std::vector<Stmt>> shells_;  // between the loops around, outermost first
  Block point_;
  size_t at_loop_ = 0;
  Buffer acc_;
  prim::Op reduce_{prim::Family::Add, Type::I64};
};

}  // namespace

Result<Split> split_reduction(const Kernel& kernel, const Name& loop, NameSource& names) {
  try {
    return Splitter(kernel, loop, names).run();
  } catch (const Refused& refused) {
    return refused.error;
  }
}

}  // namespace heddle::nest
