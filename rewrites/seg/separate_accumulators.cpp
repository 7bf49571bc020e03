#include "rewrites/seg/separate_accumulators.h"

#include <optional>

#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/own_memory.h"

namespace heddle::seg {

namespace {

// Which of a body's results depend on which of its parameters, by number: parameter k and result k are the old and the
// new value of the same accumulator, and accumulators are in the same group if one's new value needs the other.
class Groups {
 public:
  explicit Groups(size_t count) {
    for (size_t k = 0; k < count; ++k) group_of_.push_back(k);
  }

  void join(size_t a, size_t b) {
    size_t from = group_of_[a], to = group_of_[b];
    std::replace(group_of_.begin(), group_of_.end(), from, to);
  }

  std::vector<std::vector<size_t>> all() const {
    std::vector<std::vector<size_t>> groups(group_of_.size());
    for (size_t k = 0; k < group_of_.size(); ++k) groups[group_of_[k]].push_back(k);
    std::erase_if(groups, [](const auto& g) { return g.empty(); });
    return groups;
  }

 private:
  std::vector<size_t> group_of_;
};

// The part of a body that some of its results need.
Body part(const Body& body, const std::vector<size_t>& results) {
  Body out;
  NameSet needed;
  for (size_t k : results) {
    out.result.push_back(body.result[k]);
    needed.merge(free_names(body.result[k]));
  }
  out.stms = needed_stms(body.stms, needed);
  return out;
}

BodyPtr shared(Body body) { return std::make_shared<const Body>(std::move(body)); }

// Whether the parts contain all that may fail.
bool keeps_asserts(const Body& whole, const std::vector<Body>& parts) {
  return std::all_of(whole.stms.begin(), whole.stms.end(), [&](const StmPtr& s) {
    return !std::holds_alternative<Assert>(s->exp) || std::any_of(parts.begin(), parts.end(), [&](const Body& p) {
      return std::find(p.stms.begin(), p.stms.end(), s) != p.stms.end();
    });
  });
}

// Joins accumulators where a new value needs another's old one; `params[j]` belongs to accumulator j % count.
Groups groups_of(const Body& body, const std::vector<Param>& params, size_t count) {
  Groups groups(count);
  for (size_t k = 0; k < count; ++k) {
    NameSet needed = free_names(body.result[k]);
    needed_stms(body.stms, needed);
    for (size_t j = 0; j < params.size(); ++j) {
      if (needed.contains(params[j].name)) groups.join(k, j % count);
    }
  }
  return groups;
}

bool are_scalars(const std::vector<Type>& types) {
  return std::all_of(types.begin(), types.end(), [](const Type& t) { return t.is_scalar(); });
}

std::vector<Type> types_of(const std::vector<Param>& params) {
  std::vector<Type> types;
  for (const Param& p : params) types.push_back(p.type);
  return types;
}

class Separate {
 public:
  explicit Separate(NameSource& names) : names_(names) {}

  Stms stms(const Stm& s) {
    if (const auto* loop = std::get_if<Loop>(&s.exp)) return loops(s, *loop);
    if (const auto* soac = std::get_if<Screma>(&s.exp)) return reductions(s, *soac);
    return just(s);
  }

 private:
  Stms loops(const Stm& s, const Loop& loop) {
    if (!std::holds_alternative<ForLoop>(loop.form) || !are_scalars(types_of(loop.params))) return just(s);
    auto groups = groups_of(*loop.body, loop.params, loop.params.size()).all();
    if (groups.size() < 2) return just(s);
    std::vector<Body> parts;
    for (const auto& g : groups) parts.push_back(part(*loop.body, g));
    if (!keeps_asserts(*loop.body, parts)) return just(s);
    Stms out;
    for (size_t i = 0; i < groups.size(); ++i) {
      Loop of_group{{}, {}, loop.form, shared(parts[i])};
      for (size_t k : groups[i]) {
        of_group.params.push_back(loop.params[k]);
        of_group.inits.push_back(loop.inits[k]);
      }
      add(out, s, groups[i], of_group);
    }
    return out;
  }

