#include "rewrites/host/bring_together.h"

#include <algorithm>
#include <optional>

#include "rewrites/host/beside.h"
#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// What a launch moves over at most: programs may have thousands of launches in a row.
constexpr size_t kFarthest = 512;

class Sinking {
 public:
  Sinking(const std::vector<KernelTraits>& traits, const Block& body) : traits_(traits), memory_(body) {
    for_each_stmt(body, [&](const Stmt& s) {
      if (const auto* let = std::get_if<Let>(&s->node)) {
        if (const auto* other = std::get_if<nest::Var>(&let->value->node)) aliases_.emplace(let->name, other->name);
      }
    });
  }

  void run(Block& b) const {
    for (size_t i = b.stmts.size(); i-- > 0;) {
      if (const std::optional<size_t> to = partner(b, i)) {
        const auto begin = b.stmts.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(i), begin + static_cast<std::ptrdiff_t>(i + 1),
                    begin + static_cast<std::ptrdiff_t>(*to));
      }
    }
  }

 private:
  const KernelTraits& traits_of(const Launch& l) const { return traits_[static_cast<size_t>(l.kernel)]; }
  std::vector<Use> uses(const Launch& l) const { return uses_of(l, traits_of(l), memory_); }

  // The launch in front of which this one would stand better; none if it stands there, or had better stay.
  std::optional<size_t> partner(const Block& b, size_t i) const {
    const auto* launch = std::get_if<Launch>(&b.stmts[i]->node);
    if (!launch || !traits_of(*launch).may_run_beside()) return std::nullopt;
    const std::vector<Use> own = uses(*launch);
    bool is_next = true;  // no other launch was passed
    for (size_t j = i + 1; j < std::min(b.stmts.size(), i + kFarthest); ++j) {
      if (const auto* other = std::get_if<Launch>(&b.stmts[j]->node)) {
        if (!independent(own, uses(*other))) return std::nullopt;
        if (traits_of(*other).may_run_beside() && traits_of(*other).steps >= traits_of(*launch).steps) {
          const bool gains = !is_next && !keeps_more(b, i, j);
          return gains ? std::optional(j) : std::nullopt;
        }
        is_next = false;
      } else if (!may_pass(b.stmts[j], own)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // Over what the host does by itself, unless it ends memory that is used.
  bool may_pass(const Stmt& s, const std::vector<Use>& own) const {
    if (!queues_nothing(s)) return false;
    const Name* ended = nullptr;
    if (const auto* free = std::get_if<Free>(&s->node)) ended = &free->array;
    if (const auto* alloc = std::get_if<Alloc>(&s->node)) ended = alloc->from ? &*alloc->from : nullptr;
    return !ended || std::ranges::find(own, memory_.of(*ended), &Use::memory) == own.end();
  }

  // ---- Memory. ----

  const Alloc* made_in(const Block& b, const Name& memory) const {
    for (const Stmt& s : b.stmts) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      if (alloc && !alloc->from && memory_.of(alloc->name) == memory) return alloc;
    }
    return nullptr;
  }

  bool ends_in(const Block& b, const Name& memory) const {
    return std::ranges::any_of(b.stmts, [&](const Stmt& s) {
      const auto* free = std::get_if<Free>(&s->node);
      return free && memory_.of(free->array) == memory;
    });
  }

  bool is_used(const Block& b, size_t from, size_t to, const Name& memory) const {
    for (size_t k = from; k < to; ++k) {
      if (!queues_nothing(b.stmts[k]) && memory_.touches(b.stmts[k], memory)) return true;
    }
    return std::ranges::any_of(b.yields, [&](const Value& v) {
      const auto* name = std::get_if<Name>(&v);
      return to == b.stmts.size() && name && memory_.of(*name) == memory;
    });
  }

  // Whether more memory would be in use until `to` if statement `i` came there.
  bool keeps_more(const Block& b, size_t i, size_t to) const {
    std::vector<const Alloc*> kept, made;
    for (const Use& u : uses(std::get<Launch>(b.stmts[i]->node))) {
      const Alloc* alloc = made_in(b, u.memory);
      const bool is_new = alloc && u.written && !is_used(b, 0, i, u.memory);
      if (is_new) {
        made.push_back(alloc);
      } else if (ends_in(b, u.memory) && !is_used(b, to, b.stmts.size(), u.memory)) {
        if (!alloc) return true;
        kept.push_back(alloc);
      }
    }
    for (const Alloc* k : kept) {
      auto same = std::ranges::find_if(made, [&](const Alloc* m) { return as_large(*m, *k); });
      if (same == made.end()) return true;
      made.erase(same);
    }
    return false;
  }

  bool as_large(const Alloc& a, const Alloc& b) const {
    return prim::size_bytes(a.elem) >= prim::size_bytes(b.elem) &&
           std::ranges::equal(a.shape, b.shape,
                              [&](const Expr& x, const Expr& y) { return nest::equal(plain(x), plain(y)); });
  }

  // A name for one that has another's value.
  Expr plain(Expr e) const {
    while (const auto* v = std::get_if<nest::Var>(&e->node)) {
      const auto other = aliases_.find(v->name);
      if (other == aliases_.end()) break;
      e = nest::var(other->second, e->type);
    }
    return e;
  }

  const std::vector<KernelTraits>& traits_;
  SameMemory memory_;
  std::unordered_map<Name, Name> aliases_;
};

}  // namespace

Program bring_together(Program program) {
  const std::vector<KernelTraits> traits = kernel_traits(program);
  each_body(program, [&](Block& body) {
    const Sinking sinking(traits, body);
    each_block(body, [&](Block& b) { sinking.run(b); });
  });
  return program;
}

}  // namespace heddle::host
