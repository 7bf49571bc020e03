#include "rewrites/seg/plain_names.h"

#include "ir/seg/traverse.h"

namespace heddle::seg {
namespace {

struct Plain {
  NameSet bound = {};

  static Name plain(const Name& n) { return Name{"op" + n.base, n.tag}; }
  // What is bound elsewhere, a constant of the program, keeps its name.
  Name use_name(const Name& n) const { return bound.contains(n) ? plain(n) : n; }
  SubExp use(const SubExp& x) const { return x.is_var() ? SubExp(use_name(x.name())) : x; }
  Name bind(const Name& n) {
    if (!n.base.starts_with('*')) return n;
    bound.insert(n);
    return plain(n);
  }
};

}  // namespace

FunDef plain_names(FunDef function) {
  Plain plain;
  function.params = rebuild(plain, function.params);
  function.ret = rebuild(plain, function.ret);
  function.body = rebuild(plain, function.body);
  return function;
}

}  // namespace heddle::seg
