#include "rewrites/seg/distribute_sums.h"

#include <unordered_map>
#include <utility>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/own_memory.h"
#include "rewrites/seg/separate_accumulators.h"

namespace heddle::seg {

namespace {

bool is_sum(const Stm& s) {
  if (s.pat.size() != 1 || !s.pat[0].type.is_scalar()) return false;
  if (const auto* loop = std::get_if<Loop>(&s.exp)) return std::holds_alternative<ForLoop>(loop->form);
  const auto* soac = std::get_if<Screma>(&s.exp);
  return soac && soac->scans.empty() && soac->reduces.size() == 1;
}

// Its results are scalars, one for each point.
bool is_plain_map(const SegOp& op) {
  return op.kind == SegKind::Map && op.level.kind == LevelKind::Thread &&
         std::all_of(op.types.begin(), op.types.end(), [](const Type& t) { return t.is_scalar(); }) &&
         std::all_of(op.body->results.begin(), op.body->results.end(),
                     [](const KernelResult& r) { return std::holds_alternative<Returns>(r); });
}

class Distribute {
 public:
  Distribute(const Stm& s, const SegOp& op, NameSource& names, bool may_alias)
      : s_(s),
        op_(op),
        names_(names),
        may_alias_(may_alias),
        stms_(separate_accumulators(with_own_memory(*op.body, names).stms, names)) {}

  std::optional<DistributedSums> run() {
    name_sums();
    bool is_one_sum = arrays_.size() == 1 && num_rest_ == 0 && op_.body->results.size() == 1;
    if (arrays_.empty() || is_one_sum) return std::nullopt;
    DistributedSums out;
    for (const StmPtr& s : stms_) {
      if (!is_sum(*s)) continue;
      const auto& [name, type] = s->pat[0];
      out.sums.push_back(
          segmap({{arrays_.at(name), array_type(type)}}, {type}, {Returns{ReturnsKind::MaySimplify, {}, name}}, name));
    }
    rest(out.rest);
    if (loses_asserts()) return std::nullopt;
    return out;
  }

 private:
  // Of one such value for each point.
  Type array_type(const Type& point) const {
    Shape shape;
    for (const SegDim& d : op_.space.dims) shape.emplace_back(d.size);
    return array_of(point, shape);
  }

  static const Name* whole_result(const KernelResult& r) {
    const auto& returns = std::get<Returns>(r);
    return returns.certs.empty() && returns.value.is_var() ? &returns.value.name() : nullptr;
  }

  // A sum that is a result has that result's name.
  void name_sums() {
    for (const StmPtr& s : stms_) {
      if (is_sum(*s)) arrays_.emplace(s->pat[0].name, names_.fresh(s->pat[0].name));
    }
    for (size_t k = op_.body->results.size(); k-- > 0;) {
      const Name* n = whole_result(op_.body->results[k]);
      if (n && arrays_.contains(*n)) {
        arrays_.insert_or_assign(*n, s_.pat[k].name);
      } else {
        ++num_rest_;
      }
    }
  }

  void rest(Stms& out) {
    Pat pat;
    std::vector<Type> types;
    std::vector<KernelResult> results;
    for (size_t k = 0; k < op_.body->results.size(); ++k) {
      const Name* n = whole_result(op_.body->results[k]);
      if (n && arrays_.contains(*n)) {
        const Name& array = arrays_.at(*n);
        if (array == s_.pat[k].name) continue;
        Exp again = may_alias_ ? Exp(Atom{array}) : Exp(Replicate{{}, array});
        out.push_back(std::make_shared<const Stm>(Stm{{s_.pat[k]}, {}, s_.certs, again, s_.position}));
      } else {
        pat.push_back(s_.pat[k]);
        types.push_back(op_.types[k]);
        results.push_back(op_.body->results[k]);
      }
    }
    if (!results.empty()) out.push_back(segmap(pat, types, results, std::nullopt));
  }

  // Computes `results`; all sums but `own` are read from where they have been computed.
  StmPtr segmap(const Pat& pat, const std::vector<Type>& types, const std::vector<KernelResult>& results,
                const std::optional<Name>& own) {
    NameSet needed;
    for (const KernelResult& r : results) needed.merge(free_names(r));
    Stms read;
    std::vector<SubExp> at;
    for (const SegDim& d : op_.space.dims) at.emplace_back(d.index);
    for (auto s = stms_.rbegin(); s != stms_.rend(); ++s) {
      if (!binds_any(**s, needed)) continue;
      const PatElem& first = (*s)->pat[0];
      if (is_sum(**s) && first.name != own) {
        Index element{arrays_.at(first.name), row_slice(at, first.type)};
        read.push_back(std::make_shared<const Stm>(Stm{(*s)->pat, {}, {}, element, (*s)->position}));
      } else {
        needed.merge(free_names(**s));
        read.push_back(*s);
        kept_.insert(s->get());
      }
    }
    std::reverse(read.begin(), read.end());
    SegOp op{SegKind::Map, op_.level, op_.space, {}, {}, types, nullptr};
    op.body = std::make_shared<const KernelBody>(KernelBody{std::move(read), results});
    Substitution fresh;
    return std::make_shared<const Stm>(Stm{pat, s_.attrs, s_.certs, rename(names_, fresh, op), s_.position});
  }

  bool loses_asserts() const {
    return std::any_of(stms_.begin(), stms_.end(), [&](const StmPtr& s) {
      return std::holds_alternative<Assert>(s->exp) && !kept_.contains(s.get());
    });
  }

  const Stm& s_;
  const SegOp& op_;
  NameSource& names_;
  bool may_alias_;
  Stms stms_;
  std::unordered_map<Name, Name> arrays_;  // of sums, by the sums' names
  std::unordered_set<const Stm*> kept_;    // statements that some segmap contains
  size_t num_rest_ = 0;                    // results that are no sums
};

}  // namespace

std::optional<DistributedSums> distribute_sums(const Stm& s, NameSource& names, bool may_alias) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || !is_plain_map(*op)) return std::nullopt;
  return Distribute(s, *op, names, may_alias).run();
}

Result<Program> distribute_sums(const Program& program) {
  NameSource names(program.next_tag());
  auto distribute = [&](const Stm& s) {
    auto distributed = distribute_sums(s, names, false);
    if (!distributed) return just(s);
    Stms out = std::move(distributed->sums);
    out.insert(out.end(), distributed->rest.begin(), distributed->rest.end());
    return out;
  };
  StmExpander<decltype(distribute)> expander(distribute, false);
  Program out = program;
  out.constants = expander.stms(program.constants);
  for (FunDef& f : out.functions) f.body = expander.body(f.body);
  return out;
}

}  // namespace heddle::seg
