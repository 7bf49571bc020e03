#include "rewrites/nest/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "ir/nest/threads.h"

namespace heddle::nest {

namespace {

using prim::Type;

Expr index_of(const Name& n) { return var(n, Type::I64); }

bool is_block_barrier(const Stmt& s) {
  const auto* b = std::get_if<Barrier>(&s->node);
  return b && b->scope == Scope::Block;
}

// What an iteration does: copies, a barrier, what is computed from them, a barrier.
struct Parts {
  std::vector<Buffer> tiles;
  Block copies, compute;
};

Parts parts_of(const For& loop) {
  auto barrier = std::ranges::find_if(loop.body, is_block_barrier);
  if (barrier == loop.body.end() || !is_block_barrier(loop.body.back()) || barrier + 1 == loop.body.end())
    refuse(fmt::format("{} does not copy, wait at a barrier, compute and wait again", loop.index.text()));
  Parts parts;
  for (auto s = loop.body.begin(); s != barrier; ++s) {
    if (const auto* alloc = std::get_if<Alloc>(&(*s)->node)) {
      if (alloc->buffer.space != Space::Shared)
        refuse(fmt::format("{} is made before the copies' barrier and is no shared memory", alloc->buffer.name.text()));
      parts.tiles.push_back(alloc->buffer);
    } else {
      parts.copies.push_back(*s);
    }
  }
  if (parts.tiles.empty()) refuse(fmt::format("{} has no tiles of its own", loop.index.text()));
  parts.compute.assign(barrier + 1, loop.body.end() - 1);
  return parts;
}

// What reads no memory has the same value earlier, for the same iteration.
void check_unchanging(const Expr& e) {
  for_each_expr(e, [&](const Expr& x) {
    if (std::holds_alternative<Load>(x->node)) refuse(fmt::format("{} may change until then", to_text(e)));
  });
}

const Buffer* tile_named(const Parts& parts, const Name& name) {
  auto found = std::ranges::find(parts.tiles, name, &Buffer::name);
  return found == parts.tiles.end() ? nullptr : &*found;
}

// Copies as asynchronous ones to a stage. Throws Refused where there is anything but copies.
class AsCopies {
 public:
  AsCopies(const Kernel& kernel, const Parts& parts, Expr stage)
      : kernel_(kernel), parts_(parts), stage_(std::move(stage)) {}

  Block run(const Block& block) const {
    Block out;
    for (const Stmt& s : block) {
      if (const auto* let = std::get_if<Let>(&s->node)) {
        check_unchanging(let->value);
        out.push_back(s);
      } else if (const auto* f = std::get_if<For>(&s->node)) {
        check_unchanging(f->extent);
        out.push_back(stmt(For{f->index, f->extent, f->role, run(f->body)}));
      } else if (const auto* branch = std::get_if<If>(&s->node)) {
        check_unchanging(branch->condition);
        out.push_back(stmt(If{branch->condition, run(branch->then_body), run(branch->else_body)}));
      } else {
        out.push_back(stmt(copy(s)));
      }
    }
    return out;
  }

 private:
  AsyncCopy copy(const Stmt& s) const {
    const auto* store = std::get_if<Store>(&s->node);
    if (!store || !tile_named(parts_, store->buffer)) refuse("something else than copies stands before the barrier");
    Expr value = store->value, valid = constant(prim::Value::of_bool(true));
    if (const auto* choice = std::get_if<Select>(&value->node); choice && is_constant_zero(choice->if_false)) {
      valid = choice->condition;
      value = Expr(choice->if_true);
    }
    const auto* element = std::get_if<Load>(&value->node);
    if (!element)
      refuse(fmt::format("{}, which is stored to {}, is no element", to_text(store->value), store->buffer.text()));
    bool is_parameter =
        std::ranges::any_of(kernel_.buffers, [&](const Buffer& b) { return b.name == element->buffer; });
    if (!is_parameter) refuse(fmt::format("{} is no parameter of the kernel", element->buffer.text()));
    check_only_read(kernel_, element->buffer);
    check_unchanging(valid);
    for (const auto* index : {&store->index, &element->index}) {
      for (const Expr& e : *index) check_unchanging(e);
    }
    std::vector<Expr> to = {stage_};
    to.insert(to.end(), store->index.begin(), store->index.end());
    return {store->buffer, std::move(to), element->buffer, element->index, constant(int64_t{1}), valid};
  }

