#include "rewrites/nest/read_ahead.h"

#include <algorithm>

#include "rewrites/nest/meanings.h"
#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

namespace {

// Of one array four steps' elements are as many as the compiler asks for by itself; of several it asks for one after the other where a step
// stores, or has branches. H200, 100,000 threads that solve a system of 100 equations each: 222 us as it was, 86 with four steps ahead.
constexpr int64_t kMostSteps = 16, kLeastSteps = 4, kLeastElements = 8;
constexpr int64_t kRegisters = 16;  // for what is read ahead
// Statements of a loop, which are written out as often as there are steps, and of a kernel. What takes long counts as several: the compiler
// computes it for many steps at a time, for which a thread has registers at the cost of other threads.
constexpr int64_t kMostOfLoop = 192, kMostOfKernel = 1024, kOfCall = 8, kOfQuotient = 4;

using Place = std::vector<Polynomial>;

struct Read {
  Name buffer;
  prim::Type type;
  std::vector<Expr> index;
  Place place;
};

int64_t weight(const Expr& e) {
  int64_t found = 0;
  for_each_expr(e, [&](const Expr& x) {
    const auto* o = std::get_if<Operation>(&x->node);
    if (std::holds_alternative<Call>(x->node) || (o && o->op.family == prim::Family::FPow)) found += kOfCall;
    if (o && o->op.family == prim::Family::FDiv) found += kOfQuotient;
  });
  return found;
}

// How many statements there are; none where one of them may end the thread, wait, or take any time. Nor where a thread's own array is
// used, which stays in registers only where the compiler knows all indices.
std::optional<int64_t> straight_statements(const Block& block) {
  int64_t count = 0;
  bool straight = true;
  for_each_stmt(block, [&](const Stmt& s) {
    ++count;
    if (const auto* let = std::get_if<Let>(&s->node)) count += weight(let->value);
    if (const auto* store = std::get_if<Store>(&s->node)) count += weight(store->value);
    straight &= std::holds_alternative<Let>(s->node) || std::holds_alternative<Alloc>(s->node) ||
                std::holds_alternative<Store>(s->node) || std::holds_alternative<If>(s->node);
  });
  return straight ? std::optional(count) : std::nullopt;
}

bool uses_any(const Block& block, const NameSet& buffers) {
  return std::ranges::any_of(free_names(block), [&](const Name& n) { return buffers.contains(n); });
}

bool loads(const Block& block, const Name& buffer, const std::vector<Expr>& index) {
  bool found = false;
  for_each_expr(block, [&](const Expr& e) {
    const auto* l = std::get_if<Load>(&e->node);
    found |= l && l->buffer == buffer && std::ranges::equal(l->index, index, equal);
  });
  return found;
}

bool stores(const Block& block, const Name& buffer) {
  bool found = false;
  for_each_stmt(block, [&](const Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    found |= store && store->buffer == buffer;
  });
  return found;
}

// Whether a step reads the element behind, or in the same branch as, a store to the buffer: what it has stored itself, perhaps.
bool is_read_behind_a_store(const Block& body, const Name& buffer, const std::vector<Expr>& index) {
  bool written = false;
  for (const Stmt& s : body) {
    const bool writes = stores({s}, buffer), is_store = std::holds_alternative<Store>(s->node);
    if ((written || (writes && !is_store)) && loads({s}, buffer, index)) return true;
    written |= writes;
  }
  return false;
}

// Whether a step's store is never what one of the next `steps` - 1 reads, nor, unless it may be, what the step reads itself.
bool are_apart(const Place& read, const Place& written, const Name& index, int64_t steps, bool may_be_same) {
  for (size_t k = 0; k < read.size(); ++k) {
    if (read[k].degree_in(index) > 1 || written[k].degree_in(index) > 1) continue;
    auto a = read[k].coefficient(index).as_constant(), b = written[k].coefficient(index).as_constant();
    auto apart = (written[k].without(index) - read[k].without(index)).as_constant();
    if (!a || a != b || !apart) continue;
    if (*a == 0 && *apart != 0) return true;
    if (*a == 0) continue;
    const int64_t later = *apart / *a;
    if (*apart % *a != 0 || later < 0 || later >= steps || (later == 0 && may_be_same)) return true;
  }
  return false;
}

class ReadAhead : public Rebuilder<ReadAhead> {
 public:
  ReadAhead(const Kernel& kernel, NameSource& names) : meanings_(kernel.body), names_(names) {
    for (const Buffer& b : kernel.buffers) {
      if (!b.exchanged) buffers_.insert(b.name);
    }
    for_each_stmt(kernel.body, [&](const Stmt& s) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      if (alloc && !alloc->buffer.dims.empty()) own_.insert(alloc->buffer.name);
    });
  }

