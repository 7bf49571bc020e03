#include "rewrites/seg/point_update.h"

#include <algorithm>
#include <utility>

#include "rewrites/seg/builder.h"

namespace heddle::seg {

namespace {

const Stm* binder_of(const Stms& stms, const SubExp& value) {
  for (const StmPtr& s : stms) {
    for (const PatElem& p : s->pat) {
      if (value == SubExp(p.name)) return s.get();
    }
  }
  return nullptr;
}

NameSet bound_in(const KernelBody& body) {
  struct Binders {
    NameSet names;
    void use(const Name&) {}
    void bind(const Name& n) { names.insert(n); }
  } binders;
  walk(binders, body);
  return binders.names;
}

class Flatten {
 public:
  Flatten(const SegOp& op, const std::unordered_set<Name>& iotas) : op_(op), bound_(bound_in(*op.body)), iotas_(iotas) {
    flat_.dims = op.space.dims;
  }

  std::optional<PointUpdate> run(const KernelResult& result) {
    const auto* returns = std::get_if<Returns>(&result);
    if (!returns || !returns->certs.empty()) return std::nullopt;
    const Stm* s = binder_of(op_.body->stms, returns->value);
    if (!s || !into(*s, returns->value) || !finds_place()) return std::nullopt;
    if (bound_.contains(flat_.update.acc)) return std::nullopt;
    std::erase_if(flat_.certs, [&](const Name& c) { return bound_.contains(c); });
    return flat_;
  }

 private:
  // The statement that yields an accumulator; renames `flat_.update.acc` on the way out to what the points have.
  bool into(const Stm& s, const SubExp& result) {
    flat_.certs.insert(flat_.certs.end(), s.certs.begin(), s.certs.end());
    if (const auto* update = std::get_if<UpdateAcc>(&s.exp)) {
      flat_.update = *update;
      return true;
    }
    const auto* map = std::get_if<Screma>(&s.exp);
    const bool updates_only = std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_acc(); });
    return map && map->scans.empty() && map->reduces.empty() && updates_only && into(s, *map, result);
  }

  bool into(const Stm& s, const Screma& map, const SubExp& result) {
    if (map.width.is_var() && bound_.contains(map.width.name())) return false;
    const auto at = static_cast<size_t>(
        std::ranges::find_if(s.pat, [&](const PatElem& p) { return result == SubExp(p.name); }) - s.pat.begin());
    const SubExpRes& inner = map.map.body->result[at];
    const Stm* last = binder_of(map.map.body->stms, inner.value);
    if (!last || !inner.certs.empty()) return false;
    elements(map);
    for (const StmPtr& step : map.map.body->stms) {
      if (step.get() != last) flat_.steps.push_back(step);
    }
    if (!into(*last, inner.value)) return false;
    for (size_t k = 0; k < map.arrays.size(); ++k) {
      if (map.map.params[k].name == flat_.update.acc) {
        flat_.update.acc = map.arrays[k];
        return true;
      }
    }
    return false;
  }

  // A dimension for a map's steps, and the elements that they take.
  void elements(const Screma& map) {
    const std::vector<Param>& params = map.map.params;
    std::optional<Name> index;
    for (size_t k = 0; k < params.size() && !index; ++k) {
      if (iotas_.contains(map.arrays[k])) index = params[k].name;
    }
    // Any name that the map binds will do where it takes no numbers: the accumulator's is used no more.
    for (size_t k = 0; k < params.size() && !index; ++k) {
      if (params[k].type.is_acc()) index = params[k].name;
    }
    flat_.dims.push_back({*index, map.width});
    for (size_t k = 0; k < params.size(); ++k) {
      const Param& p = params[k];
      if (p.name == *index || p.type.is_acc()) continue;
      Index element{map.arrays[k], row_slice({SubExp(*index)}, p.type)};
      Exp value = iotas_.contains(map.arrays[k]) ? Exp(Atom{SubExp(*index)}) : Exp(std::move(element));
      flat_.steps.push_back(std::make_shared<const Stm>(Stm{{{p.name, p.type}}, {}, {}, std::move(value), {}}));
    }
  }

  bool finds_place() {
    for (const SubExp& x : flat_.update.index) {
      if (!x.is_var()) continue;
      const auto dim = std::ranges::find(flat_.dims, x.name(), &SegDim::index);
      const auto at = static_cast<size_t>(dim - flat_.dims.begin());
      if (std::ranges::find(flat_.place, at) != flat_.place.end()) return false;
      if (dim != flat_.dims.end()) {
        flat_.place.push_back(at);
      } else if (x.name() == op_.space.flat || bound_.contains(x.name())) {
        return false;
      }
    }
    return true;
  }

  const SegOp& op_;
  NameSet bound_;
  const std::unordered_set<Name>& iotas_;
  PointUpdate flat_;
};

}  // namespace

std::optional<PointUpdate> point_update(const SegOp& op, size_t result, const std::unordered_set<Name>& iotas) {
  if (op.kind != SegKind::Map || op.level.kind != LevelKind::Thread || !op.types[result].is_acc()) return std::nullopt;
  return Flatten(op, iotas).run(op.body->results[result]);
}

bool has_own_places(const PointUpdate& u) { return u.place.size() == u.dims.size(); }

}  // namespace heddle::seg
