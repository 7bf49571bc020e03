#include "rewrites/host/copy_once.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

// Whether a statement changes no memory that was there before it.
bool changes_nothing(const Stmt& s) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Alloc>) {
          return !n.from;
        } else {
          return std::is_same_v<T, Let> || std::is_same_v<T, Measure> || std::is_same_v<T, Rearrange> ||
                 std::is_same_v<T, Broadcast> || std::is_same_v<T, Manifest> || std::is_same_v<T, Free>;
        }
      },
      s->node);
}

// The last statement that copies the array, made before `from`, if nothing else is done with it, and no memory changes before.
std::optional<size_t> last_copy_if_only_copied(const Name& array, const Block& b, size_t from) {
  int copies = 0;
  std::optional<size_t> last;
  for (size_t i = from; i < b.stmts.size() && changes_nothing(b.stmts[i]); ++i) {
    const auto* manifest = std::get_if<Manifest>(&b.stmts[i]->node);
    if (manifest && manifest->array == array) ++copies, last = i;
  }
  return mentions_of(array, b) == copies ? last : std::nullopt;
}

void live_until(const Name& array, Block& b, size_t last) {
  for (size_t i = 0; i < last; ++i) {
    const auto* free = std::get_if<Free>(&b.stmts[i]->node);
    auto at = b.stmts.begin() + static_cast<std::ptrdiff_t>(i),
         end = b.stmts.begin() + static_cast<std::ptrdiff_t>(last);
    if (free && free->array == array) return void(std::rotate(at, at + 1, end + 1));
  }
}

void in_block(Block& b) {
  std::unordered_map<Name, Name> copy_of;  // what both are now
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    if (!changes_nothing(b.stmts[i])) copy_of.clear();
    if (const auto* copy = std::get_if<Copy>(&b.stmts[i]->node)) copy_of.emplace(copy->to, copy->from);
    const auto* seen = std::get_if<Rearrange>(&b.stmts[i]->node);
    auto it = seen ? copy_of.find(seen->array) : copy_of.end();
    if (it == copy_of.end()) continue;
    if (std::optional<size_t> last = last_copy_if_only_copied(seen->name, b, i + 1)) {
      b.stmts[i] = stmt(Rearrange{seen->name, it->second, seen->perm});
      live_until(it->second, b, *last);
    }
  }
}

}  // namespace

Program copy_once(Program program) {
  each_block(program, in_block);
  return program;
}

}  // namespace heddle::host
