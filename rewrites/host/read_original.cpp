#include "rewrites/host/read_original.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

class ReadOriginal {
 public:
  ReadOriginal(const std::vector<nest::Kernel>& kernels, const std::vector<Binder>& inputs, const Block& body)
      : kernels_(kernels), memory_(body) {
    for (const Binder& b : inputs) {
      if (b.type.rank > 0) row_major_.insert(b.name);
    }
    for_each_stmt(body, [&](const Stmt& s) { note_row_major(*s); });
  }

  void in_block(Block& b) const {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const auto* copy = std::get_if<Manifest>(&b.stmts[i]->node);
      if (!copy || !is_row_major(copy->order) || !row_major_.contains(copy->array)) continue;
      if (is_only_read(copy->name, b) && stays(copy->array, b, i + 1, last_use(copy->name, b)))
        b.stmts[i] = stmt(Share{copy->name, copy->array});
    }
  }

 private:
  // What lies in memory like a copy of it would.
  void note_row_major(const StmtNode& s) {
    // Of others it may be a view that lies as they do.
    if (const auto* reshape = std::get_if<Reshape>(&s.node); reshape && row_major_.contains(reshape->array))
      row_major_.insert(reshape->name);
    if (const auto* alloc = std::get_if<Alloc>(&s.node); alloc && is_row_major(alloc->order) && !alloc->for_host)
      row_major_.insert(alloc->name);
    if (const auto* copy = std::get_if<Manifest>(&s.node); copy && is_row_major(copy->order))
      row_major_.insert(copy->name);
  }

  // Calls f(name) for every array that a statement, or one in it, may write to.
  template <class F>
  void each_written(const Stmt& stmt, F f) const {
    struct Written {
      F& f;
      void write(const Name& n) { f(n); }
      void use(const Name&) {}
      void end(const Name&) {}
      void bind(const Name&) {}
      void expr(const Expr&) {}
      void body(const Block&) {}
    } written{f};
    auto one = [&](const Stmt& s) {
      if (const auto* launch = std::get_if<Launch>(&s->node)) {
        const nest::Kernel& kernel = kernels_[static_cast<size_t>(launch->kernel)];
        const nest::NameSet names = nest::written_buffers(kernel.body);
        for (size_t k = 0; k < launch->buffers.size(); ++k) {
          if (names.contains(kernel.buffers[k].name)) f(launch->buffers[k]);
        }
      } else if (const auto* chosen = std::get_if<LaunchChosen>(&s->node)) {
        std::ranges::for_each(chosen->buffers, f);
      } else {
        std::visit([&](const auto& n) { pieces(n, written); }, s->node);
      }
    };
    Block alone{{stmt}, {}};
    for_each_stmt(alone, one);
  }

  // By launches, and element by element.
  bool is_only_read(const Name& array, const Block& b) const {
    int read = 0;
    bool written = false;
    for_each_stmt(b, [&](const Stmt& s) {
      if (const auto* element = std::get_if<ReadElement>(&s->node)) read += element->array == array;
      if (const auto* measure = std::get_if<Measure>(&s->node)) read += measure->array == array;
      const auto* launch = std::get_if<Launch>(&s->node);
      if (launch) read += static_cast<int>(std::ranges::count(launch->buffers, array));
      if (launch) each_written(s, [&](const Name& n) { written |= n == array; });
    });
    return !written && read == mentions_of(array, b);
  }

  static size_t last_use(const Name& array, const Block& b) {
    size_t last = 0;
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      if (!std::holds_alternative<Free>(b.stmts[i]->node) && free_names(b.stmts[i]).contains(array)) last = i;
    }
    return last;
  }

  // Whether nobody writes to the array's memory from a statement on to another.
  bool stays(const Name& array, const Block& b, size_t from, size_t last) const {
    const Name memory = memory_.of(array);
    bool written = false;
    for (size_t i = from; i <= last; ++i)
      each_written(b.stmts[i], [&](const Name& n) { written |= memory_.of(n) == memory; });
    return !written;
  }

  const std::vector<nest::Kernel>& kernels_;
  const SameMemory memory_;
  nest::NameSet row_major_;
};

}  // namespace

Program read_original(Program program) {
  for (Function& f : program.functions) {
    const ReadOriginal change(program.kernels, f.inputs, f.body);
    each_block(f.body, [&](Block& b) { change.in_block(b); });
  }
  return program;
}

}  // namespace heddle::host
