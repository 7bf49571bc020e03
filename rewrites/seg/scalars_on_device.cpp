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

bool reads_element(const Stm& s) { return std::holds_alternative<Index>(s.exp); }

// Yields scalars, and does nothing but compute them, or fail.
bool is_scalar_code(const Stm& s) {
  if (!std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_scalar(); })) return false;
  if (const auto* match = std::get_if<Match>(&s.exp)) {
    auto fine = [](const BodyPtr& b) {
      return std::ranges::all_of(b->stms, [](const StmPtr& inner) { return is_scalar_code(*inner); });
    };
    return match->sort == MatchSort::Normal && fine(match->otherwise) &&
           std::ranges::all_of(match->cases, [&](const Case& c) { return fine(c.body); });
  }
  if (const auto* call = std::get_if<Apply>(&s.exp)) return prim::find_function(call->function) != nullptr;
  return std::holds_alternative<Atom>(s.exp) || std::holds_alternative<PrimOp>(s.exp) ||
         std::holds_alternative<Assert>(s.exp) || reads_element(s);
}

// What the host says of itself stands between such statements.
bool stands_between(const Stm& s) {
  return std::holds_alternative<GetSize>(s.exp) || std::holds_alternative<GetSizeMax>(s.exp) ||
         std::holds_alternative<CmpSize>(s.exp) || std::holds_alternative<CalcNumBlocks>(s.exp);
}

// ---- What follows from elements. ----

struct Values {
  Stms computed;  // in order
  NameSet scalars, certs;

  bool any_in(const NameSet& names) const { return any_of(names, scalars) || any_of(names, certs); }
  void add(const StmPtr& s) {
    computed.push_back(s);
    for (const PatElem& p : s->pat) (p.type.elem == prim::Type::Unit ? certs : scalars).insert(p.name);
  }
};

bool has_read(const Stm& s) {
  if (reads_element(s)) return true;
  const auto* match = std::get_if<Match>(&s.exp);
  auto in = [](const BodyPtr& b) {
    return std::ranges::any_of(b->stms, [](const StmPtr& inner) { return has_read(*inner); });
  };
  return match &&
         (in(match->otherwise) || std::ranges::any_of(match->cases, [&](const Case& c) { return in(c.body); }));
}

// Whether each thread of a kernel could compute a value by itself, and does where it is left to the host.
bool is_for_all_threads(const Stm& s, const Values& before) {
  const auto* read = std::get_if<Index>(&s.exp);
  if (read) return read->slice.size() == 1 && !before.any_in(free_names(s));
  return std::holds_alternative<PrimOp>(s.exp) || std::holds_alternative<Atom>(s.exp);
}

// ---- Who needs them. ----

// Looks for uses by others than points of segmented operations.
class Users {
 public:
  explicit Users(const Values& values) : values_(values) {}
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

  const Values& values_;
  bool only_kernels_ = true;
};

class Move {
 public:
  explicit Move(NameSource& names) : names_(names) {}

  Stms stms(const Stms& in) {
    Stms out;
    for (const StmPtr& s : in)
      out.push_back(runs_on_device(s->exp) ? s : std::make_shared<const Stm>(rebuild(*this, *s)));
    return out;
  }

  BodyPtr body(const BodyPtr& b) {
    Stms all = stms(b->stms), out;
    for (size_t begin = 0, end; begin < all.size(); begin = end) {
      for (end = begin; end < all.size() && (is_scalar_code(*all[end]) || stands_between(*all[end]));) ++end;
      auto stretch = std::span(all).subspan(begin, end - begin);
      Stms made = of_stretch(stretch, std::span(all).subspan(end), b->result);
      out.insert(out.end(), made.begin(), made.end());
      if (end < all.size()) out.push_back(all[end++]);
    }
    return std::make_shared<const Body>(Body{std::move(out), b->result});
  }
  KernelBodyPtr body(const KernelBodyPtr& b) { return b; }
  WithAccOp with_acc_op(const WithAccOp& op) { return op; }
  SubExp use(const SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  Stms of_stretch(std::span<const StmPtr> stretch, std::span<const StmPtr> behind,
                  const std::vector<SubExpRes>& result) {
    Stms as_it_is(stretch.begin(), stretch.end());
    Values values;
    Stms others;
    bool for_all_threads = true;
    for (const StmPtr& s : stretch) {
      if (!has_read(*s) && !values.any_in(free_names(*s))) {
        others.push_back(s);
        continue;
      }
      if (stands_between(*s)) return as_it_is;
      for_all_threads &= is_for_all_threads(*s, values);
      values.add(s);
    }
    if (for_all_threads || values.computed.size() > kMostStatements) return as_it_is;
    Users users(values);
    users.stms(behind);
    walk(users, result);
    if (!users.only_kernels()) return as_it_is;
    NameSet needed;
    for (const StmPtr& s : behind) needed.merge(free_names(*s));
    if (!any_of(needed, values.scalars)) return as_it_is;
    Stms made = by_one_thread(values, needed);
    others.insert(others.end(), made.begin(), made.end());
    return others;
  }

  Stms by_one_thread(const Values& values, const NameSet& needed) {
    Substitution inside;
    auto body = std::make_shared<Body>();
    for (const StmPtr& s : values.computed)
      body->stms.push_back(std::make_shared<const Stm>(rename(names_, inside, *s)));
    Certs asserted;
    for (const StmPtr& s : body->stms) {
      if (std::holds_alternative<Assert>(s->exp)) asserted.push_back(s->pat[0].name);
    }
    GpuBody device;
    Stm computed;
    Stms behind;
    for (const StmPtr& s : values.computed) {
      for (const PatElem& p : s->pat) {
        if (!needed.contains(p.name)) continue;
        if (values.certs.contains(p.name)) {
          behind.push_back(std::make_shared<const Stm>(Stm{{p}, {}, {}, Atom{prim::Value::unit()}, s->position}));
          continue;
        }
        Name array = names_.fresh(p.name.base + "_dev");
        computed.pat.push_back({array, array_of(p.type, {i64(1)})});
        device.types.push_back(p.type);
        body->result.push_back({asserted, inside.at(p.name)});
        behind.push_back(
            std::make_shared<const Stm>(Stm{{p}, {}, {}, Index{array, row_slice({i64(0)}, p.type)}, s->position}));
      }
    }
    device.body = std::move(body);
    computed.exp = std::move(device);
    Stms out = just(std::move(computed));
    out.insert(out.end(), behind.begin(), behind.end());
    return out;
  }

  NameSource& names_;
};

}  // namespace

Program scalars_on_device(const Program& program, NameSource& names) {
  Program out = program;
  Move move(names);
  for (FunDef& f : out.functions) f.body = move.body(f.body);
  return out;
}

Result<Program> scalars_on_device(const Program& program) {
  NameSource names(program.next_tag());
  return scalars_on_device(program, names);
}

}  // namespace heddle::seg