  // A reduction's operator takes all old values, then all elements, which are the map's results.
  Stms reductions(const Stm& s, const Screma& soac) {
    size_t count = 0;
    std::vector<size_t> begin;  // of each operator's accumulators
    for (const ReduceOp& r : soac.reduces) {
      begin.push_back(count);
      count += r.neutral.size();
      if (!are_scalars(r.lambda.ret)) return just(s);
    }
    if (!soac.scans.empty() || soac.map.body->result.size() != count) return just(s);
    std::vector<Part> parts;
    std::vector<Body> operators, maps;
    for (size_t r = 0; r < soac.reduces.size(); ++r) {
      const ReduceOp& op = soac.reduces[r];
      operators.clear();
      for (const auto& g : groups_of(*op.lambda.body, op.lambda.params, op.neutral.size()).all()) {
        operators.push_back(part(*op.lambda.body, g));
        parts.push_back({r, begin[r], g, operators.back(), {}});
      }
      if (!keeps_asserts(*op.lambda.body, operators)) return just(s);
    }
    if (parts.size() < 2) return just(s);
    const Lambda map = with_own_memory(soac.map, names_);
    for (Part& p : parts) {
      p.map = part(*map.body, p.numbers());
      maps.push_back(p.map);
    }
    if (!keeps_asserts(*map.body, maps)) return just(s);
    Stms out;
    for (const Part& p : parts) add(out, s, p.numbers(), reduction(soac, p));
    return out;
  }

  struct Part {
    size_t reduce;              // the number of the operator
    size_t begin;               // the number of its first accumulator in the SOAC
    std::vector<size_t> group;  // accumulators of the operator
    Body op, map;
    std::vector<size_t> numbers() const {
      std::vector<size_t> all;
      for (size_t k : group) all.push_back(begin + k);
      return all;
    }
  };

  static Screma reduction(const Screma& soac, const Part& p) {
    const ReduceOp& op = soac.reduces[p.reduce];
    Screma out{soac.width, {}, {{}, {}, shared(p.map)}, {}, {}};
    NameSet used = free_names(out.map.body);
    for (size_t a = 0; a < soac.arrays.size(); ++a) {
      if (!used.contains(soac.map.params[a].name)) continue;
      out.arrays.push_back(soac.arrays[a]);
      out.map.params.push_back(soac.map.params[a]);
    }
    ReduceOp of_group{op.commutative, {{}, {}, shared(p.op)}, {}};
    for (size_t half : {size_t{0}, op.neutral.size()}) {
      for (size_t k : p.group) of_group.lambda.params.push_back(op.lambda.params[half + k]);
    }
    for (size_t k : p.group) {
      of_group.lambda.ret.push_back(op.lambda.ret[k]);
      of_group.neutral.push_back(op.neutral[k]);
      out.map.ret.push_back(soac.map.ret[p.begin + k]);
    }
    out.reduces.push_back(std::move(of_group));
    return out;
  }

  // `exp` computes those of the statement's values, under names of its own.
  template <class T>
  void add(Stms& out, const Stm& s, const std::vector<size_t>& values, const T& exp) {
    Pat pat;
    for (size_t k : values) pat.push_back(s.pat[k]);
    Substitution fresh;
    out.push_back(std::make_shared<const Stm>(Stm{pat, s.attrs, s.certs, rename(names_, fresh, exp), s.position}));
  }

  NameSource& names_;
};

}  // namespace

Stms separate_accumulators(const Stms& stms, NameSource& names) {
  Separate separate(names);
  auto expand = [&](const Stm& s) { return separate.stms(s); };
  return StmExpander<decltype(expand)>(expand, true).stms(stms);
}

Result<Program> separate_accumulators(const Program& program) {
  NameSource names(program.next_tag());
  Program out = program;
  out.constants = separate_accumulators(program.constants, names);
  for (FunDef& f : out.functions) {
    f.body = std::make_shared<const Body>(Body{separate_accumulators(f.body->stms, names), f.body->result});
  }
  return out;
}

}  // namespace heddle::seg
