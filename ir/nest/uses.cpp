#include "ir/nest/uses.h"

#include "ir/nest/traverse.h"

namespace heddle::nest {

int uses_of(const Name& name, const Block& block) {
  struct Uses : Walker<Uses> {
    const Name& name;
    int count = 0;
    explicit Uses(const Name& name) : name(name) {}
    void use(const Name& n) { count += n == name; }
  } uses(name);
  uses.body(block);
  return uses.count;
}

NameSet written_buffers(const Block& block) {
  NameSet written;
  for_each_stmt(block, [&](const Stmt& s) {
    if (const auto* store = std::get_if<Store>(&s->node)) written.insert(store->buffer);
    if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) written.insert(update->buffer);
    if (const auto* locked = std::get_if<Locked>(&s->node)) written.insert(locked->lock);
    if (const auto* copy = std::get_if<AsyncCopy>(&s->node)) written.insert(copy->to);
  });
  return written;
}

}  // namespace heddle::nest