  void expr(Expr&) {}
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    const auto* loop = std::get_if<For>(&out.back()->node);
    if (!loop || loop->role != Role::Serial || int_constant(loop->extent) || uses_any(loop->body, own_)) return;
    auto statements = straight_statements(loop->body);
    if (!statements) return;
    int64_t steps = kMostSteps;
    while (steps * *statements > kMostOfLoop) steps /= 2;
    const std::vector<Read> reads = reads_of(*loop, steps);
    const int64_t elements = steps * static_cast<int64_t>(reads.size());
    if (steps < kLeastSteps || elements < kLeastElements || written_out_ + steps * *statements > kMostOfKernel) return;
    written_out_ += steps * *statements;
    const For old = *loop;
    out.pop_back();
    batches(old, reads, steps, out);
  }

 private:
  // What may be read ahead, and so many steps that there are registers for all of it.
  std::vector<Read> reads_of(const For& loop, int64_t& steps) const {
    std::vector<Read> found;
    const NameSet bound = bound_in(loop.body);
    struct Loads : Walker<Loads> {
      std::vector<std::pair<const Load*, prim::Type>> all;
      void expr(const Expr& e) {
        if (const auto* choice = std::get_if<Select>(&e->node)) return expr(choice->condition);
        if (const auto* l = std::get_if<Load>(&e->node)) all.emplace_back(l, e->type);
        Walker::expr(e);
      }
      void body(const Block&) {}
    } loads;
    for (const Stmt& s : loop.body) loads.stmt(s);
    int64_t registers = 0;
    for (const auto& [l, type] : loads.all) {
      if (!buffers_.contains(l->buffer)) continue;
      auto same = [&, l = l](const Read& r) {
        return r.buffer == l->buffer && std::ranges::equal(r.index, l->index, equal);
      };
      if (std::ranges::any_of(found, same)) continue;
      auto place = meanings_.place(l->index, bound);
      if (!place || std::ranges::none_of(*place, [&](const Polynomial& p) { return p.mentions(loop.index); })) continue;
      const int64_t more = prim::size_bytes(type) > 4 ? 2 : 1;
      if (kLeastSteps * (registers + more) > kRegisters || !may_be_ahead(loop, *l, *place, bound)) continue;
      registers += more;
      found.push_back({l->buffer, type, l->index, *place});
    }
    while (steps * registers > kRegisters) steps /= 2;
    return found;
  }

  bool may_be_ahead(const For& loop, const Load& l, const Place& read, const NameSet& bound) const {
    const bool may_be_same = !is_read_behind_a_store(loop.body, l.buffer, l.index);
    bool may = true;
    for_each_stmt(loop.body, [&](const Stmt& s) {
      const auto* store = std::get_if<Store>(&s->node);
      if (!store || store->buffer != l.buffer) return;
      auto written = meanings_.place(store->index, bound);
      may = may && written && are_apart(read, *written, loop.index, kMostSteps, may_be_same);
    });
    return may;
  }

  void batches(const For& loop, const std::vector<Read>& reads, int64_t steps, Block& out) {
    using prim::Type;
    const Name count = names_.fresh("count");
    const Expr all = var(count, Type::I64), size = constant(steps);
    const Name batches = names_.fresh("batches"), batch = names_.fresh("batch"), first = names_.fresh("first"),
               reading = names_.fresh("reading"), step = names_.fresh("step"), done = names_.fresh("done"),
               rest = names_.fresh("rest");
    const Expr num_batches = var(batches, Type::I64);
    Block of_batch = {stmt(Let{first, mul(var(batch, Type::I64), size)})}, loads;
    std::vector<Buffer> ahead;
    for (const Read& r : reads) {
      ahead.push_back({names_.fresh("ahead"), r.type, Space::Register, {size}, {constant(int64_t{1})}});
      of_batch.push_back(stmt(Alloc{ahead.back()}));
      std::vector<Expr> index;
      for (const Polynomial& p : r.place)
        index.push_back(to_expr(p.substitute(loop.index, Polynomial::of(first) + Polynomial::of(reading))));
      loads.push_back(stmt(Store{ahead.back().name, {var(reading, Type::I64)}, load(r.buffer, r.type, index)}));
    }
    of_batch.push_back(stmt(For{reading, size, Role::Unrolled, std::move(loads)}));
    of_batch.push_back(stmt(For{step, size, Role::Unrolled, with_reads(loop, reads, ahead, first, step)}));
    Block of_rest = {stmt(Let{loop.index, add(var(done, Type::I64), var(rest, Type::I64))})};
    of_rest.insert(of_rest.end(), loop.body.begin(), loop.body.end());
    // Once, since what the loop stores may be what its extent is read from.
    out.push_back(stmt(Let{count, max(loop.extent, constant(int64_t{0}))}));
    out.push_back(stmt(Let{batches, div(all, size)}));
    out.push_back(stmt(For{batch, num_batches, Role::Serial, std::move(of_batch)}));
    out.push_back(stmt(Let{done, mul(num_batches, size)}));
    out.push_back(stmt(For{rest, sub(all, var(done, Type::I64)), Role::Serial, std::move(of_rest)}));
  }

  // A step of a batch, with names of its own.
  Block with_reads(const For& loop, const std::vector<Read>& reads, const std::vector<Buffer>& ahead, const Name& first,
                   const Name& step) {
    struct Loads : Rebuilder<Loads> {
      const std::vector<Read>& reads;
      const std::vector<Buffer>& ahead;
      Expr step;
      Loads(const std::vector<Read>& reads, const std::vector<Buffer>& ahead, Expr step)
          : reads(reads), ahead(ahead), step(std::move(step)) {}
      void expr(Expr& e) {
        const auto* l = std::get_if<Load>(&e->node);
        for (size_t k = 0; l && k < reads.size(); ++k) {
          if (reads[k].buffer != l->buffer || !std::ranges::equal(reads[k].index, l->index, equal)) continue;
          e = load(ahead[k].name, e->type, {step});
          return;
        }
        Rebuilder::expr(e);
      }
    } with(reads, ahead, var(step, prim::Type::I64));
    Block body = loop.body;
    with.body(body);
    body.insert(body.begin(), stmt(Let{loop.index, add(var(first, prim::Type::I64), var(step, prim::Type::I64))}));
    return renamed(body, bound_in(body), names_);
  }

  Meanings meanings_;
  NameSource& names_;
  NameSet buffers_;  // of which other threads write nothing meanwhile
  NameSet own_;      // arrays of a thread or block
  int64_t written_out_ = 0;
};

}  // namespace

Kernel read_ahead(Kernel kernel, NameSource& names) {
  ReadAhead ahead(kernel, names);
  ahead.body(kernel.body);
  return kernel;
}

}  // namespace heddle::nest
