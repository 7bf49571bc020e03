#include "rewrites/seg/scalars_on_device.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostStatements = 64;

bool any_of(const NameSet& some, const NameSet& of) {
  return std::ranges::any_of(some, [&](const Name& n) { return of.contains(n); });
}

auto is_in(const Stms& some) {
  return [&some](const StmPtr& s) { return std::ranges::find(some, s) != some.end(); };
}

bool reads_element(const Stm& s) { return std::holds_alternative<Index>(s.exp); }

// What a statement does, with all that is nested in it.
struct Code {
  bool is_scalar;  // yields scalars, and does nothing but compute them, or fail
  bool has_read;   // of an array's element
};

// Remembers bodies, since those around ask again: nested deeply, they would take quadratic time.
class Codes {
 public:
  Code of(const Stm& s) {
    Code code{std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_scalar(); }), reads_element(s)};
    if (const auto* match = std::get_if<Match>(&s.exp)) {
      code.is_scalar &= match->sort == MatchSort::Normal;
      add(code, of(match->otherwise));
      for (const Case& c : match->cases) add(code, of(c.body));
    } else if (const auto* call = std::get_if<Apply>(&s.exp)) {
      code.is_scalar &= prim::find_function(call->function) != nullptr;
    } else {
      code.is_scalar &= std::holds_alternative<Atom>(s.exp) || std::holds_alternative<PrimOp>(s.exp) ||
                        std::holds_alternative<Assert>(s.exp) || code.has_read;
    }
    return code;
  }

 private:
  static void add(Code& code, const Code& part) {
    code.is_scalar &= part.is_scalar;
    code.has_read |= part.has_read;
  }
  Code of(const BodyPtr& b) {
    auto known = known_.find(b);
    if (known != known_.end()) return known->second;
    Code code{true, false};
    for (const StmPtr& s : b->stms) add(code, of(*s));
    known_.emplace(b, code);
    return code;
  }

  std::unordered_map<BodyPtr, Code> known_;
};

// What the host says of itself stands between such statements.
bool stands_between(const Stm& s) {
  return std::holds_alternative<GetSize>(s.exp) || std::holds_alternative<GetSizeMax>(s.exp) ||
         std::holds_alternative<CmpSize>(s.exp) || std::holds_alternative<CalcNumBlocks>(s.exp);
}

// ---- What follows from elements. ----

struct FromElements {
  Stms computed;  // in order
  NameSet scalars, certs;

  bool any_in(const NameSet& names) const { return any_of(names, scalars) || any_of(names, certs); }
  bool any_used(const Stm& s) const { return !computed.empty() && any_in(free_names(s)); }
  void add(const StmPtr& s) {
    computed.push_back(s);
    for (const PatElem& p : s->pat) (p.type.elem == prim::Type::Unit ? certs : scalars).insert(p.name);
  }
};

// Whether each thread of a kernel could compute a value by itself, and does where it is left to the host.
bool is_for_all_threads(const Stm& s, const FromElements& before) {
  const auto* read = std::get_if<Index>(&s.exp);
  if (read) return read->slice.size() == 1 && !before.any_in(free_names(s));
  return std::holds_alternative<PrimOp>(s.exp) || std::holds_alternative<Atom>(s.exp);
}

NameSet arrays_read(const Stms& stms) {
  struct Find {
    NameSet found;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const BodyPtr& b) {
      in(b->stms);
      return false;
    }
    void in(const Stms& all) {
      for (const StmPtr& s : all) {
        if (const auto* read = std::get_if<Index>(&s->exp)) found.insert(read->array);
        walk(*this, s->exp);
      }
    }
  } find;
  find.in(stms);
  return std::move(find.found);
}

// Which arrays are known to share no memory with others, however they are named.
class Memory {
 public:
  void function(const std::vector<Param>& params) {
    for (const Param& p : params) {
      say(p.name, !p.type.unique, p.type.unique ? Owner::Body : Owner::None);
      if (!p.type.unique) parameters_.insert(p.name);
    }
  }
  void enter(const Loop& loop) {
    ++loops_;
    for (const Param& p : loop.params) say(p.name, false, p.type.unique ? Owner::Loop : Owner::None);
  }
  void leave() { --loops_; }

