#include "rewrites/points/carried.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/points/where_made.h"

namespace heddle::lower {

namespace {

std::optional<size_t> param_of(const seg::Loop& loop, const Name& name) {
  const auto p = std::ranges::find_if(loop.params, [&](const seg::Param& q) { return q.name == name; });
  return p == loop.params.end() ? std::nullopt : std::optional(static_cast<size_t>(p - loop.params.begin()));
}

std::optional<size_t> param_of(const seg::Loop& loop, const seg::SubExp& e) {
  return e.is_var() ? param_of(loop, e.name()) : std::nullopt;
}

bool is_proper_array(const seg::Type& type) { return type.is_array() && !type.is_acc(); }

int times_used(const Name& name, const seg::BodyPtr& body) {
  struct Count {
    const Name& name;
    int times = 0;
    void use(const Name& n) { times += n == name ? 1 : 0; }
    void bind(const Name&) {}
  } count{name};
  seg::walk(count, body);
  return count.times;
}

// Whether that is all that the points of a segmap read of the array, of which they make one anew.
bool remakes_own_element(const seg::SegOp& op, size_t result, const Name& array) {
  if (op.kind != seg::SegKind::Map || !std::holds_alternative<seg::Returns>(op.body->results[result])) return false;
  for (const seg::StmPtr& s : op.body->stms) {
    const auto* read = std::get_if<seg::Index>(&s->exp);
    if (!read || read->array != array) continue;
    return std::ranges::equal(read->slice, op.space.dims, [](const seg::DimIndex& i, const seg::SegDim& d) {
      const auto* fixed = std::get_if<seg::DimFix>(&i);
      return fixed && fixed->index == seg::SubExp(d.index);
    });
  }
  return false;
}

bool made_anew(const seg::Loop& loop, size_t param) {
  if (!is_proper_array(loop.params[param].type)) return false;
  const WhereMade made = where_made(*loop.body, loop.body->result[param].value);
  return !made.outside && !made.names.empty();
}

// Of each array the one in whose memory its next value lies, if that is another of the same type, and nobody else's does.
std::vector<std::optional<size_t>> memory_of_next(const seg::Loop& loop) {
  const std::vector<bool> same = unchanged(loop);
  auto dims = [&](size_t k) {
    std::vector<seg::Dim> all = loop.params[k].type.dims;
    for (seg::Dim& d : all) {
      const std::optional<size_t> size = d.is_ext() ? std::nullopt : param_of(loop, d.size());
      if (size && same[*size]) d = seg::Dim(loop.inits[*size]);
    }
    return all;
  };
  std::vector<std::optional<size_t>> found(loop.params.size());
  for (size_t k = 0; k < found.size(); ++k) {
    if (!is_proper_array(loop.params[k].type)) continue;
    const WhereMade made = where_made(*loop.body, loop.body->result[k].value);
    const std::optional<size_t> from = made.outside ? param_of(loop, *made.outside) : std::nullopt;
    if (from && loop.params[*from].type.elem == loop.params[k].type.elem && dims(*from) == dims(k)) found[k] = from;
  }
  std::vector<std::optional<size_t>> alone = found;
  for (size_t k = 0; k < found.size(); ++k) {
    if (found[k] == k || (found[k] && std::ranges::count(found, found[k]) > 1)) alone[k] = std::nullopt;
  }
  return alone;
}

}  // namespace

std::vector<bool> unchanged(const seg::Loop& loop) {
  std::vector<bool> same(loop.params.size());
  for (size_t k = 0; k < same.size(); ++k) same[k] = loop.params[k].type.is_acc() || loop.params[k].type.is_scalar();
  auto stays = [&](size_t k) {
    if (loop.params[k].type.is_acc()) return true;
    const std::optional<size_t> next = param_of(loop, loop.body->result[k].value);
    return next == k || (next && same[*next] && loop.inits[*next] == loop.inits[k]);
  };
  for (bool again = true; again;) {
    again = false;
    for (size_t k = 0; k < same.size(); ++k) {
      if (!same[k] || stays(k)) continue;
      same[k] = false;
      again = true;
    }
  }
  return same;
}

bool made_over_itself(const seg::BodyPtr& body, const seg::SubExp& result, const Name& old) {
  if (!result.is_var() || times_used(old, body) != 1) return false;
  for (const seg::StmPtr& s : body->stms) {
    const auto made = std::ranges::find_if(s->pat, [&](const seg::PatElem& p) { return p.name == result.name(); });
    if (made == s->pat.end()) continue;
    const auto k = static_cast<size_t>(made - s->pat.begin());
    if (const auto* op = std::get_if<seg::SegOp>(&s->exp)) return remakes_own_element(*op, k, old);
    const auto* map = std::get_if<seg::Screma>(&s->exp);
    if (!map || !map->scans.empty() || !map->reduces.empty()) return false;
    const auto read = std::ranges::find(map->arrays, old);
    if (read == map->arrays.end()) return false;
    const Name& element = map->map.params[static_cast<size_t>(read - map->arrays.begin())].name;
    return map->map.ret[k].is_scalar() || made_over_itself(map->map.body, map->map.body->result[k].value, element);
  }
  return false;
}

std::vector<ChangingPlaces> changing_places(const seg::Loop& loop) {
  const size_t n = loop.params.size();
  const std::vector<std::optional<size_t>> from = memory_of_next(loop);
  std::vector<bool> is_taken(n), done(n);
  for (const std::optional<size_t>& f : from) {
    if (f) is_taken[*f] = true;
  }
  std::vector<ChangingPlaces> all;
  auto follow = [&](size_t first) {
    ChangingPlaces group{{}, false};
    std::optional<size_t> k = first;
    for (; k && !done[*k]; k = from[*k]) {
      done[*k] = true;
      group.params.push_back(*k);
    }
    group.is_new = !k && made_anew(loop, group.params.back());
    if (k || group.is_new) all.push_back(std::move(group));
  };
  for (size_t k = 0; k < n; ++k) {
    if (!is_taken[k]) follow(k);
  }
  for (size_t k = 0; k < n; ++k) {
    if (!done[k]) follow(k);
  }
  return all;
}

namespace {

bool is_made_anew_alone(const seg::Loop& loop, size_t param) {
  return std::ranges::any_of(changing_places(loop), [&](const ChangingPlaces& g) {
    return g.is_new && g.params.size() == 1 && g.params[0] == param;
  });
}

}  // namespace

std::vector<Name> handed_to_loops(const seg::Loop& loop, size_t param) {
  if (!is_proper_array(loop.params[param].type)) return {};
  std::vector<Name> names = {loop.params[param].name};
  for (const seg::StmPtr& s : loop.body->stms) {
    const auto* inner = std::get_if<seg::Loop>(&s->exp);
    const auto init =
        inner ? std::ranges::find(inner->inits, seg::SubExp(names.back())) : decltype(inner->inits.begin()){};
    if (!inner || init == inner->inits.end()) continue;
    const auto k = static_cast<size_t>(init - inner->inits.begin());
    const bool alike = inner->params[k].type.dims == loop.params[param].type.dims;
    if (times_used(names.back(), loop.body) != 1 || !alike || !is_made_anew_alone(*inner, k)) return {};
    names.push_back(s->pat[k].name);
  }
  return names.size() > 1 && loop.body->result[param].value == seg::SubExp(names.back()) ? names : std::vector<Name>{};
}

}  // namespace heddle::lower
