#include "rewrites/host/loops_by_kernel.h"

#include <algorithm>

#include "rewrites/host/each_block.h"
#include "rewrites/host/loop_in_thread.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

// As much as the host reads at a time of what is around elements that it has asked for.
constexpr int64_t kBytesReadAhead = 1 << 20;
// A kernel that is longer takes the compiler longer than it gains.
constexpr int kMostStatements = 256;

ElemTypes elem_types(const Program& program, const std::vector<Binder>& inputs, const Block& body) {
  ElemTypes types;
  auto add = [&](const Binder& b) { types.emplace(b.name, b.type.elem); };
  std::ranges::for_each(program.constants, add);
  std::ranges::for_each(inputs, add);
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* loop = std::get_if<Loop>(&s->node)) {
      for (size_t i = 0; i < loop->params.size(); ++i) {
        add(loop->params[i].binder);
        add({loop->results[i], loop->params[i].binder.type});
      }
    } else if (const auto* branches = std::get_if<If>(&s->node)) {
      std::ranges::for_each(branches->results, add);
    } else if (const auto* alloc = std::get_if<Alloc>(&s->node)) {
      types.emplace(alloc->name, alloc->elem);
    } else {
      std::visit(
          [&](const auto& n) {
            if constexpr (requires { n.name, n.array; }) {
              if (auto known = types.find(n.array); known != types.end()) types.emplace(n.name, known->second);
            }
          },
          s->node);
    }
  });
  return types;
}

// What the host waits for or has the device copy in each step of a loop.
class Waits {
 public:
  Waits(const Loop& loop, const SameMemory& memory) : memory_(memory) {
    for (size_t before = 1; before != found();) {
      before = found();
      see(loop);
    }
  }

  // Memory of which elements are read at places that depend on others that are read.
  const nest::NameSet& where_others_say() const { return where_others_say_; }
  // Whether elements are stored: in each step, or in some, of which the host would read nothing ahead.
  bool stores() const { return stores_ || (may_store_ && (!reads_ || !where_others_say_.empty())); }
  bool any() const { return stores() || !where_others_say_.empty(); }

 private:
  size_t found() const { return follow_.size(); }

  bool follows(const Expr& e) const {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return follow_.contains(n); });
  }
  bool any_follows(const std::vector<Expr>& all) const {
    return std::ranges::any_of(all, [&](const Expr& e) { return follows(e); });
  }
  bool follows(const Value& v) const {
    const auto* e = std::get_if<Expr>(&v);
    return e && follows(*e);
  }

  void see(const Loop& loop) {
    for (size_t i = 0; i < loop.params.size(); ++i) {
      if (follows(loop.params[i].init) || follows(loop.body.yields[i])) {
        follow_.insert(loop.params[i].binder.name);
        follow_.insert(loop.results[i]);
      }
    }
    see(loop.body);
  }
  void see(const Block& b) {
    for (const Stmt& s : b.stmts) {
      std::visit([&](const auto& n) { see(n); }, s->node);
    }
  }

  template <class Node>
  void see(const Node&) {}
  void see(const Let& n) {
    if (follows(n.value)) follow_.insert(n.name);
  }
  void see(const ReadElement& n) {
    if (any_follows(n.index)) where_others_say_.insert(memory_.of(n.array));
    reads_ = true;
    follow_.insert(n.name);
  }
  void see(const Slice& n) {
    const bool depends = std::ranges::any_of(n.subscripts, [&](const Subscript& s) {
      const auto* range = std::get_if<Range>(&s);
      return range ? follows(range->start) : follows(std::get<Expr>(s));
    });
    if (depends) follow_.insert(n.name);
  }
  void see(const Copy& n) {
    if (follow_.contains(n.from)) where_others_say_.insert(memory_.of(n.from));
    store();
  }
  void see(const WriteElement&) { store(); }
  void store() { (branches_ > 0 ? may_store_ : stores_) = true; }
  void see(const If& n) {
    bool depends = false;
    ++branches_;
    for (const Case& c : n.cases) {
      depends |= follows(c.condition);
      see(c.body);
    }
    see(n.otherwise);
    --branches_;
    for (size_t i = 0; i < n.results.size(); ++i) {
      bool result = depends || follows(n.otherwise.yields[i]);
      for (const Case& c : n.cases) result |= follows(c.body.yields[i]);
      if (result && n.results[i].type.rank == 0) follow_.insert(n.results[i].name);
    }
  }

  const SameMemory& memory_;
  nest::NameSet follow_;  // scalars that follow from elements, and windows that begin where these say
  nest::NameSet where_others_say_;
  bool stores_ = false, may_store_ = false, reads_ = false;
  int branches_ = 0;  // around
};