  const Kernel& kernel_;
  const Parts& parts_;
  Expr stage_;
};

// Throws Refused unless statements only read shared memory that the loop itself filled, and write registers.
void check_computes(const Parts& parts, const Block& block) {
  NameSet own;
  for_each_stmt(block, [&](const Stmt& s) {
    if (const auto* alloc = std::get_if<Alloc>(&s->node)) {
      if (alloc->buffer.space == Space::Shared)
        refuse(fmt::format("{} is shared memory, too", alloc->buffer.name.text()));
      return;
    }
    if (const auto* store = std::get_if<Store>(&s->node)) {
      own.insert(store->buffer);
      return;
    }
    bool is_plain = std::holds_alternative<Let>(s->node) || std::holds_alternative<For>(s->node) ||
                    std::holds_alternative<If>(s->node);
    if (!is_plain) refuse(fmt::format("`{}` stands between the barriers", to_text(Block{s}).substr(0, 20)));
  });
  for (const Name& n : own) {
    if (tile_named(parts, n)) refuse(fmt::format("{} is written after it was copied", n.text()));
  }
}

void check_only_registers(const Kernel& kernel, const Block& block) {
  NameSet registers;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && alloc->buffer.space == Space::Register) registers.insert(alloc->buffer.name);
  });
  for_each_stmt(block, [&](const Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    if (store && !registers.contains(store->buffer))
      refuse(fmt::format("other threads may wait at the barrier for {}", store->buffer.text()));
  });
}

// Lets accesses to tiles go to one of their stages.
struct ReadStage : Rebuilder<ReadStage> {
  const Parts& parts;
  Expr stage;
  ReadStage(const Parts& parts, Expr stage) : parts(parts), stage(std::move(stage)) {}

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* l = std::get_if<Load>(&e->node);
    if (!l || !tile_named(parts, l->buffer)) return;
    std::vector<Expr> at = {stage};
    at.insert(at.end(), l->index.begin(), l->index.end());
    e = load(l->buffer, e->type, std::move(at));
  }
};

Buffer staged(Buffer tile, const Expr& stages) {
  Expr size = tile.dims.empty() ? constant(int64_t{1}) : mul(tile.dims[0], tile.strides[0]);
  tile.dims.insert(tile.dims.begin(), stages);
  tile.strides.insert(tile.strides.begin(), size);
  return tile;
}

}  // namespace

Result<Rewritten> pipeline(const Kernel& kernel, const Name& loop, const Expr& ahead, NameSource& names) {
  return rewrite([&]() -> Rewritten {
    LoopSite place = find_loop(kernel, loop);
    const For& f = *place.loop;
    if (f.role != Role::Serial) refuse(fmt::format("{} is {}", loop.text(), to_text(f.role)));
    if (!is_fixed(kernel, ahead) || !is_positive(kernel, ahead, names))
      refuse(fmt::format("{} is no positive constant", to_text(ahead)));
    check_unchanging(f.extent);
    Parts parts = parts_of(f);
    check_computes(parts, parts.compute);
    check_only_registers(kernel, parts.compute);

    Name first = names.fresh(loop.base + "_ahead"), next = names.fresh(loop.base + "_next"),
         stage = names.fresh(loop.base + "_stage");
    Expr stages = add(ahead, constant(int64_t{1}));
    auto copies_of = [&](const Name& iteration, const Expr& to_stage) -> Block {
      Block copies = AsCopies(kernel, parts, to_stage).run(parts.copies);
      copies = renamed(substitute({{loop, index_of(iteration)}}, copies), bound_in(copies), names);
      return {stmt(If{less(index_of(iteration), f.extent), copies, {}}), stmt(AsyncCommit{})};
    };
    Block result;
    for (const Buffer& tile : parts.tiles) result.push_back(stmt(Alloc{staged(tile, stages)}));
    result.push_back(stmt(For{first, ahead, Role::Serial, copies_of(first, index_of(first))}));
    Block body = {stmt(AsyncWait{sub(ahead, constant(int64_t{1}))}), stmt(Barrier{Scope::Block}),
                  stmt(Let{next, add(index_of(loop), ahead)})};
    Block copies = copies_of(next, mod(index_of(next), stages));
    body.insert(body.end(), copies.begin(), copies.end());
    body.push_back(stmt(Let{stage, mod(index_of(loop), stages)}));
    Block compute = parts.compute;
    ReadStage(parts, index_of(stage)).body(compute);
    body.insert(body.end(), compute.begin(), compute.end());
    result.push_back(stmt(For{loop, f.extent, f.role, body}));
    bool comes_again = std::ranges::any_of(place.around, [](const For* around) { return !parallel(around->role); });
    if (comes_again) result.push_back(stmt(Barrier{Scope::Block}));
    return {
        with_loop_replaced(kernel, loop, [&](const For&) { return result; }),
        fmt::format("the copies in {} read what nothing writes, and the stage that they fill was read one iteration "
                    "before, which all threads have left at the barrier",
                    loop.text()),
        {first}};
  });
}

}  // namespace heddle::nest
