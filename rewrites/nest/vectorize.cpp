#include "rewrites/nest/vectorize.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "rewrites/nest/multiples.h"

namespace heddle::nest {

namespace {

using prim::Type;

// What a loop does to each of its elements, with Lets looked through.
struct Move {
  std::vector<Expr> conditions;
  Store store;
};

Move move_of(const For& loop) {
  Shell shell = shell_of(loop.body);
  Substitution lets;
  Move move;
  auto look_through = [&](const Let& let) { lets.insert_or_assign(let.name, substitute(lets, let.value)); };
  for (const Stmt& s : shell.layers) {
    if (const auto* let = std::get_if<Let>(&s->node)) look_through(*let);
    if (const auto* branch = std::get_if<If>(&s->node)) move.conditions.push_back(substitute(lets, branch->condition));
  }
  for (const Stmt& s : shell.core) {
    const auto* let = std::get_if<Let>(&s->node);
    const auto* store = std::get_if<Store>(&s->node);
    bool is_last = &s == &shell.core.back();
    if (let && !is_last) {
      look_through(*let);
    } else if (store && is_last) {
      move.store = {store->buffer, {}, substitute(lets, store->value)};
      for (const Expr& e : store->index) move.store.index.push_back(substitute(lets, e));
    } else {
      refuse(fmt::format("{} does more than one store", loop.index.text()));
    }
  }
  if (shell.core.empty()) refuse(fmt::format("{} does nothing", loop.index.text()));
  return move;
}

class Vectorizer {
 public:
  Vectorizer(const Kernel& kernel, const For& loop, NameSource& names)
      : kernel_(kernel), loop_(loop), names_(names), multiples_(kernel, loop.extent, names), move_(move_of(loop)) {}

  Rewritten run() {
    if (loop_.role != Role::Serial && loop_.role != Role::Unrolled)
      refuse(fmt::format("{} is {}", loop_.index.text(), to_text(loop_.role)));
    Block wide;
    const auto* element = std::get_if<Load>(&move_.store.value->node);
    for_each_expr(move_.store.value, [&](const Expr& e) {
      const auto* l = std::get_if<Load>(&e->node);
      if (l && l->buffer == move_.store.buffer) refuse(fmt::format("{} is read, too", l->buffer.text()));
    });
    check_row(move_.store.buffer, move_.store.index);
    if (element) {
      check_row(element->buffer, element->index);
      wide = {stmt(For{loop_.index, loop_.extent, Role::Vector, {stmt(move_.store)}})};
    } else {
      wide = through_registers();
    }
    Block under;
    for (const Expr& c : move_.conditions) {
      multiples_.require_same(c, loop_.index);
      under.push_back(stmt(If{first(c), {}, {}}));
    }
    Block result = in_layers(under, std::move(wide));
    Expr test = multiples_.test();
    if (!std::holds_alternative<Const>(test->node)) {
      Block narrow = renamed({stmt(loop_)}, bound(), names_);
      result = {stmt(If{test, std::move(result), std::move(narrow)})};
    }
    return {with_loop_replaced(kernel_, loop_.index, [&](const For&) { return result; }),
            fmt::format("the elements of {} lie side by side, from a multiple of {} on, and are moved all or none",
                        move_.store.buffer.text(), to_text(loop_.extent)),
            {}};
  }

 private:
  Expr first(const Expr& e) const { return substitute({{loop_.index, constant(int64_t{0})}}, e); }

  void check_row(const Name& name, const std::vector<Expr>& index) {
    const Buffer& buffer = buffer_named(kernel_, name);
    std::vector<Expr> at;
    for (size_t d = 0; d < index.size(); ++d) {
      Expr next = substitute({{loop_.index, add(var(loop_.index, Type::I64), constant(int64_t{1}))}}, index[d]);
      auto here = from_expr(index[d], no_definition), there = from_expr(next, no_definition);
      int64_t step = d + 1 == index.size() ? 1 : 0;
      if (!here || !there || *there - *here != Polynomial(step))
        refuse(fmt::format("{} does not move to the neighbour in {} with {}", to_text(index[d]), name.text(),
                           loop_.index.text()));
      at.push_back(first(index[d]));
    }
    multiples_.require_row(buffer, at);
  }

  Block through_registers() {
    Type elem = move_.store.value->type;
    Buffer values{names_.fresh("values"), elem, Space::Register, {loop_.extent}, {constant(int64_t{1})}};
    Name computed = names_.fresh(loop_.index);
    Expr index = var(computed, Type::I64);
    Store move = move_.store;
    move.value = load(values.name, elem, {var(loop_.index, Type::I64)});
    Expr value = substitute({{loop_.index, index}}, move_.store.value);
    return {stmt(Alloc{values}),
            stmt(For{computed, loop_.extent, Role::Unrolled, {stmt(Store{values.name, {index}, value})}}),
            stmt(For{loop_.index, loop_.extent, Role::Vector, {stmt(move)}})};
  }

  NameSet bound() const {
    NameSet names = {loop_.index};
    for_each_stmt(loop_.body, [&](const Stmt& s) {
      if (const auto* let = std::get_if<Let>(&s->node)) names.insert(let->name);
    });
    return names;
  }

  const Kernel& kernel_;
  const For& loop_;
  NameSource& names_;
  Multiples multiples_;
  Move move_;
};

}  // namespace

Result<Rewritten> vectorize(const Kernel& kernel, const Name& loop, NameSource& names) {
  return rewrite([&] { return Vectorizer(kernel, *find_loop(kernel, loop).loop, names).run(); });
}

}  // namespace heddle::nest
