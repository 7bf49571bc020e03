#include "rewrites/host/carry_elements.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/host/traverse.h"
#include "rewrites/host/one_thread.h"

namespace heddle::host {

namespace {

// What stands between an element's being read and its being computed with, if nothing overwrites it.
bool overwrites_nothing(const Stmt& s) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        return std::is_same_v<T, Let> || std::is_same_v<T, Measure> || std::is_same_v<T, GetParam> ||
               std::is_same_v<T, GetMax> || std::is_same_v<T, Compare> || std::is_same_v<T, Assert> ||
               std::is_same_v<T, Check> || std::is_same_v<T, ReadElement> || std::is_same_v<T, Alloc>;
      },
      s->node);
}

// By which statement of a block each scalar is made, those in nested blocks included.
std::unordered_map<Name, size_t> makers(const std::vector<Stmt>& stmts) {
  struct Makers : Walker<Makers> {
    std::unordered_map<Name, size_t> of;
    size_t number = 0;
    void expr(const Expr&) {}
    void bind(const Name& n) { of.emplace(n, number); }
  } makers;
  for (; makers.number < stmts.size(); ++makers.number) makers.stmt(stmts[makers.number]);
  return std::move(makers.of);
}

class Change {
 public:
  Change(const Loop& loop, const nest::NameSet& alone, int kernel_number, NameSource& names)
      : names_(names), loop_(loop), alone_(alone), number_(kernel_number), result_{{}, loop, {}, {}, {}, {}} {
    for (size_t i = 0; i < loop.body.stmts.size(); ++i) {
      const auto* let = std::get_if<Let>(&loop.body.stmts[i]->node);
      const auto* read = std::get_if<ReadElement>(&loop.body.stmts[i]->node);
      if (let) made_.emplace(let->name, i);
      if (read) made_.emplace(read->name, i);
    }
  }

  std::optional<Carried> run() {
    find_parameters();
    if (carried_.empty() || !find_computed()) return std::nullopt;
    make_kernel();
    make_loop();
    return std::move(result_);
  }

 private:
  const Expr* yielded(size_t i) const { return std::get_if<Expr>(&loop_.body.yields[i]); }
  const Stmt& made_by(const Name& n) const { return loop_.body.stmts[made_.at(n)]; }