  void made(const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    const auto* update = std::get_if<Update>(&s.exp);
    const bool is_new = std::holds_alternative<GpuBody>(s.exp) || std::holds_alternative<Scratch>(s.exp) ||
                        std::holds_alternative<Replicate>(s.exp);
    for (size_t k = 0; k < s.pat.size(); ++k) {
      const bool fresh = is_new || (op && k < op->body->results.size() && !s.pat[k].type.is_acc() &&
                                    std::holds_alternative<Returns>(op->body->results[k]));
      say(s.pat[k].name, fresh, fresh ? Owner::Body : Owner::None);
      auto updated = update ? known_.find(update->array) : known_.end();
      if (updated != known_.end()) known_[s.pat[k].name] = {false, updated->second.owner, updated->second.loops};
    }
  }

  // What it yields is the same wherever in the function it stands.
  bool reads_parameter(const Stm& s) const {
    const auto* read = std::get_if<Index>(&s.exp);
    return read && s.pat[0].type.is_scalar() && parameters_.contains(read->array);
  }

  // Whether all of these lie elsewhere than the other. What a loop overwrites has no other name in it from outside.
  bool apart(const NameSet& read, const Name& other) const {
    auto it = known_.find(other);
    if (it == known_.end() || it->second.owner == Owner::None) return false;
    return std::ranges::all_of(read, [&](const Name& n) {
      auto found = known_.find(n);
      const Known known = found == known_.end() ? Known{} : found->second;
      return n != other && (known.apart || (it->second.owner == Owner::Loop && known.loops < it->second.loops));
    });
  }

 private:
  enum class Owner { None, Body, Loop };
  struct Known {
    bool apart = false;         // a parameter that nothing overwrites, or made anew
    Owner owner = Owner::None;  // whose other names are gone by the time it is overwritten
    int loops = 0;              // around what binds it
  };
  void say(const Name& n, bool apart, Owner owner) { known_[n] = {apart, owner, loops_}; }

  std::unordered_map<Name, Known> known_;
  NameSet parameters_;  // that nothing overwrites
  int loops_ = 0;
};

// ---- Who needs them. ----

// Whether it is one of the values in an array of its own, or the place of one in an array is known without them, so that it can be
// copied there.
bool is_copy_of(const FromElements& values, const Stm& s) {
  auto is_index = [](const DimIndex& d) { return std::holds_alternative<DimFix>(d); };
  Stm without = s;
  SubExp* value = nullptr;
  if (auto* update = std::get_if<Update>(&without.exp)) {
    if (std::ranges::all_of(update->slice, is_index)) value = &update->value;
  } else if (auto* row = std::get_if<Replicate>(&without.exp)) {
    if (row->shape == Shape{i64(1)}) value = &row->value;
  }
  if (!value || !value->is_var() || !values.scalars.contains(value->name())) return false;
  *value = i64(0);
  return !values.any_in(free_names(without));
}

// Looks for uses by others than points of segmented operations.
class Users {
 public:
  explicit Users(const FromElements& values) : values_(values) {}
  bool only_kernels() const { return only_kernels_; }

  void stms(std::span<const StmPtr> all) {
    for (const StmPtr& s : all) runs_on_device(s->exp) ? operation(*s) : walk(*this, *s);
  }

  void use(const Name& n) { only_kernels_ &= !values_.scalars.contains(n) && !values_.certs.contains(n); }
  void bind(const Name&) {}
  bool enter(const BodyPtr& b) {
    stms(b->stms);
    walk(*this, b->result);
    return false;
  }
  bool enter(const KernelBodyPtr&) { return true; }

