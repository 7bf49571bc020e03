#include "rewrites/seg/unique_names.h"

#include <unordered_set>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

struct Bound {
  std::unordered_set<Name> names;
  void use(const Name&) {}
  void bind(const Name& n) { names.insert(n); }
};

}  // namespace

Result<Program> unique_names(const Program& program) {
  NameSource names(program.next_tag());
  Bound taken;
  walk(taken, program.constants);
  Program out = program;
  for (FunDef& f : out.functions) {
    Bound own;
    walk(own, f.params);
    walk(own, f.body);
    bool clash = false;
    for (const Name& n : own.names) clash |= !taken.names.insert(n).second;
    if (!clash) continue;
    Substitution to;
    f.params = rename(names, to, f.params);
    f.ret = rename(names, to, f.ret);
    f.body = rename(names, to, f.body);
  }
  return out;
}

}  // namespace heddle::seg
