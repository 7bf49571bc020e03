#include "rewrites/host/keep_together.h"

#include <algorithm>
#include <optional>
#include <set>

#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"

namespace heddle::host {

namespace {

// Which part of an array of rank `shape.size()` the window is, if it is all that has one index in the outermost dimension.
std::optional<int64_t> part_of(const Slice& window, const std::vector<Expr>& shape) {
  const auto* index = std::get_if<Expr>(&window.subscripts[0]);
  if (!index) return std::nullopt;
  for (size_t d = 1; d < window.subscripts.size(); ++d) {
    const auto* all = std::get_if<Range>(&window.subscripts[d]);
    const bool is_all = all && nest::int_constant(all->start) == 0 && nest::int_constant(all->stride) == 1 &&
                        nest::equal(all->count, shape[d]);
    if (!is_all) return std::nullopt;
  }
  return nest::int_constant(*index);
}

class KeepTogether {
 public:
  explicit KeepTogether(Block& block) : block_(block), memory_(block) {}

  // Of the array that the statement makes. Yields whether the block has changed.
  bool at_alloc(size_t made) {
    const auto& whole = std::get<Alloc>(block_.stmts[made]->node);
    const auto parts = whole.shape.size() > 1 && is_plain(whole) ? nest::int_constant(whole.shape[0]) : std::nullopt;
    if (!parts || *parts < 1) return false;
    std::set<int64_t> copied;
    std::set<size_t> gone;
    std::optional<Name> other;
    size_t first = 0, last = made;
    for (size_t i = made + 1; i < block_.stmts.size() && std::ssize(copied) < *parts; ++i) {
      const Stmt& s = block_.stmts[i];
      const auto* copy = std::get_if<Copy>(&s->node);
      const auto to = copy ? made_by<Slice>(block_, copy->to) : std::nullopt;
      if (!to || std::get<Slice>(block_.stmts[*to]->node).array != whole.name) {
        const auto* window = std::get_if<Slice>(&s->node);
        const bool may = std::holds_alternative<Free>(s->node) || (window && window->array == whole.name);
        if (!may && memory_.touches(s, whole.name)) return false;
        continue;
      }
      const auto part = same_part(whole, *to, copy->from);
      if (!part || mentions_of(copy->to, block_) != 1) return false;
      if (other.value_or(part->array) != part->array || !copied.insert(part->number).second) return false;
      other = part->array;
      if (copied.size() == 1) first = i;
      gone.insert({*to, i});
      last = i;
    }
    if (std::ssize(copied) != *parts || !is_left_alone(*other, first, last)) return false;
    // Other windows would be made of what has no name yet.
    for (size_t i = made + 1; i < last; ++i) {
      const auto* window = std::get_if<Slice>(&block_.stmts[i]->node);
      if (window && window->array == whole.name && !gone.contains(i)) return false;
    }

    std::vector<Stmt> all;
    for (size_t i = 0; i < block_.stmts.size(); ++i) {
      const auto* free = std::get_if<Free>(&block_.stmts[i]->node);
      const bool is_of_window = free && std::ranges::any_of(gone, [&](size_t g) {
                                  const auto* window = std::get_if<Slice>(&block_.stmts[g]->node);
                                  return window && window->name == free->array;
                                });
      if (i == made) continue;
      if (i == last) all.push_back(stmt(Share{whole.name, *other}));
      if (!gone.contains(i) && !is_of_window) all.push_back(block_.stmts[i]);
    }
    block_.stmts = std::move(all);
    return true;
  }

 private:
  struct Part {
    Name array;
    int64_t number;
  };

  // What is copied to the window, if it is the same part of another array like the whole one.
  std::optional<Part> same_part(const Alloc& whole, size_t window, const Name& from) const {
    const auto sliced = made_by<Slice>(block_, first_name(block_, from));
    if (!sliced) return std::nullopt;
    const Slice& source = std::get<Slice>(block_.stmts[*sliced]->node);
    const auto made = made_by<Alloc>(block_, source.array);
    if (!made || source.array == whole.name) return std::nullopt;
    const auto& other = std::get<Alloc>(block_.stmts[*made]->node);
    const bool is_alike = is_plain(other) && other.elem == whole.elem && other.shape.size() == whole.shape.size() &&
                          std::equal(whole.shape.begin(), whole.shape.end(), other.shape.begin(),
                                     [](const Expr& a, const Expr& b) { return nest::equal(a, b); });
    if (!is_alike) return std::nullopt;
    const auto number = part_of(std::get<Slice>(block_.stmts[window]->node), whole.shape);
    if (!number || part_of(source, other.shape) != number) return std::nullopt;
    return Part{source.array, *number};
  }

  // Whether nobody writes to the array's memory while it is copied, or mentions it afterwards, but to end it.
  bool is_left_alone(const Name& array, size_t first_copy, size_t last_copy) const {
    for (size_t i = first_copy; i < block_.stmts.size(); ++i) {
      const Stmt& s = block_.stmts[i];
      const auto* copy = std::get_if<Copy>(&s->node);
      const bool looks_only = std::holds_alternative<Slice>(s->node) ||
                              (copy && memory_.of(copy->to) != memory_.of(array)) ||
                              std::holds_alternative<Share>(s->node) || std::holds_alternative<Measure>(s->node);
      const bool may = std::holds_alternative<Free>(s->node) || (i <= last_copy && looks_only);
      if (!may && memory_.touches(s, array)) return false;
    }
    return std::ranges::none_of(block_.yields, [&](const Value& v) {
      const auto* name = std::get_if<Name>(&v);
      return name && memory_.of(*name) == memory_.of(array);
    });
  }

  Block& block_;
  SameMemory memory_;
};

}  // namespace

Program keep_together(Program program) {
  each_block(program, [](Block& b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      if (std::holds_alternative<Alloc>(b.stmts[i]->node)) KeepTogether(b).at_alloc(i);
    }
  });
  return program;
}

}  // namespace heddle::host
