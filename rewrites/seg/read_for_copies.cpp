#include "rewrites/seg/read_for_copies.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/updates.h"

namespace heddle::seg {

namespace {

// Of what is copied; none for other statements.
std::optional<Name> copied(const Stm& s) {
  const auto* copy = std::get_if<Replicate>(&s.exp);
  const bool is_row = s.pat.size() == 1 && s.pat[0].type.is_array() && s.pat[0].type.dims.size() == 1;
  if (!copy || !copy->shape.empty() || !copy->value.is_var() || !is_row || !s.certs.empty()) return std::nullopt;
  return copy->value.name();
}

// Whether it reads elements and binds no name for the array, or a part of it.
bool only_reads(const Stm& s) {
  const bool scalars = std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_scalar(); });
  return std::holds_alternative<Screma>(s.exp) || std::holds_alternative<SegOp>(s.exp) ||
         (std::holds_alternative<Index>(s.exp) && scalars);
}

// Where the last statement is that mentions a copy; none where it is not only read.
std::optional<size_t> last_read(const Stms& stms, size_t copy, const std::vector<NameSet>& used) {
  const Name& name = stms[copy]->pat[0].name;
  size_t last = copy;
  for (size_t k = copy + 1; k < stms.size(); ++k) {
    if (!used[k].contains(name)) continue;
    if (!only_reads(*stms[k])) return std::nullopt;
    last = k;
  }
  return last;
}

template <class Results>
Stms reading(const Stms& stms, const Results& results) {
  if (std::ranges::none_of(stms, [](const StmPtr& s) { return copied(*s).has_value(); })) return stms;
  NameSet yielded;
  for (const auto& r : results) yielded.merge(free_names(r));
  std::vector<NameSet> used;
  for (const StmPtr& s : stms) used.push_back(free_names(*s));
  Substitution instead;
  Stms out;
  for (size_t i = 0; i < stms.size(); ++i) {
    const auto array = copied(*stms[i]);
    const auto last = array && !yielded.contains(stms[i]->pat[0].name) ? last_read(stms, i, used) : std::nullopt;
    const auto begin = stms.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (last && std::none_of(begin, stms.begin() + static_cast<std::ptrdiff_t>(*last) + 1,
                             [](const StmPtr& s) { return updates_any(*s); })) {
      auto of_another = instead.find(*array);
      instead.emplace(stms[i]->pat[0].name, of_another == instead.end() ? SubExp(*array) : of_another->second);
    } else {
      out.push_back(instead.empty() ? stms[i] : std::make_shared<const Stm>(substitute(instead, *stms[i])));
    }
  }
  return out;
}

class ReadForCopies {
 public:
  BodyPtr body(const BodyPtr& b) {
    const Stms within = stms(b->stms);
    return std::make_shared<const Body>(Body{reading(within, b->result), b->result});
  }
  KernelBodyPtr body(const KernelBodyPtr& b) {
    const Stms within = stms(b->stms);
    return std::make_shared<const KernelBody>(KernelBody{reading(within, b->results), b->results});
  }
  WithAccOp with_acc_op(const WithAccOp& op) { return {rebuild(*this, op.op), op.neutral}; }
  SubExp use(const SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

  Stms stms(const Stms& all) {
    Stms out;
    for (const StmPtr& s : all) out.push_back(std::make_shared<const Stm>(rebuild(*this, *s)));
    return out;
  }
};

}  // namespace

Result<Program> read_for_copies(const Program& program) {
  Program out = program;
  ReadForCopies read;
  for (FunDef& f : out.functions) f.body = read.body(f.body);
  return out;
}

}  // namespace heddle::seg