  // Whether a scalar of the body is computed from elements or from parameters that are carried.
  bool depends(const Expr& e) const {
    nest::NameSet seen;
    return depends(e, seen);
  }
  bool depends(const Name& n) const {
    nest::NameSet seen;
    return depends(n, seen);
  }
  // `seen` have been asked of already.
  bool depends(const Expr& e, nest::NameSet& seen) const {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return depends(n, seen); });
  }
  bool depends(const Name& n, nest::NameSet& seen) const {
    if (carried_.contains(n)) return true;
    if (!made_.contains(n) || !seen.insert(n).second) return false;
    const auto* let = std::get_if<Let>(&made_by(n)->node);
    return !let || depends(let->value, seen);
  }

  bool is_condition(const Name& param) const {
    const auto* w = std::get_if<WhileTrue>(&loop_.form);
    return w && w->condition == param;
  }

  // One that is computed from another that is carried is carried, too, unless the host decides by it.
  void find_parameters() {
    for (bool changed = true; std::exchange(changed, false);) {
      for (size_t i = 0; i < loop_.params.size(); ++i) {
        const Expr* value = yielded(i);
        if (is_condition(loop_.params[i].binder.name)) continue;
        if (!value || (*value)->type == prim::Type::Unit || carried_.contains(loop_.params[i].binder.name)) continue;
        if (depends(*value)) changed |= carried_.emplace(loop_.params[i].binder.name, i).second;
      }
    }
  }

  // The statements that compute what is handed on, and behind which of all it can be computed.
  bool find_computed() {
    for (const auto& [name, i] : carried_) need(*yielded(i));
    for (size_t i : computed_) {
      const auto* read = std::get_if<ReadElement>(&loop_.body.stmts[i]->node);
      if (!read) continue;
      if (std::ranges::any_of(read->index, [&](const Expr& e) { return depends(e); })) return false;
      for (size_t k = i + 1; k < behind_; ++k) {
        if (!keeps(loop_.body.stmts[k], read->array)) return false;
      }
    }
    return true;
  }
  // Whether an array is the same behind a statement: what the body makes and is known by one name nothing else overwrites.
  bool keeps(const Stmt& s, const Name& array) const {
    return overwrites_nothing(s) || (alone_.contains(array) && is_made_here(array) && !free_names(s).contains(array));
  }
  bool is_made_here(const Name& array) const {
    return std::ranges::any_of(loop_.body.stmts, [&](const Stmt& s) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) return alloc->name == array;
      const auto* branches = std::get_if<If>(&s->node);
      return branches && std::ranges::any_of(branches->results, [&](const Binder& b) { return b.name == array; });
    });
  }
  void need(const Expr& e) {
    for (const Name& n : nest::free_names(e)) {
      if (auto maker = makers_.find(n); maker != makers_.end() && !made_.contains(n))
        behind_ = std::max(behind_, maker->second + 1);  // what a branch or a loop yields
      auto it = made_.find(n);
      if (it == made_.end()) continue;
      const Stmt& s = loop_.body.stmts[it->second];
      if (!depends(n) || std::holds_alternative<ReadElement>(s->node)) behind_ = std::max(behind_, it->second + 1);
      if (!depends(n) || !computed_.insert(it->second).second) continue;
      if (const auto* let = std::get_if<Let>(&s->node)) need(let->value);
      if (const auto* read = std::get_if<ReadElement>(&s->node))
        std::ranges::for_each(read->index, [&](const Expr& x) { need(x); });
    }
  }

  // ---- The kernel, of one thread. ----

  Expr load(const ReadElement& read) {
    const Name array = thread_.array(read.array, read.type, read.index.size());
    std::vector<Expr> index;
    for (const Expr& i : read.index) index.push_back(thread_.in_kernel(i));
    return nest::load(array, read.type, std::move(index));
  }

  void make_kernel() {
    nest::Block body;
    const std::vector<Expr> first{nest::constant(int64_t{0})};
    for (const auto& [name, i] : carried_) {
      prim::Type type = loop_.params[i].binder.type.elem;
      Name array = names_.fresh(name);
      arrays_.emplace(i, array);
      thread_.define(body, name, nest::load(thread_.element(array, type), type, first));
    }
    for (size_t i : computed_) {
      const Stmt& s = loop_.body.stmts[i];
      if (const auto* let = std::get_if<Let>(&s->node)) thread_.define(body, let->name, thread_.in_kernel(let->value));
      if (const auto* read = std::get_if<ReadElement>(&s->node)) thread_.define(body, read->name, load(*read));
    }
    for (const auto& [name, i] : carried_) {
      Name next = names_.fresh(name);
      next_.emplace(i, next);
      Expr value = thread_.in_kernel(*yielded(i));
      Name to = thread_.element(next, value->type);
      body.push_back(nest::stmt(nest::Store{to, first, value}));
    }
    OneThread::Made made = std::move(thread_).finish("carried", number_, std::move(body));
    result_.kernel = std::move(made.kernel);
    launch_ = std::move(made.measures);
    launched_ = std::move(made.launch);
  }

  // ---- The loop. ----

  void make_loop() {
    Loop& loop = result_.loop;
    const std::vector<Expr> one{nest::constant(int64_t{1})}, first{nest::constant(int64_t{0})};
    std::vector<Stmt> stmts, frees;
    for (const auto& [name, i] : carried_) {
      prim::Type type = loop_.params[i].binder.type.elem;
      Name start = names_.fresh(name), end = names_.fresh(name);
      result_.before.push_back(stmt(Alloc{start, type, one, {0}}));
      result_.before.push_back(stmt(WriteElement{start, first, std::get<Expr>(loop_.params[i].init)}));
      loop.params[i] = {{arrays_.at(i), {type, 1}}, start};
      stmts.push_back(stmt(ReadElement{name, type, arrays_.at(i), first}));
      launch_.push_back(stmt(Alloc{next_.at(i), type, one, {0}}));
      frees.push_back(stmt(Free{arrays_.at(i)}));
      loop.body.yields[i] = next_.at(i);
      loop.results[i] = end;
      result_.behind.push_back(stmt(ReadElement{loop_.results[i], type, end, first}));
      result_.behind.push_back(stmt(Free{end}));
      result_.parameters.push_back(arrays_.at(i));
      result_.results.push_back(end);
    }
    launch_.push_back(stmt(std::move(launched_)));
    const std::vector<Stmt>& old = loop_.body.stmts;
    std::vector<bool> stay = needed();
    for (size_t i = 0; i <= old.size(); ++i) {
      if (i == behind_) stmts.insert(stmts.end(), launch_.begin(), launch_.end());
      if (i < old.size() && stay[i]) stmts.push_back(old[i]);
    }
    stmts.insert(stmts.end(), frees.begin(), frees.end());
    loop.body.stmts = std::move(stmts);
  }

  // The statements that others than the kernel need.
  std::vector<bool> needed() const {
    const std::vector<Stmt>& stmts = loop_.body.stmts;
    std::vector<bool> stay(stmts.size(), true);
    nest::NameSet names;
    for (size_t k = 0; k < loop_.body.yields.size(); ++k) {
      const Expr* e = yielded(k);
      if (e && !carried_.contains(loop_.params[k].binder.name)) names.merge(nest::free_names(*e));
    }
    for (size_t i = stmts.size(); i-- > 0;) {
      if (computed_.contains(i)) {
        const auto* let = std::get_if<Let>(&stmts[i]->node);
        stay[i] = names.contains(let ? let->name : std::get<ReadElement>(stmts[i]->node).name);
      }
      if (stay[i]) names.merge(free_names(stmts[i]));
    }
    return stay;
  }

  NameSource& names_;
  const Loop& loop_;
  const nest::NameSet& alone_;
  int number_;
  Carried result_;
  std::unordered_map<Name, size_t> made_;  // which statement computes or reads a scalar
  const std::unordered_map<Name, size_t> makers_ = makers(loop_.body.stmts);
  std::map<Name, size_t> carried_;  // parameters, with their numbers
  std::set<size_t> computed_;       // statements
  size_t behind_ = 0;
  std::map<size_t, Name> arrays_, next_;  // of parameters
  OneThread thread_{names_};
  std::vector<Stmt> launch_;  // and what comes before
  Launch launched_;
};

}  // namespace

std::optional<Carried> carry_elements(const Loop& loop, const nest::NameSet& alone, int kernel_number,
                                      NameSource& names) {
  return Change(loop, alone, kernel_number, names).run();
}

}  // namespace heddle::host
