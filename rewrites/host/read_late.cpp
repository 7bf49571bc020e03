#include "rewrites/host/read_late.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/host/traverse.h"
#include "ir/nest/uses.h"
#include "rewrites/host/carry_elements.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/needed.h"
#include "rewrites/host/read_in_kernel.h"
#include "rewrites/host/readable_elements.h"
#include "rewrites/host/write_by_kernel.h"

namespace heddle::host {

namespace {

class Search {
 public:
  Search(Program& program, NameSource& names) : program_(program), names_(names) {
    launches_.resize(program.kernels.size());
    choices_.resize(program.family_kernels.size());
    for_each_stmt(program, [&](const Stmt& s) {
      if (const auto* launch = std::get_if<Launch>(&s->node)) ++launches_[static_cast<size_t>(launch->kernel)];
      const auto* choose = std::get_if<Choose>(&s->node);
      if (!choose) return;
      for (const Way& w : choose->ways) ++choices_[static_cast<size_t>(w.kernel)];
    });
  }

  // `others` are arrays of one element, and of `rows` the elements stand in a row, too.
  void run(Block& body, const std::vector<Name>& others, const std::vector<Name>& rows = {}) {
    readable_ = readable_elements(body, rows);
    needed_.emplace(body);
    for (const Name& n : others) readable_.elements.emplace(n, n);
    block(body);
  }

 private:
  // What a block puts off.
  struct Late {
    std::vector<Stmt> reads, lets, frees;
  };

  // A launch, or that of a way's kernel, in which elements can be read if no other way has the same kernel.
  struct Launched {
    const nest::Kernel& kernel;
    Launch launch;
    bool may_read;
  };
  std::optional<Launched> launched_by(const Stmt& s, const Way* way) const {
    if (const auto* launch = std::get_if<Launch>(&s->node))
      return Launched{program_.kernels[static_cast<size_t>(launch->kernel)], *launch, true};
    const auto* chosen = std::get_if<LaunchChosen>(&s->node);
    if (!chosen) return std::nullopt;
    const auto kernel = static_cast<size_t>(way->kernel);
    return Launched{program_.family_kernels[kernel].kernel, Launch{way->kernel, chosen->scalars, chosen->buffers},
                    choices_[kernel] == 1};
  }

  // Whether a statement cannot stay before what is late: the host needs it there, or it overwrites an element before it is read.
  struct Needs : Walker<Needs> {
    Search& search;
    bool found = false;
    explicit Needs(Search& search) : search(search) {}
    void use(const Name& n) { found |= search.late_.contains(n); }
    void write(const Name& n) { found |= search.to_read(n); }
    void end(const Name& n) { write(n); }
    void stmt(const Stmt& s) {
      if (const auto* choose = std::get_if<Choose>(&s->node)) {
        for (const Way& w : choose->ways) {
          way = &w;
          Walker<Needs>::stmt(host::stmt(Choose{{w}, {}}));
        }
        return body(choose->otherwise);
      }
      const std::optional<Launched> launched = search.launched_by(s, way);
      if (launched) found |= search.overwrites(*launched);
      if (!launched || !search.reading(*launched)) Walker<Needs>::stmt(s);
    }
    const Way* way = nullptr;  // around
  };

  bool needs(const Stmt& s) {
    if (late_.empty()) return false;  // without a look at all that is nested in it
    Needs needs(*this);
    needs.way = way_;
    needs.stmt(s);
    return needs.found;
  }

  bool is_late(const Expr& e) const {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return late_.contains(n); });
  }

