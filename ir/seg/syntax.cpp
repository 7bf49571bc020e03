#include "ir/seg/syntax.h"

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

template <class T>
bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && *a == *b);
}

bool same(const Stms& a, const Stms& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StmPtr& x, const StmPtr& y) { return same(x, y); });
}

bool same(const FunDef& a, const FunDef& b) {
  return a.entry == b.entry && a.attrs == b.attrs && a.name == b.name && a.params == b.params && a.ret == b.ret &&
         same(a.body, b.body);
}

}  // namespace

bool Lambda::operator==(const Lambda& o) const { return params == o.params && ret == o.ret && same(body, o.body); }

bool Case::operator==(const Case& o) const { return pattern == o.pattern && same(body, o.body); }

bool Match::operator==(const Match& o) const {
  return sort == o.sort && subjects == o.subjects && cases == o.cases && same(otherwise, o.otherwise) && ret == o.ret;
}

bool Loop::operator==(const Loop& o) const {
  return params == o.params && inits == o.inits && form == o.form && same(body, o.body);
}

bool SegOp::operator==(const SegOp& o) const {
  return kind == o.kind && level == o.level && space == o.space && ops == o.ops && hists == o.hists &&
         types == o.types && same(body, o.body);
}

bool GpuBody::operator==(const GpuBody& o) const { return types == o.types && same(body, o.body); }

bool Body::operator==(const Body& o) const { return same(stms, o.stms) && result == o.result; }

bool KernelBody::operator==(const KernelBody& o) const { return same(stms, o.stms) && results == o.results; }

bool operator==(const Program& a, const Program& b) {
  return a.types == b.types && same(a.constants, b.constants) &&
         std::equal(a.functions.begin(), a.functions.end(), b.functions.begin(), b.functions.end(),
                    [](const FunDef& x, const FunDef& y) { return same(x, y); });
}

const FunDef* Program::find_function(const std::string& name) const {
  auto it = std::find_if(functions.begin(), functions.end(), [&](const FunDef& f) { return f.name == name; });
  return it == functions.end() ? nullptr : &*it;
}

int Program::next_tag() const {
  struct Largest {
    int tag = -1;
    void use(const Name& n) { tag = std::max(tag, n.tag); }
    void bind(const Name& n) { tag = std::max(tag, n.tag); }
  } largest;
  walk(largest, constants);
  for (const FunDef& f : functions) {
    walk(largest, f.params);
    walk(largest, f.ret);
    walk(largest, f.body);
  }
  return largest.tag + 1;
}

}  // namespace heddle::seg
