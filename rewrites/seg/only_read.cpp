#include "rewrites/seg/only_read.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace heddle::seg {

namespace {

class Uses {
 public:
  explicit Uses(const Program& program) {
    stms(program.constants);
    for (const FunDef& f : program.functions) body(*f.body);
  }

  NameSet found() && {
    for (bool more = true; more;) {
      more = false;
      for (const auto& [window, of] : windows_) more = (found_.contains(window) && found_.insert(of).second) || more;
    }
    return std::move(found_);
  }

 private:
  void found(const SubExp& x) {
    if (x.is_var()) found_.insert(x.name());
  }
  template <class T>
  void all_of(const T& node) {
    found_.merge(free_names(node));
  }

  void body(const Body& b) {
    stms(b.stms);
    for (const SubExpRes& r : b.result) found(r.value);
  }

  void stms(const Stms& all) {
    for (const StmPtr& s : all) stm(*s);
  }

  void window(const Stm& s, const Name& of) {
    if (s.pat[0].type.is_array()) windows_.emplace_back(s.pat[0].name, of);
  }

  void stm(const Stm& s) {
    if (const auto* op = std::get_if<SegOp>(&s.exp)) return seg_op(*op);
    if (const auto* index = std::get_if<Index>(&s.exp)) return window(s, index->array);
    if (const auto* index = std::get_if<FlatIndex>(&s.exp)) return window(s, index->array);
    if (const auto* reshape = std::get_if<Reshape>(&s.exp)) return window(s, reshape->array);
    if (const auto* rearrange = std::get_if<Rearrange>(&s.exp)) return window(s, rearrange->array);
    if (const auto* atom = std::get_if<Atom>(&s.exp)) {
      if (atom->value.is_var()) window(s, atom->value.name());
    } else if (const auto* match = std::get_if<Match>(&s.exp)) {
      for (const Case& c : match->cases) body(*c.body);
      body(*match->otherwise);
    } else if (const auto* loop = std::get_if<Loop>(&s.exp)) {
      for (const SubExp& x : loop->inits) found(x);
      body(*loop->body);
    } else if (!std::holds_alternative<PrimOp>(s.exp) && !std::holds_alternative<Replicate>(s.exp)) {
      all_of(s.exp);
    }
  }

  // What points compute with, they only read.
  void seg_op(const SegOp& op) {
    for (const HistOp& h : op.hists) found_.insert(h.dests.begin(), h.dests.end());
    for (const KernelResult& r : op.body->results) {
      if (!std::holds_alternative<Returns>(r)) all_of(r);
    }
    const bool updates = std::ranges::any_of(op.types, [](const Type& t) { return t.is_acc(); });
    if (updates) all_of(*op.body);
  }

  std::vector<std::pair<Name, Name>> windows_;
  NameSet found_;
};

}  // namespace

NameSet changed_or_handed_on(const Program& program) { return Uses(program).found(); }

}  // namespace heddle::seg