  // Whether the host needs some of what is late in an expression, or of what that follows from.
  bool host_reads(const Expr& e) const {
    nest::NameSet seen;
    return host_reads(e, seen);
  }
  bool host_reads(const Expr& e, nest::NameSet& seen) const {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) {
      auto it = late_.find(n);
      if (it == late_.end() || !seen.insert(n).second) return false;
      const auto* let = std::get_if<Let>(&it->second->node);
      return needed_->by_host(n) || (let && host_reads(let->value, seen));
    });
  }

  bool to_read(const Name& array) const {
    auto element = readable_.elements.find(array);
    if (element == readable_.elements.end()) return false;
    return std::ranges::any_of(late_, [&](const auto& entry) {
      const auto* read = std::get_if<ReadElement>(&entry.second->node);
      return read && may_be(readable_.elements.at(read->array), element->second);
    });
  }

  // Whether two may have the same memory: what a loop hands on is at first what it is given.
  bool may_be(const Name& one, const Name& other) const {
    auto has = [&](Name from, const Name& to) {
      while (from != to) {
        auto given = readable_.first.find(from);
        if (given == readable_.first.end()) return false;
        from = given->second;
      }
      return true;
    };
    return has(one, other) || has(other, one);
  }

  bool overwrites(const Launched& launched) const {
    const auto& [kernel, launch, may_read] = launched;
    nest::NameSet names;
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      if (!to_read(launch.buffers[i])) continue;
      if (names.empty()) names = nest::written_buffers(kernel.body);
      if (names.contains(kernel.buffers[i].name)) return true;
    }
    return false;
  }

  std::optional<Reading> reading(const Launched& launched) {
    const auto& [kernel, launch, may_read] = launched;
    if (!may_read || std::ranges::none_of(launch.scalars, [&](const Expr& e) { return is_late(e); }))
      return std::nullopt;
    return read_in_kernel(kernel, launch, late_, needed_->once(), names_);
  }

  void block(Block& b) {
    blocks_.emplace_back();
    std::vector<Stmt> out;
    for (Stmt& s : b.stmts) statement(s, out);
    if (std::ranges::any_of(b.yields, [&](const Value& v) {
          const auto* e = std::get_if<Expr>(&v);
          return e && is_late(*e);
        }))
      read_now(out);
    out.insert(out.end(), blocks_.back().frees.begin(), blocks_.back().frees.end());
    forget(blocks_.back());
    blocks_.pop_back();
    b.stmts = std::move(out);
  }

  void statement(Stmt& s, std::vector<Stmt>& out) {
    if (const auto* read = std::get_if<ReadElement>(&s->node);
        read && readable_.elements.contains(read->array) &&
        !std::ranges::any_of(read->index, [&](const Expr& e) { return is_late(e); })) {
      late_.emplace(read->name, s);
      return blocks_.back().reads.push_back(s);
    }
    if (const auto* let = std::get_if<Let>(&s->node); let && is_late(let->value)) {
      late_.emplace(let->name, s);
      return blocks_.back().lets.push_back(s);
    }
    if (const auto* free = std::get_if<Free>(&s->node); free && to_read(free->array))
      return blocks_.back().frees.push_back(s);
    if (const auto* write = std::get_if<WriteElement>(&s->node); write && write_late(*write, out)) return;
    if (needs(s)) read_now(out);
    const std::optional<Launched> launched = launched_by(s, way_);
    const std::optional<Reading> made = launched ? reading(*launched) : std::nullopt;
    if (made) {
      s = read_by(*made, launched->launch, std::holds_alternative<LaunchChosen>(s->node));
    } else if (!launched) {
      Blocks(*this).stmt(s);
    }
    out.push_back(s);
  }

  // Has a kernel write what is late, if it can read and compute it, and the host does not wait for that anyway.
  bool write_late(const WriteElement& write, std::vector<Stmt>& out) {
    if (!is_late(write.value) || to_read(write.array) || host_reads(write.value)) return false;
    const auto number = static_cast<int>(program_.kernels.size());
    const OneThread::Made written = write_by_kernel(write, number, names_);
    const std::optional<Reading> made = read_in_kernel(written.kernel, written.launch, late_, needed_->once(), names_);
    if (!made) return false;
    program_.kernels.push_back(made->kernel);
    launches_.push_back(1);
    out.insert(out.end(), written.measures.begin(), written.measures.end());
    out.push_back(stmt(Launch{number, made->scalars, made->buffers}));
    return true;
  }

  struct Blocks : Rebuilder<Blocks> {
    Search& search;
    explicit Blocks(Search& search) : search(search) {}
    void stmt(Stmt& s) {
      const auto* choose = std::get_if<Choose>(&s->node);
      if (!choose) return Rebuilder<Blocks>::stmt(s);
      // The scalars of a way are used by what stands behind them.
      Choose copy = *choose;
      for (Way& w : copy.ways) {
        search.way_ = &w;
        search.block(w.body);
      }
      search.way_ = nullptr;
      search.block(copy.otherwise);
      s = host::stmt(std::move(copy));
    }
    void body(Block& b) const { search.block(b); }
  };

  Stmt read_by(const Reading& made, const Launch& launch, bool is_chosen) {
    auto number = static_cast<size_t>(launch.kernel);
    if (is_chosen) {
      program_.family_kernels[number].kernel = made.kernel;
      return stmt(LaunchChosen{made.scalars, made.buffers});
    }
    if (launches_[number] == 1) {
      program_.kernels[number] = made.kernel;
    } else {
      --launches_[number];
      number = program_.kernels.size();
      program_.kernels.push_back(made.kernel);
      program_.kernels.back().name += fmt::format("_{}", number);
      launches_.push_back(1);
    }
    return stmt(Launch{static_cast<int>(number), made.scalars, made.buffers});
  }

  void read_now(std::vector<Stmt>& out) {
    Late& b = blocks_.back();
    for (const std::vector<Stmt>* list : {&b.reads, &b.lets, &b.frees})
      out.insert(out.end(), list->begin(), list->end());
    forget(b);
    b = {};
  }

  void forget(const Late& b) {
    for (const Stmt& s : b.reads) late_.erase(std::get<ReadElement>(s->node).name);
    for (const Stmt& s : b.lets) late_.erase(std::get<Let>(s->node).name);
  }

  Program& program_;
  NameSource& names_;
  std::vector<int> launches_;  // of each kernel
  std::vector<int> choices_;   // of each family's kernel
  const Way* way_ = nullptr;   // in whose body statements are looked at
  Readable readable_;
  std::optional<Needed> needed_;  // of the function's scalars
  Scalars late_;                  // of all blocks around
  std::vector<Late> blocks_;      // innermost last
};