class Change {
 public:
  Change(Program& program, ElemTypes types, const SameMemory& memory, NameSource& names)
      : program_(program), types_(std::move(types)), memory_(memory), names_(names) {}

  // Loops around others come first.
  void block(Block& b) {
    std::vector<Stmt> all;
    for (Stmt& s : b.stmts) {
      if (const auto* loop = std::get_if<Loop>(&s->node); loop && by_kernel(*loop, all)) continue;
      Within within(*this);
      within.stmt(s);
      all.push_back(std::move(s));
    }
    b.stmts = std::move(all);
  }

  // Loops' results that are their parameters' initial arrays.
  Renaming same;

 private:
  struct Within : Rebuilder<Within> {
    Change& change;
    explicit Within(Change& c) : change(c) {}
    void body(Block& b) { change.block(b); }
  };

  bool is_worth_it(const Loop& loop, const Waits& waits) const {
    if (!waits.any()) return false;
    int statements = 0;
    bool all_wait = true;
    for_each_stmt(loop.body, [&](const Stmt& s) {
      ++statements;
      const auto* inner = std::get_if<Loop>(&s->node);
      all_wait &= !inner || Waits(*inner, memory_).any();
    });
    return all_wait && statements <= kMostStatements;
  }

  // Whether the kernel's buffers are apart from those that it stores to.
  bool are_apart(const std::vector<Name>& buffers, const std::vector<Name>& stored) const {
    return std::ranges::all_of(stored, [&](const Name& s) {
      return std::ranges::all_of(buffers, [&](const Name& b) { return b == s || memory_.of(b) != memory_.of(s); });
    });
  }

  // A scalar of the loop's, and the array of one element in which the thread leaves it.
  struct Left {
    Binder result;
    Name array;
  };

  bool by_kernel(const Loop& loop, std::vector<Stmt>& out) {
    const Waits waits(loop, memory_);
    if (!is_worth_it(loop, waits)) return false;
    OneThread thread(names_);
    auto made = loop_in_thread(loop, types_, thread, names_);
    if (!made) return false;
    std::vector<Left> left;
    for (size_t i = 0; i < loop.results.size(); ++i) {
      if (std::holds_alternative<Name>(loop.params[i].init)) continue;
      const Binder result{loop.results[i], loop.params[i].binder.type};
      left.push_back({result, names_.fresh(result.name)});
      const Name element = thread.element(left.back().array, result.type.elem);
      const Expr value = thread.in_kernel(nest::var(result.name, result.type.elem));
      made->body.push_back(nest::stmt(nest::Store{element, {nest::constant(int64_t{0})}, value}));
    }
    const auto number = static_cast<int>(program_.kernels.size());
    const OneThread::Made kernel = std::move(thread).finish("loop", number, std::move(made->body));
    if (!are_apart(kernel.launch.buffers, made->stored)) return false;
    program_.kernels.push_back(kernel.kernel);
    for (size_t i = 0; i < loop.results.size(); ++i) {
      const auto* array = std::get_if<Name>(&loop.params[i].init);
      if (!array) continue;
      auto of_another = same.find(*array);
      same.emplace(loop.results[i], of_another == same.end() ? *array : of_another->second);
    }
    if (waits.stores()) {
      launch(kernel, left, out);
    } else {
      out.push_back(either(loop, kernel, left, more_than_read_ahead(waits, kernel, out)));
    }
    return true;
  }

