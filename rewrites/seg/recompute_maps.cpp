#include "rewrites/seg/recompute_maps.h"

#include <algorithm>
#include <unordered_map>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

// Scalar operations beyond which reading an element is taken to be cheaper than computing it.
constexpr size_t kMaxOperations = 24;

bool is_scalar_code(const Stms& stms) {
  return std::all_of(stms.begin(), stms.end(), [](const StmPtr& s) {
    return std::holds_alternative<PrimOp>(s->exp) || std::holds_alternative<Atom>(s->exp);
  });
}

const SubExp* plain_result(const KernelResult& r) {
  const auto* returns = std::get_if<Returns>(&r);
  return returns && returns->certs.empty() ? &returns->value : nullptr;
}

bool is_cheap(const SegOp& op) {
  return op.kind == SegKind::Map && op.level.kind == LevelKind::Thread && op.body->stms.size() <= kMaxOperations &&
         is_scalar_code(op.body->stms) &&
         std::all_of(op.types.begin(), op.types.end(), [](const Type& t) { return t.is_scalar(); }) &&
         std::all_of(op.body->results.begin(), op.body->results.end(), plain_result);
}

// A cheap map, and which of its results is meant.
struct Producer {
  StmPtr stm;
  const SegOp* map;
  size_t result;
};

using Producers = std::unordered_map<Name, Producer>;

// The maps of host code.
Producers producers_in(const Stms& stms) {
  Producers found;
  for_each_host_stm(stms, [&](const StmPtr& s) {
    const auto* op = std::get_if<SegOp>(&s->exp);
    if (!op || !is_cheap(*op)) return;
    for (size_t k = 0; k < s->pat.size(); ++k) found.insert_or_assign(s->pat[k].name, Producer{s, op, k});
  });
  return found;
}

struct CountUses {
  std::unordered_map<Name, size_t> uses;
  void use(const Name& n) { ++uses[n]; }
  void bind(const Name&) {}
};

class Recompute {
 public:
  Recompute(const Producers& producers, NameSource& names) : producers_(producers), names_(names) {}

  Stms stms(const Stm& s) {
    const auto* index = std::get_if<Index>(&s.exp);
    auto it = index ? producers_.find(index->array) : producers_.end();
    if (it == producers_.end()) return just(s);
    const auto& [stm, map, result] = it->second;
    Substitution to;
    for (size_t k = 0; k < map->space.dims.size(); ++k) {
      const auto* at = k < index->slice.size() ? std::get_if<DimFix>(&index->slice[k]) : nullptr;
      if (!at) return just(s);
      to.insert_or_assign(map->space.dims[k].index, at->index);
    }
    Stms out = rename(names_, to, map->body->stms);
    SubExp value = substitute(to, *plain_result(map->body->results[result]));
    Certs certs = s.certs;
    certs.insert(certs.end(), stm->certs.begin(), stm->certs.end());
    out.push_back(std::make_shared<const Stm>(Stm{s.pat, s.attrs, certs, Atom{value}, s.position}));
    return out;
  }

 private:
  const Producers& producers_;
  NameSource& names_;
};

}  // namespace

Result<Program> recompute_maps(const Program& program) {
  NameSource names(program.next_tag());
  Program out = program;
  for (FunDef& f : out.functions) {
    Producers producers = producers_in(f.body->stms);
    if (producers.empty()) continue;
    Recompute recompute(producers, names);
    auto expand = [&](const Stm& s) { return recompute.stms(s); };
    f.body = StmExpander<decltype(expand)>(expand, true).body(f.body);

    CountUses counted;
    walk(counted, f.body);
    auto drop_unused = [&](const Stm& s) {
      bool unused = std::all_of(s.pat.begin(), s.pat.end(), [&](const PatElem& p) {
        return producers.contains(p.name) && counted.uses[p.name] == 0;
      });
      return unused && !s.pat.empty() ? Stms{} : just(s);
    };
    f.body = StmExpander<decltype(drop_unused)>(drop_unused, false).body(f.body);
  }
  return out;
}

}  // namespace heddle::seg