// ---- Loops that hand elements on. ----

// Apart from the checks of ways, which may not be taken.
bool waits(const Block& body) {
  struct Waits : Walker<Waits> {
    bool found = false;
    void expr(const Expr&) {}
    void stmt(const Stmt& s) {
      found |= std::holds_alternative<ReadElement>(s->node) || std::holds_alternative<Trace>(s->node);
      if (!std::holds_alternative<Choose>(s->node)) Walker<Waits>::stmt(s);
    }
  } waits;
  waits.body(body);
  return waits.found;
}

// Whether no iteration of the loop waits once it hands elements on, as loops within do.
bool pays(const Program& program, const Carried& carried, std::vector<Name> elements, const std::vector<Name>& rows,
          NameSource& names) {
  Program trial = program;
  trial.kernels.push_back(carried.kernel);
  Block body = carried.loop.body;
  elements.insert(elements.end(), carried.parameters.begin(), carried.parameters.end());
  Search(trial, names).run(body, elements, rows);
  return !waits(body);
}

// Returns the arrays of one element that loops then hand on.
std::vector<Name> carry(Program& program, Block& body, const std::vector<Name>& rows, NameSource& names) {
  std::vector<Name> elements;
  const nest::NameSet alone = with_one_name(readable_elements(body, rows).elements);
  each_block(body, [&](Block& b) {
    std::vector<Stmt> all;
    for (Stmt& s : b.stmts) {
      const auto* loop = std::get_if<Loop>(&s->node);
      std::optional<Carried> carried;
      if (loop) carried = carry_elements(*loop, alone, static_cast<int>(program.kernels.size()), names);
      if (!carried || !pays(program, *carried, elements, rows, names)) {
        all.push_back(s);
        continue;
      }
      all.insert(all.end(), carried->before.begin(), carried->before.end());
      all.push_back(stmt(std::move(carried->loop)));
      all.insert(all.end(), carried->behind.begin(), carried->behind.end());
      for (const std::vector<Name>* list : {&carried->parameters, &carried->results})
        elements.insert(elements.end(), list->begin(), list->end());
      program.kernels.push_back(std::move(carried->kernel));
    }
    b.stmts = std::move(all);
  });
  return elements;
}

// The arguments that are rows: those that functions are handed are dense.
std::vector<Name> rows_among(const std::vector<Binder>& inputs) {
  std::vector<Name> rows;
  for (const Binder& b : inputs) {
    if (b.type.rank == 1) rows.push_back(b.name);
  }
  return rows;
}

struct Body {
  Block* block;
  std::vector<Name> rows;
  std::vector<Name> elements = {};  // that its loops hand on
};

}  // namespace

Program read_late(Program program) {
  NameSource names(largest_tag(program) + 1);
  std::vector<Body> bodies = {{&program.init, {}}};
  for (Function& f : program.functions) bodies.push_back({&f.body, rows_among(f.inputs)});
  for (Body& b : bodies) b.elements = carry(program, *b.block, b.rows, names);
  Search search(program, names);
  for (const Body& b : bodies) search.run(*b.block, b.elements, b.rows);
  return program;
}

}  // namespace heddle::host
