#include "rewrites/seg/element_at.h"

#include <deque>
#include <unordered_map>
#include <utility>

namespace heddle::seg {

namespace {

using Indices = std::vector<SubExp>;

// Statements that can see those of an outer scope. Parameters of a map are rows, or elements, of arrays there.
struct Scope {
  struct Row {
    Name array;
    SubExp index;
    prim::Type elem;
  };
  const Stms& stms;
  Scope* outer;
  std::unordered_map<Name, Row> params{};
  std::unordered_map<Name, SubExp> known{};  // scalars that have been computed
};

class Elements {
 public:
  explicit Elements(Builder& b) : b_(b) {}

  std::optional<SubExp> run(const Stms& stms, const SubExp& array, const Indices& at, prim::Type elem) {
    return value(array, at, elem, scope(stms, nullptr));
  }

 private:
  // More is not computed again for each element.
  static constexpr int kMostStatements = 32;

  Scope& scope(const Stms& stms, Scope* outer) { return scopes_.emplace_back(Scope{stms, outer}); }

  std::optional<SubExp> emit(const std::string& base, prim::Type type, Exp exp) {
    if (++emitted_ > kMostStatements) return std::nullopt;
    return SubExp(b_.let(base, Type::scalar(type), std::move(exp)));
  }

  // Of a scalar where there are no indices.
  std::optional<SubExp> value(const SubExp& v, const Indices& at, prim::Type elem, Scope& s) {
    if (!v.is_var()) return v;
    return at.empty() ? scalar(v.name(), s) : element(v.name(), at, elem, s);
  }

  static const Stm* binding(const Name& n, const Scope& s) {
    for (const StmPtr& stm : s.stms) {
      for (const PatElem& p : stm->pat) {
        if (p.name == n) return stm.get();
      }
    }
    return nullptr;
  }

  std::optional<SubExp> scalar(const Name& n, Scope& from) {
    for (Scope* s = &from; s != nullptr; s = s->outer) {
      if (auto known = s->known.find(n); known != s->known.end()) return known->second;
      std::optional<SubExp> result;
      if (auto row = s->params.find(n); row != s->params.end()) {
        result = element(row->second.array, {row->second.index}, row->second.elem, *s->outer);
      } else if (const Stm* stm = binding(n, *s)) {
        result = computed(*stm, *s);
      } else {
        continue;
      }
      if (result) s->known.emplace(n, *result);
      return result;
    }
    return SubExp(n);
  }

  std::optional<Indices> scalars(const Indices& of, Scope& s) {
    Indices result;
    for (const SubExp& v : of) {
      std::optional<SubExp> known = value(v, {}, prim::Type::Unit, s);
      if (!known) return std::nullopt;
      result.push_back(*known);
    }
    return result;
  }

  std::optional<SubExp> computed(const Stm& stm, Scope& s) {
    if (!stm.certs.empty() || stm.pat.size() != 1 || !stm.pat[0].type.is_scalar()) return std::nullopt;
    const prim::Type type = stm.pat[0].type.elem;
    if (const auto* atom = std::get_if<Atom>(&stm.exp)) return value(atom->value, {}, type, s);
    if (const auto* read = std::get_if<Index>(&stm.exp)) return of_slice(*read, {}, type, s);
    const auto* op = std::get_if<PrimOp>(&stm.exp);
    if (!op || prim::can_fail(op->op)) return std::nullopt;
    const std::optional<Indices> args = scalars(op->args, s);
    if (!args) return std::nullopt;
    return emit(stm.pat[0].name.base, type, PrimOp{op->op, *args});
  }

  std::optional<SubExp> element(const Name& array, const Indices& at, prim::Type elem, Scope& from) {
    for (Scope* s = &from; s != nullptr; s = s->outer) {
      if (auto row = s->params.find(array); row != s->params.end()) {
        Indices whole = {row->second.index};
        whole.insert(whole.end(), at.begin(), at.end());
        return element(row->second.array, whole, elem, *s->outer);
      }
      if (const Stm* stm = binding(array, *s)) return of_made(*stm, array, at, elem, *s);
    }
    Slice slice;
    for (const SubExp& i : at) slice.emplace_back(DimFix{i});
    return emit("element", elem, Index{array, std::move(slice)});
  }

  std::optional<SubExp> of_made(const Stm& stm, const Name& array, const Indices& at, prim::Type elem, Scope& s) {
    if (!stm.certs.empty()) return std::nullopt;
    if (const auto* read = std::get_if<Index>(&stm.exp)) return of_slice(*read, at, elem, s);
    if (const auto* atom = std::get_if<Atom>(&stm.exp)) return value(atom->value, at, elem, s);
    const auto* map = std::get_if<Screma>(&stm.exp);
    if (!map || !map->scans.empty() || !map->reduces.empty()) return std::nullopt;
    Scope& inside = scope(map->map.body->stms, &s);
    for (size_t k = 0; k < map->arrays.size(); ++k) {
      const Param& p = map->map.params[k];
      inside.params.insert_or_assign(p.name, Scope::Row{map->arrays[k], at[0], p.type.elem});
    }
    size_t result = 0;
    while (stm.pat[result].name != array) ++result;
    const SubExpRes& made = map->map.body->result[result];
    if (!made.certs.empty()) return std::nullopt;
    return value(made.value, {at.begin() + 1, at.end()}, elem, inside);
  }

  std::optional<SubExp> of_slice(const Index& read, const Indices& at, prim::Type elem, Scope& s) {
    Indices whole;
    size_t next = 0;
    for (const DimIndex& d : read.slice) {
      const auto* part = std::get_if<DimSlice>(&d);
      if (!part) {
        std::optional<SubExp> index = value(std::get<DimFix>(d).index, {}, prim::Type::I64, s);
        if (!index) return std::nullopt;
        whole.push_back(*index);
      } else if (part->start == i64(0) && part->stride == i64(1)) {
        whole.push_back(at[next++]);
      } else {
        return std::nullopt;
      }
    }
    return element(read.array, whole, elem, s);
  }

  Builder& b_;
  std::deque<Scope> scopes_;
  int emitted_ = 0;
};

}  // namespace

std::optional<SubExp> element_at(const Stms& stms, const SubExp& array, const std::vector<SubExp>& at, prim::Type elem,
                                 Builder& b) {
  return Elements(b).run(stms, array, at, elem);
}

}  // namespace heddle::seg
