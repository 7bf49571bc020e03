#include "rewrites/seg/unique_names.h"

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

// Scopes of a tag follow each other, so that what was bound last is what uses mean.
class BoundAgain {
 public:
  explicit BoundAgain(NameSource& names) : names_(names) {}

  SubExp use(const SubExp& x) { return x.is_var() ? SubExp(use_name(x.name())) : x; }
  Name use_name(const Name& n) {
    const auto found = renamed_.find(n);
    return found == renamed_.end() ? n : found->second;
  }
  Name bind(const Name& n) {
    if (bound_.insert(n).second) return n;
    return renamed_.insert_or_assign(n, names_.fresh(n)).first->second;
  }

 private:
  NameSource& names_;
  NameSet bound_;
  std::unordered_map<Name, Name> renamed_;
};

}  // namespace

Result<Program> unique_names(const Program& program) {
  NameSource names(program.next_tag());
  BoundAgain again(names);
  Program out = program;
  out.constants = rebuild(again, program.constants);
  for (FunDef& f : out.functions) {
    f.params = rebuild(again, f.params);
    f.ret = rebuild(again, f.ret);
    f.body = rebuild(again, f.body);
  }
  return out;
}

}  // namespace heddle::seg
