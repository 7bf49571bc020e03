#include "rewrites/host/each_block.h"

#include <algorithm>

namespace heddle::host {

int largest_tag(const Program& program) {
  int tag = next_tag(program) - 1;
  for (const nest::Kernel& k : program.kernels) {
    for (const nest::ScalarParam& p : k.scalars) tag = std::max(tag, p.name.tag);
    for (const nest::Buffer& b : k.buffers) tag = std::max(tag, b.name.tag);
    for (const Name& n : nest::bound_in(k.body)) tag = std::max(tag, n.tag);
  }
  return tag;
}

std::vector<int> launches_of_kernels(const Program& program) {
  std::vector<int> launches(program.kernels.size(), 0);
  for_each_stmt(program, [&](const Stmt& s) {
    if (const auto* l = std::get_if<Launch>(&s->node)) ++launches[static_cast<size_t>(l->kernel)];
  });
  return launches;
}

int mentions_of(const Name& array, const Block& b) {
  struct Mentions : Walker<Mentions> {
    const Name& array;
    int count = 0;
    explicit Mentions(const Name& array) : array(array) {}
    void expr(const Expr&) {}
    void use(const Name& n) { count += n == array; }
    void stmt(const Stmt& s) {
      if (!std::holds_alternative<Free>(s->node)) Walker<Mentions>::stmt(s);
    }
  } mentions(array);
  mentions.body(b);
  return mentions.count;
}

Name first_name(const Block& b, Name array) {
  while (const auto shared = made_by<Share>(b, array)) array = std::get<Share>(b.stmts[*shared]->node).array;
  return array;
}

bool is_plain(const Alloc& a) { return !a.from && !a.for_host && is_row_major(a.order); }

}  // namespace heddle::host
