#include "rewrites/seg/fold_of_map.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/overwrites_nothing.h"

namespace heddle::seg {

namespace {

constexpr int64_t kMostSteps = 32;

// Of a point: how many steps its loops take, if that is known; none where it does what a reduction's points should not.
class ShortLoops {
 public:
  explicit ShortLoops(const Stms& stms) { all(stms, 1); }
  bool suit() const { return suit_ && steps_ > 0 && steps_ <= kMostSteps; }

 private:
  void all(const Stms& stms, int64_t times) {
    for (const StmPtr& s : stms) one(s->exp, times);
  }

  void steps(const SubExp& width, const Stms& stms, int64_t times) {
    const auto constant = width.int_constant();
    suit_ &= constant && *constant <= kMostSteps;
    if (!suit_) return;
    steps_ += times * *constant;
    all(stms, times * *constant);
  }

  void one(const Exp& e, int64_t times) {
    if (const auto* soac = std::get_if<Screma>(&e)) {
      suit_ &= soac->scans.empty() && !soac->reduces.empty() &&
               std::ranges::all_of(soac->map.ret, [](const Type& t) { return t.is_scalar() && !t.is_acc(); });
      return steps(soac->width, soac->map.body->stms, times);
    }
    if (const auto* loop = std::get_if<Loop>(&e)) {
      const auto* counted = std::get_if<ForLoop>(&loop->form);
      suit_ &= counted &&
               std::ranges::all_of(loop->params, [](const Param& p) { return p.type.is_scalar() && !p.type.is_acc(); });
      if (suit_) steps(counted->bound, loop->body->stms, times);
      return;
    }
    if (const auto* match = std::get_if<Match>(&e)) {
      suit_ &= std::ranges::all_of(match->ret, [](const Type& t) { return t.is_scalar() && !t.is_acc(); });
      for (const Case& c : match->cases) all(c.body->stms, times);
      return all(match->otherwise->stms, times);
    }
    suit_ &= std::holds_alternative<Index>(e) || std::holds_alternative<PrimOp>(e) || std::holds_alternative<Atom>(e) ||
             std::holds_alternative<Apply>(e);
  }

  bool suit_ = true;
  int64_t steps_ = 0;
};

bool is_of_points(const Stm& s) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Map || op->level.kind != LevelKind::Thread) return false;
  const bool scalars = std::ranges::all_of(op->types, [](const Type& t) { return t.is_scalar() && !t.is_acc(); });
  const bool plain = std::ranges::all_of(op->body->results, [](const KernelResult& r) {
    const auto* returns = std::get_if<Returns>(&r);
    return returns && returns->certs.empty();
  });
  return scalars && plain && s.certs.empty() && ShortLoops(op->body->stms).suit() &&
         !free_names(*op->body).contains(op->space.flat);
}

struct Uses {
  std::unordered_map<Name, int> count;
  void use(const Name& n) { ++count[n]; }
  void bind(const Name&) {}
};

class FoldOfMap : public HostCodeAlone {
 public:
  FoldOfMap(const Uses& uses, NameSource& names) : uses_(uses), names_(names) {}

  Stms stms(const Stms& stms) {
    Stms out;
    for (const StmPtr& s : stms) {
      Stm changed = runs_on_device(s->exp) ? *s : rebuild(*this, *s);
      const auto* op = std::get_if<SegOp>(&changed.exp);
      if (op && op->kind == SegKind::Red && op->level.kind == LevelKind::Thread) changed.exp = reduction(*op);
      if (!overwrites_nothing(changed.exp)) known_.clear();
      out.push_back(std::make_shared<const Stm>(std::move(changed)));
      remember(out.back());
    }
    std::erase_if(out, [&](const StmPtr& s) {
      return !s->pat.empty() && std::ranges::all_of(s->pat, [&](const PatElem& p) { return gone_.contains(p.name); });
    });
    return out;
  }

  BodyPtr body(const BodyPtr& b) {
    auto outside = std::exchange(known_, {});
    BodyPtr result = std::make_shared<const Body>(Body{stms(b->stms), b->result});
    known_ = std::move(outside);
    return result;
  }
  using HostCodeAlone::body;