 private:
  void operation(const Stm& s) {
    NameSet used = free_names(s);
    if (!values_.any_in(used)) return;
    const auto* op = std::get_if<SegOp>(&s.exp);
    if (!op || !any_of(used, values_.scalars)) {
      only_kernels_ = false;
      return;
    }
    // How large anything is the host has to know.
    Stm around = s;
    auto& without = std::get<SegOp>(around.exp);
    without.body = std::make_shared<const KernelBody>();
    around.certs.clear();
    only_kernels_ &= !values_.any_in(free_names(around)) && !sizes_depend(op->body->stms);
  }

  bool sizes_depend(const Stms& stms) const {
    return std::ranges::any_of(stms, [&](const StmPtr& s) {
      return std::ranges::any_of(s->pat, [&](const PatElem& p) { return any_of(free_names(p.type), values_.scalars); });
    });
  }

  const FromElements& values_;
  bool only_kernels_ = true;
};

// ---- What takes their place. ----

class ByOneThread {
 public:
  ByOneThread(const FromElements& values, const NameSet& needed, NameSource& names)
      : values_(values), needed_(needed), names_(names) {}

  Stms run(const Stm* update) {
    for (const StmPtr& s : values_.computed) stms_.push_back(std::make_shared<const Stm>(rename(names_, inside_, *s)));
    for (const StmPtr& s : stms_) {
      if (std::holds_alternative<Assert>(s->exp)) asserted_.push_back(s->pat[0].name);
    }
    for (const StmPtr& s : values_.computed) {
      for (const PatElem& p : s->pat) {
        if (needed_.contains(p.name)) keep(p, s->position);
      }
    }
    computed_.exp = update ? Exp(segmap(*update)) : Exp(body());
    Stms out = just(std::move(computed_));
    out.insert(out.end(), behind_.begin(), behind_.end());
    return out;
  }

  // What copies one of the values, y with [k] = f or replicate([1], f), from where the thread has left it: y with [k : 1] = f_dev or
  // replicate([], f_dev).
  StmPtr copied(const Stm& s) const {
    Stm copy = s;
    if (auto* row = std::get_if<Replicate>(&copy.exp)) {
      *row = {{}, left_.at(row->value.name())};
    } else {
      auto& update = std::get<Update>(copy.exp);
      const SubExp at = std::get<DimFix>(update.slice.back()).index;
      update.slice.back() = DimSlice{at, i64(1), i64(1)};
      update.value = left_.at(update.value.name());
    }
    return std::make_shared<const Stm>(std::move(copy));
  }

 private:
  void keep(const PatElem& p, Position position) {
    auto later = [&](Exp exp) {
      behind_.push_back(std::make_shared<const Stm>(Stm{{p}, {}, {}, std::move(exp), position}));
    };
    if (values_.certs.contains(p.name)) return later(Atom{prim::Value::unit()});
    Name array = names_.fresh(p.name.base + "_dev");
    left_.emplace(p.name, array);
    computed_.pat.push_back({array, array_of(p.type, {i64(1)})});
    types_.push_back(p.type);
    results_.push_back(inside_.at(p.name));
    later(Index{array, row_slice({i64(0)}, p.type)});
  }

  GpuBody body() {
    auto body = std::make_shared<Body>();
    body->stms = std::move(stms_);
    for (const SubExp& r : results_) body->result.push_back({asserted_, r});
    return {std::move(types_), std::move(body)};
  }

  // What stores into an array is one point.
  SegOp segmap(const Stm& s) {
    const auto update = substitute(inside_, std::get<Update>(s.exp));
    auto body = std::make_shared<KernelBody>();
    body->stms = std::move(stms_);
    for (const SubExp& r : results_) body->results.emplace_back(Returns{ReturnsKind::MaySimplify, asserted_, r});
    Certs certs = substitute(inside_, s.certs);
    std::erase_if(certs, [&](const Name& n) { return std::ranges::find(asserted_, n) != asserted_.end(); });
    certs.insert(certs.end(), asserted_.begin(), asserted_.end());
    body->results.emplace_back(WriteReturns{std::move(certs), update.array, {{update.slice, update.value}}});
    types_.push_back(array_of(s.pat[0].type, {}));
    computed_.pat.push_back(s.pat[0]);
    SegOp op;
    op.space = {names_.fresh("flat"), {{names_.fresh("i"), i64(1)}}};
    op.types = std::move(types_);
    op.body = std::move(body);
    return op;
  }

