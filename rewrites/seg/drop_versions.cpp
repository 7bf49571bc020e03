#include "rewrites/seg/drop_versions.h"

#include <algorithm>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/version_in_place.h"

namespace heddle::seg {

namespace {

// Devices have a hundred multiprocessors and more.
constexpr int64_t kFewBlocks = 16;
// By which a version has more threads than the one in which each folds them by itself.
constexpr int64_t kFewElements = 16;

bool has_few_points(const SegSpace& space) {
  int64_t points = 1;
  for (const SegDim& d : space.dims) {
    const auto size = d.size.int_constant();
    if (!size || *size > kFewBlocks) return false;
    points *= *size;
  }
  return points <= kFewBlocks;
}

// Whether the host does nothing but go through the statements, and all that work in parallel are of that kind.
template <class Kind>
bool consists_of(const Body& body, Kind kind) {
  bool all = true, any = false;
  for_each_host_stm(body.stms, [&](const StmPtr& s) {
    const auto* op = std::get_if<SegOp>(&s->exp);
    bool controls = std::holds_alternative<Loop>(s->exp) || std::holds_alternative<Match>(s->exp) ||
                    std::holds_alternative<GpuBody>(s->exp) || std::holds_alternative<WithAcc>(s->exp);
    all &= !controls && (!op || kind(*op));
    any |= op != nullptr;
  });
  return all && any;
}

bool is_by_few_blocks(const Body& body) {
  return consists_of(body,
                     [](const SegOp& op) { return op.level.kind == LevelKind::Block && has_few_points(op.space); });
}

bool is_of_maps(const Body& body) {
  return consists_of(body,
                     [](const SegOp& op) { return op.level.kind == LevelKind::Thread && op.kind == SegKind::Map; });
}

// Whether all threads do that the other version's do not is to share sums and the like of a few elements.
bool shares_few_elements(const Body& body) {
  return consists_of(body, [](const SegOp& op) {
    const auto width = op.space.dims.back().size.int_constant();
    return op.level.kind == LevelKind::Thread && (op.kind == SegKind::Map || (width && *width <= kFewElements));
  });
}

}  // namespace

Result<Program> drop_versions(const Program& program) {
  return expand_host_stms(program, [](const Stm& s) {
    const auto* versions = std::get_if<Match>(&s.exp);
    if (!versions || versions->sort != MatchSort::Equiv || !versions->is_if()) return just(s);
    const Body &first = *versions->cases[0].body, &other = *versions->otherwise;
    if (s.certs.empty() && is_by_few_blocks(first) && is_of_maps(other)) return version_in_place(s, other);
    if (s.certs.empty() && is_of_maps(first) && !is_of_maps(other) && shares_few_elements(other))
      return version_in_place(s, first);
    return just(s);
  });
}

}  // namespace heddle::seg