 private:
  struct Source {
    StmPtr map;
    size_t result;
    std::optional<Name> also;  // by which it is known, too
  };

  void remember(const StmPtr& s) {
    if (is_of_points(*s)) {
      for (size_t k = 0; k < s->pat.size(); ++k) known_.insert_or_assign(s->pat[k].name, Source{s, k, {}});
    }
    const auto* atom = std::get_if<Atom>(&s->exp);
    if (!atom || !atom->value.is_var()) return;
    auto found = known_.find(atom->value.name());
    if (found == known_.end()) return;
    const Source source = found->second;
    found->second.also = s->pat[0].name;
    known_.insert_or_assign(s->pat[0].name, Source{source.map, source.result, {}});
  }

  // The result of which each point of the reduction reads its own element.
  const Source* source(const Stm& s, const SegOp& op) const {
    const auto* read = std::get_if<Index>(&s.exp);
    const auto found = read ? known_.find(read->array) : known_.end();
    if (found == known_.end() || !s.certs.empty()) return nullptr;
    const std::vector<SegDim>& there = std::get<SegOp>(found->second.map->exp).space.dims;
    if (there.size() != read->slice.size() || there.size() != op.space.dims.size()) return nullptr;
    for (size_t d = 0; d < there.size(); ++d) {
      const auto* at = std::get_if<DimFix>(&read->slice[d]);
      if (!at || at->index != SubExp(op.space.dims[d].index) || there[d].size != op.space.dims[d].size) return nullptr;
    }
    return &found->second;
  }

  // Whether the reduction's points read all that is read of the map.
  bool read_here_alone(const Stm& map, const std::unordered_map<Name, int>& reads) const {
    return std::ranges::all_of(known_, [&](const auto& known) {
      const auto& [name, source] = known;
      if (source.map.get() != &map) return true;
      const auto uses = uses_.count.find(name), here = reads.find(name);
      const int all = uses == uses_.count.end() ? 0 : uses->second;
      return all == (here == reads.end() ? 0 : here->second) + (source.also ? 1 : 0);
    });
  }

  SegOp reduction(const SegOp& op) {
    std::unordered_map<Name, int> reads;
    for (const StmPtr& s : op.body->stms) {
      if (source(*s, op)) ++reads[std::get<Index>(s->exp).array];
    }
    auto body = std::make_shared<KernelBody>(*op.body);
    body->stms.clear();
    std::unordered_map<const Stm*, Substitution> computed;  // the maps that are computed here, and what their names are
    for (const StmPtr& s : op.body->stms) {
      const Source* from = source(*s, op);
      if (!from || !read_here_alone(*from->map, reads)) {
        body->stms.push_back(s);
        continue;
      }
      const auto& map = std::get<SegOp>(from->map->exp);
      auto [known, is_new] = computed.try_emplace(from->map.get());
      if (is_new) {
        for (size_t d = 0; d < map.space.dims.size(); ++d)
          known->second.insert_or_assign(map.space.dims[d].index, op.space.dims[d].index);
        const Stms points = rename(names_, known->second, map.body->stms);
        body->stms.insert(body->stms.end(), points.begin(), points.end());
        for (const auto& [name, source] : known_) {
          if (source.map == from->map) gone_.insert(name);
        }
      }
      Atom value{substitute(known->second, std::get<Returns>(map.body->results[from->result]).value)};
      body->stms.push_back(std::make_shared<const Stm>(Stm{s->pat, s->attrs, s->certs, std::move(value), s->position}));
    }
    if (computed.empty()) return op;
    SegOp result = op;
    result.body = std::move(body);
    return result;
  }

  const Uses& uses_;
  NameSource& names_;
  std::unordered_map<Name, Source> known_;
  NameSet gone_;
};

}  // namespace

Program fold_of_map(const Program& program, NameSource& names) {
  Program out = program;
  for (FunDef& function : out.functions) {
    Uses uses;
    walk(uses, function.body);
    FoldOfMap fold(uses, names);
    function.body = fold.body(function.body);
  }
  return out;
}

Result<Program> fold_of_map(const Program& program) {
  NameSource names(program.next_tag());
  return fold_of_map(program, names);
}

}  // namespace heddle::seg