  const FromElements& values_;
  const NameSet& needed_;
  NameSource& names_;
  Substitution inside_;
  std::unordered_map<Name, Name> left_;  // where the values are
  Stms stms_, behind_;
  Certs asserted_;
  std::vector<Type> types_;
  std::vector<SubExp> results_;
  Stm computed_;
};

class Move : public HostCodeAlone {
 public:
  explicit Move(NameSource& names) : names_(names) {}

  void function(FunDef& f) {
    memory_.function(f.params);
    f.body = body(f.body);
  }

  BodyPtr body(const BodyPtr& b) {
    Stms all = stms(b->stms), out, early;
    for (size_t begin = 0, end; begin < all.size(); begin = end) {
      for (end = begin; end < all.size() && (codes_.of(*all[end]).is_scalar || stands_between(*all[end]));) ++end;
      Stms stretch = with_what_it_uses(early, std::span(all).subspan(begin, end - begin));
      const auto behind = std::span(all).subspan(end);
      std::optional<Stms> made;
      Later later;
      if (!behind.empty()) made = moved({stretch, behind.subspan(1), b->result}, behind[0].get(), later);
      if (made) ++end;
      if (!made) made = moved({stretch, behind, b->result}, nullptr, later);
      if (made) {
        std::erase_if(out, is_in(stretch));
        std::erase_if(all, is_in(later.computed));
        for (StmPtr& s : all) {
          if (auto copy = later.copies.find(s); copy != later.copies.end()) s = copy->second;
        }
      } else {
        made.emplace(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end));
      }
      if (end < all.size()) made->push_back(all[end++]);
      for (const StmPtr& s : *made) {
        if (!early.empty()) {
          const NameSet used = free_names(*s);
          std::erase_if(early, [&](const StmPtr& read) { return used.contains(read->pat[0].name); });
        }
        if (memory_.reads_parameter(*s)) early.push_back(s);
        out.push_back(s);
      }
    }
    return std::make_shared<const Body>(Body{std::move(out), b->result});
  }
  using HostCodeAlone::body;

 private:
  Stms stms(const Stms& in) {
    Stms out;
    for (const StmPtr& s : in) {
      const auto* loop = std::get_if<Loop>(&s->exp);
      if (loop) memory_.enter(*loop);
      out.push_back(runs_on_device(s->exp) ? s : std::make_shared<const Stm>(rebuild(*this, *s)));
      if (loop) memory_.leave();
      memory_.made(*s);
    }
    return out;
  }

  // Those of the reads that come before and that nothing has used yet which a stretch uses, and the stretch.
  static Stms with_what_it_uses(const Stms& early, std::span<const StmPtr> stretch) {
    NameSet used;
    if (!early.empty()) {
      for (const StmPtr& s : stretch) used.merge(free_names(*s));
    }
    Stms all;
    std::ranges::copy_if(early, std::back_inserter(all),
                         [&](const StmPtr& r) { return used.contains(r->pat[0].name); });
    all.insert(all.end(), stretch.begin(), stretch.end());
    return all;
  }

  // Statements of a body, and what comes behind.
  struct Stretch {
    std::span<const StmPtr> stms, behind;
    const std::vector<SubExpRes>& result;
  };

  // Scalars behind that follow from the values, what is known before, and elements of arrays that are there before: those are among
  // them. Without them the host would need the values.
  static Stms following(std::span<const StmPtr> behind, FromElements values, bool may_read) {
    Stms found, waiting;
    NameSet later;
    for (const StmPtr& s : behind) {
      const NameSet used = free_names(*s);
      if (!follows(*s, may_read) || any_of(used, later)) {
        for (const PatElem& p : s->pat) later.insert(p.name);
      } else if (any_of(used, values.scalars)) {
        for (const StmPtr& w : waited_for(*s, waiting)) {
          std::erase(waiting, w);
          found.push_back(w);
          values.add(w);
        }
        found.push_back(s);
        values.add(s);
      } else {
        waiting.push_back(s);
      }
    }
    return found;
  }

  static bool follows(const Stm& s, bool may_read) {
    const auto* op = std::get_if<PrimOp>(&s.exp);
    const bool is_fine = op ? !prim::can_fail(op->op) : may_read && reads_element(s) && s.pat[0].type.is_scalar();
    return is_fine && s.certs.empty();
  }

  // In order.
  static Stms waited_for(const Stm& s, const Stms& waiting) {
    Stms found;
    NameSet used = free_names(s);
    for (auto w = waiting.rbegin(); w != waiting.rend(); ++w) {
      if (!used.contains((*w)->pat[0].name)) continue;
      found.push_back(*w);
      used.merge(free_names(**w));
    }
    return {found.rbegin(), found.rend()};
  }

  // What becomes of statements behind: some are computed with the stretch, and some copy what it leaves.
  struct Later {
    Stms computed;
    std::unordered_map<StmPtr, StmPtr> copies;
  };

  // What takes the place of a stretch, and of `update` if there is one, which is the statement behind it.
  std::optional<Stms> moved(const Stretch& stretch, const Stm* update, Later& later) {
    FromElements values;
    Stms others;
    bool for_all_threads = update == nullptr;
    for (const StmPtr& s : stretch.stms) {
      if (!codes_.of(*s).has_read && !values.any_used(*s)) {
        others.push_back(s);
        continue;
      }
      if (stands_between(*s)) return std::nullopt;
      for_all_threads &= is_for_all_threads(*s, values);
      values.add(s);
    }
    if (values.computed.size() > kMostStatements) return std::nullopt;
    if (update && !may_take(*update, values)) return std::nullopt;
    const Stms more = following(stretch.behind, values, update == nullptr);
    for (const StmPtr& s : more) values.add(s);
    Stms behind(stretch.behind.begin(), stretch.behind.end()), copies;
    std::erase_if(behind, is_in(more));
    NameSet needed;
    for (const StmPtr& s : behind) needed.merge(free_names(*s));
    std::ranges::copy_if(behind, std::back_inserter(copies), [&](const StmPtr& s) { return is_copy_of(values, *s); });
    if (for_all_threads && copies.empty()) return std::nullopt;
    std::erase_if(behind, is_in(copies));
    Users users(values);
    users.stms(behind);
    walk(users, stretch.result);
    if (!users.only_kernels()) return std::nullopt;
    if (!update && !any_of(needed, values.scalars)) return std::nullopt;
    ByOneThread thread(values, needed, names_);
    Stms made = thread.run(update);
    others.insert(others.end(), made.begin(), made.end());
    later.computed = more;
    for (const StmPtr& s : copies) later.copies.emplace(s, thread.copied(*s));
    return others;
  }

  // Whether an element is overwritten by what follows from others, in memory of which the thread knows all that it reads.
  bool may_take(const Stm& s, const FromElements& values) const {
    const auto* update = std::get_if<Update>(&s.exp);
    auto is_index = [](const DimIndex& d) { return std::holds_alternative<DimFix>(d); };
    return update && std::ranges::all_of(update->slice, is_index) && values.any_in(free_names(s)) &&
           memory_.apart(arrays_read(values.computed), update->array);
  }

  NameSource& names_;
  Memory memory_;
  Codes codes_;
};

}  // namespace

Program scalars_on_device(const Program& program, NameSource& names) {
  Program out = program;
  Move move(names);
  for (FunDef& f : out.functions) move.function(f);
  return out;
}

Result<Program> scalars_on_device(const Program& program) {
  NameSource names(program.next_tag());
  return scalars_on_device(program, names);
}

}  // namespace heddle::seg
