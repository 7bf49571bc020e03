#include "rewrites/seg/own_memory.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

namespace {

class OwnMemory {
 public:
  explicit OwnMemory(NameSource& names) : names_(names) {}

  Stms stms(const Stms& given) {
    Stms all;
    for (const StmPtr& s : given) {
      Builder before(names_);
      Stm changed = *s;
      std::visit([&](auto& e) { rule(before, changed.pat, e); }, changed.exp);
      before.add(std::move(changed));
      Stms now = before.take();
      all.insert(all.end(), now.begin(), now.end());
    }
    return all;
  }

  // `own`: which parameters are memory made here.
  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  Lambda lambda(Lambda l, const std::vector<bool>& own) {
    for (size_t k = 0; k < l.params.size(); ++k) set(l.params[k].name, own[k]);
    l.body = body(l.body);
    return l;
  }

 private:
  // Not the memory of what is bound outside, and not part of it.
  bool is_own(const Name& n) const { return own_.contains(n); }
  bool is_own(const SubExp& e) const { return !e.is_var() || is_own(e.name()); }
  void set(const Name& n, bool own) {
    if (own) {
      own_.insert(n);
    } else {
      own_.erase(n);
    }
  }
  void set_all(const Pat& pat, bool own) {
    for (const PatElem& p : pat) set(p.name, own);
  }

  template <class N>
  void copy_unless_own(Builder& before, N& consumed, Type type) {
    if (is_own(consumed) || !type.is_array()) return;
    type.unique = false;
    Name copy = before.let("own", type, Replicate{{}, consumed});
    set(copy, true);
    consumed = copy;
  }

  // What makes arrays makes them in memory of its own.
  template <class E>
  void rule(Builder&, const Pat& pat, E&) {
    set_all(pat, true);
  }

  // Other names for memory.
  void rule(Builder&, const Pat& pat, Atom& e) { set_all(pat, is_own(e.value)); }
  void rule(Builder&, const Pat& pat, Opaque& e) { set_all(pat, is_own(e.value)); }
  void rule(Builder&, const Pat& pat, Index& e) { set_all(pat, is_own(e.array)); }
  void rule(Builder&, const Pat& pat, FlatIndex& e) { set_all(pat, is_own(e.array)); }
  void rule(Builder&, const Pat& pat, Reshape& e) { set_all(pat, is_own(e.array)); }
  void rule(Builder&, const Pat& pat, Rearrange& e) { set_all(pat, is_own(e.array)); }

  // What consumes.
  void rule(Builder& before, const Pat& pat, Update& e) {
    copy_unless_own(before, e.array, pat[0].type);
    set_all(pat, true);
  }
  void rule(Builder& before, const Pat& pat, FlatUpdate& e) {
    copy_unless_own(before, e.array, pat[0].type);
    set_all(pat, true);
  }
  void rule(Builder&, const Pat& pat, Apply& e) {
    bool own = true;
    for (const Arg& a : e.args) {
      own = own && is_own(a.value);
      if (a.consumed && !is_own(a.value)) refuse("a function called in a kernel that consumes what it did not make");
    }
    for (size_t k = 0; k < pat.size(); ++k)
      set(pat[k].name, own || (e.ret[k].alias_params.empty() && e.ret[k].alias_results.empty()));
  }
  void rule(Builder& before, const Pat& pat, Loop& e) {
    Substitution initial;
    for (size_t k = 0; k < e.params.size(); ++k) initial.insert_or_assign(e.params[k].name, e.inits[k]);
    std::vector<bool> own;
    for (size_t k = 0; k < e.params.size(); ++k) {
      const Type& type = e.params[k].type;
      if (type.unique) copy_unless_own(before, e.inits[k], type.is_acc() ? type : substitute(initial, type));
      own.push_back(is_own(e.inits[k]));
      set(e.params[k].name, own[k]);
    }
    e.body = body(e.body);
    for (size_t k = 0; k < pat.size(); ++k) set(pat[k].name, own[k] && is_own(e.body->result[k].value));
  }
  void rule(Builder& before, const Pat& pat, Scatter& e) {
    for (size_t k = 0; k < e.dests.size(); ++k) copy_unless_own(before, e.dests[k].array, pat[k].type);
    e.lambda = lambda(e.lambda, are_own(e.arrays));
    set_all(pat, true);
  }
  void rule(Builder& before, const Pat& pat, Hist& e) {
    size_t k = 0;
    for (HistOp& op : e.ops) {
      for (Name& dest : op.dests) copy_unless_own(before, dest, pat[k++].type);
      op.op = by_itself(op.op);
    }
    e.bucket = lambda(e.bucket, are_own(e.arrays));
    set_all(pat, true);
  }
  void rule(Builder& before, const Pat& pat, WithAcc& e) {
    size_t k = 0;
    for (WithAccInput& in : e.inputs) {
      for (Name& array : in.arrays) copy_unless_own(before, array, pat[k++].type);
      if (in.op) in.op->op = by_itself(in.op->op);
    }
    e.lambda = by_itself(e.lambda);
    const size_t others = e.lambda.body->result.size() - e.inputs.size();
    set_all(pat, true);
    for (size_t j = 0; j < others; ++j) set(pat[k + j].name, is_own(e.lambda.body->result[e.inputs.size() + j].value));
  }

  // What has code in it.
  void rule(Builder&, const Pat& pat, Match& e) {
    auto results = [&](const Body& b) {
      for (size_t k = 0; k < pat.size(); ++k) {
        if (!is_own(b.result[k].value)) set(pat[k].name, false);
      }
    };
    for (Case& c : e.cases) c.body = body(c.body);
    e.otherwise = body(e.otherwise);
    set_all(pat, true);
    for (const Case& c : e.cases) results(*c.body);
    results(*e.otherwise);
  }
  void rule(Builder&, const Pat& pat, Screma& e) {
    e.map = lambda(e.map, are_own(e.arrays));
    for (ScanOp& o : e.scans) o.lambda = by_itself(o.lambda);
    for (ReduceOp& o : e.reduces) o.lambda = by_itself(o.lambda);
    set_all(pat, true);
  }
  void rule(Builder&, const Pat& pat, Stream& e) {
    std::vector<bool> own{true};
    for (const SubExp& a : e.accs) own.push_back(is_own(a));
    for (bool a : are_own(e.arrays)) own.push_back(a);
    e.lambda = lambda(e.lambda, own);
    for (size_t k = 0; k < pat.size(); ++k)
      set(pat[k].name, k >= e.accs.size() || (own[k + 1] && is_own(e.lambda.body->result[k].value)));
  }

  std::vector<bool> are_own(const std::vector<Name>& arrays) const {
    std::vector<bool> own;
    for (const Name& a : arrays) own.push_back(is_own(a));
    return own;
  }
  // A lambda that is given nothing from outside.
  Lambda by_itself(const Lambda& l) { return lambda(l, std::vector<bool>(l.params.size(), true)); }

  NameSource& names_;
  NameSet own_;
};

}  // namespace

KernelBody with_own_memory(const KernelBody& body, NameSource& names) {
  return {OwnMemory(names).stms(body.stms), body.results};
}

Lambda with_own_memory(const Lambda& op, NameSource& names) {
  return OwnMemory(names).lambda(op, std::vector<bool>(op.params.size(), false));
}

}  // namespace heddle::seg