  // Binds the loop's scalars.
  void launch(const OneThread::Made& kernel, const std::vector<Left>& left, std::vector<Stmt>& out) {
    out.insert(out.end(), kernel.measures.begin(), kernel.measures.end());
    for (const Left& l : left)
      out.push_back(stmt(Alloc{l.array, l.result.type.elem, {nest::constant(int64_t{1})}, {0}}));
    out.push_back(stmt(kernel.launch));
    for (const Left& l : left)
      out.push_back(stmt(ReadElement{l.result.name, l.result.type.elem, l.array, {nest::constant(int64_t{0})}}));
    for (const Left& l : left) out.push_back(stmt(Free{l.array}));
  }

  // Whether the arrays in which elements say where others are have more bytes together than the host has with it.
  Expr more_than_read_ahead(const Waits& waits, const OneThread::Made& kernel, std::vector<Stmt>& out) {
    Expr bytes = nest::constant(int64_t{0});
    for (size_t k = 0; k < kernel.launch.buffers.size(); ++k) {
      const Name& array = kernel.launch.buffers[k];
      if (!waits.where_others_say().contains(memory_.of(array))) continue;
      const nest::Buffer& buffer = kernel.kernel.buffers[k];
      Expr of_array = nest::constant(static_cast<int64_t>(prim::size_bytes(buffer.elem)));
      for (size_t d = 0; d < buffer.dims.size(); ++d) {
        const Name size = names_.fresh("size");
        out.push_back(stmt(Measure{size, Aspect::Size, array, static_cast<int>(d)}));
        of_array = nest::mul(of_array, nest::var(size, prim::Type::I64));
      }
      bytes = nest::add(bytes, of_array);
    }
    return nest::less(nest::constant(kBytesReadAhead), bytes);
  }

  Stmt either(const Loop& loop, const OneThread::Made& kernel, std::vector<Left> left, const Expr& by_kernel) {
    Case thread{by_kernel, {}};
    Block host;
    Loop by_host = loop;
    std::vector<Stmt> frees;
    for (size_t i = 0; i < loop.results.size(); ++i) {
      by_host.results[i] = names_.fresh(loop.results[i]);
      if (auto* array = std::get_if<Name>(&by_host.params[i].init)) {
        const Name shared = names_.fresh(*array);
        host.stmts.push_back(stmt(Share{shared, *array}));
        frees.push_back(stmt(Free{by_host.results[i]}));
        *array = shared;
      } else {
        host.yields.emplace_back(nest::var(by_host.results[i], loop.params[i].binder.type.elem));
      }
    }
    host.stmts.push_back(stmt(std::move(by_host)));
    host.stmts.insert(host.stmts.end(), frees.begin(), frees.end());
    std::vector<Binder> results;
    for (Left& l : left) {
      results.push_back(l.result);
      l.result.name = names_.fresh(l.result.name);
      thread.body.yields.emplace_back(nest::var(l.result.name, l.result.type.elem));
    }
    launch(kernel, left, thread.body.stmts);
    return stmt(If{{std::move(thread)}, std::move(host), std::move(results)});
  }

  Program& program_;
  const ElemTypes types_;
  const SameMemory& memory_;
  NameSource& names_;
};

}  // namespace

Program loops_by_kernel(Program program) {
  NameSource names(largest_tag(program) + 1);
  auto change = [&](const std::vector<Binder>& inputs, Block& body) {
    const SameMemory memory(body);
    Change change(program, elem_types(program, inputs, body), memory, names);
    change.block(body);
    if (!change.same.empty()) body = rename(change.same, std::move(body));
  };
  change({}, program.init);
  for (Function& f : program.functions) change(f.inputs, f.body);
  return program;
}

}  // namespace heddle::host
