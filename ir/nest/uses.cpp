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

}  // namespace heddle::nest
