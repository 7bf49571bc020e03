#include "rewrites/plan/compare_versions.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/seg/host_stms.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/contraction/structure.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/reads_across.h"
#include "rewrites/recipes/seg_of_expr.h"
#include "rewrites/recipes/team_ops.h"

namespace heddle::lower {

seg::NameSet bound_within(const seg::Body& body) {
  seg::NameSet bound;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    for (const seg::PatElem& p : s->pat) bound.insert(p.name);
    const auto* loop = std::get_if<seg::Loop>(&s->exp);
    if (!loop) return;
    for (const seg::Param& p : loop->params) bound.insert(p.name);
    if (const auto* counted = std::get_if<seg::ForLoop>(&loop->form)) bound.insert(counted->index);
  });
  return bound;
}

bool is_contraction(const Plans& plans, const seg::Body& body) {
  int contractions = 0, others = 0;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end() || it->second.finishes_contractions) return;
    const Plan& plan = it->second;
    bool is_contraction = !plan.specialized.empty() || (plan.match && contraction::is_filter(*plan.match));
    ++(is_contraction ? contractions : others);
  });
  return contractions > 0 && others == 0;
}

bool is_better_reduced(const Plans& plans, const seg::NameSet& changing, const seg::Body& contractions,
                       const seg::Body& other) {
  auto reads_once = [&](const Specialized& way) {
    if (contraction::reads_rows_once(way.match, way.launch.kernel.buffers)) return true;
    return contraction::least_reuse(way.match) == 1 &&
           std::ranges::any_of(host_sizes(way.match, way.launch), [&](const Name& n) { return changing.contains(n); });
  };
  bool rows = true, reduced = false, by_threads = true;
  seg::for_each_host_stm(contractions.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end() || it->second.finishes_contractions) return;
    const std::vector<Specialized>& ways = it->second.specialized;
    const bool by_one_index = it->second.match && it->second.match->reduction.size() == 1;
    rows = rows && by_one_index && !ways.empty() && reads_once(ways.back());
  });
  seg::for_each_host_stm(other.stms, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    reduced |= op && op->kind == seg::SegKind::Red;
    by_threads &= !op || op->level.kind == seg::LevelKind::Thread;
  });
  return rows && reduced && by_threads;
}

std::vector<seg::SubExp> unsplit_steps(const Plans& plans, const seg::Body& contraction) {
  std::vector<seg::SubExp> steps;
  seg::for_each_host_stm(contraction.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end() || it->second.finishes_contractions || it->second.specialized.empty()) return;
    const std::vector<Specialized>& ways = it->second.specialized;
    const recognize::Contraction& match = ways.back().match;
    if (std::ranges::any_of(ways, [](const Specialized& w) { return w.parts.has_value(); })) return;
    const nest::Kernel& kernel = ways.back().launch.kernel;
    const std::vector<bool> window = contraction::structure_of(match, kernel.buffers).window;
    if (match.reduction.size() > 1 && std::ranges::find(window, true) != window.end()) return;
    std::vector<seg::SubExp> factors;
    for (const recognize::Index& r : match.reduction) {
      const nest::Expr extent = nest::substitute(host_values(ways.back().launch), r.extent);
      if (const auto* name = std::get_if<nest::Var>(&extent->node)) factors.emplace_back(name->name);
      if (auto number = nest::int_constant(extent)) factors.push_back(seg::i64(*number));
    }
    if (!factors.empty()) steps = std::move(factors);
  });
  const seg::NameSet within = bound_within(contraction);
  const bool known =
      std::ranges::none_of(steps, [&](const seg::SubExp& n) { return n.is_var() && within.contains(n.name()); });
  return known ? steps : std::vector<seg::SubExp>{};
}

namespace {

// Steps of a point from which it pays to store what a contraction makes, which blocks keep to themselves.
constexpr int64_t kManySteps = 64;
// Of a point, that lie far apart for neighbours: more than a block reads to rearrange them. And kernels that take no longer than that.
constexpr int64_t kReadsOfColumn = 4, kFewKernels = 3;
// Of a device of some hundred multiprocessors; and elements for which a block takes longer than kernels of all threads take to start.
constexpr int64_t kFewBlocks = 66, kManyElements = 8192;
// From so many elements on, one after the other, rows are better gone through by blocks. H200, f32, 50000 rows, threads and blocks: softmax of 100 58 and
// 43 us, of 40 26 and 35; layer norms of 100 61 and 43; the greatest of 100 36 and 38, of 70 22 and 31, 40000 of 256 144 and 38.
constexpr int64_t kLongRow = 96;

bool is_by_blocks(const Plans& plans, const seg::Body& body) {
  bool any = false, all = true;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end()) return;
    any = true;
    all &= it->second.team_bytes.has_value();
  });
  return any && all;
}

// How many steps all points together take of contractions in one body that each take many, if the other body has blocks of threads do all it does.
std::optional<nest::Expr> contracted_steps(const Plans& plans, const seg::Body& by_blocks, const seg::Body& other) {
  if (!is_by_blocks(plans, by_blocks)) return std::nullopt;
  const seg::NameSet bound = bound_within(other);
  std::optional<nest::Expr> most;
  seg::for_each_host_stm(other.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end() || it->second.specialized.empty()) return;
    const Specialized& way = it->second.specialized.back();
    auto known = [&](const nest::Expr& e) { return nest::substitute(host_values(way.launch), e); };
    const nest::Expr points = known(product_of_extents(way.match.parallel)),
                     steps = known(product_of_extents(way.match.reduction));
    const nest::Expr many = nest::less(nest::constant(kManySteps - 1), steps);
    const nest::Expr all = nest::select(many, nest::mul(points, steps), nest::constant(int64_t{0}));
    if (std::ranges::any_of(nest::free_names(all), [&](const Name& n) { return bound.contains(n); })) return;
    most = most ? nest::max(*most, all) : all;
  });
  return most;
}

bool launches_any(const Plans& plans, const seg::StmPtr& s) {
  bool any = false;
  seg::for_each_host_stm({s}, [&](const seg::StmPtr& inner) { any |= plans.contains(inner.get()); });
  return any;
}

// Whether all of a version, or of the first of the two that it chooses from, is done by blocks of threads.
bool begins_with_blocks(const Plans& plans, const seg::Body& body) {
  for (const seg::StmPtr& s : body.stms) {
    const auto* match = std::get_if<seg::Match>(&s->exp);
    if (match && launches_any(plans, s)) return match->is_if() && is_by_blocks(plans, *match->cases[0].body);
  }
  return is_by_blocks(plans, body);
}

// How long the rows are that the first operation by blocks goes through, if all that it does is of one length that is known before.
std::optional<seg::SubExp> width_of_teams(const Plans& plans, const seg::Body& body) {
  if (!begins_with_blocks(plans, body)) return std::nullopt;
  seg::StmPtr first;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (!first && it != plans.end() && it->second.team_bytes) first = s;
  });
  const auto* op = first ? std::get_if<seg::SegOp>(&first->exp) : nullptr;
  if (!op) return std::nullopt;
  std::optional<seg::SubExp> width;
  for (const seg::SegOp* together : team_ops(op->body->stms)) {
    const std::vector<seg::SegDim>& dims = together->space.dims;
    if (dims.size() != 1 || (width && *width != dims[0].size)) return std::nullopt;
    width = dims[0].size;
  }
  if (width && width->is_var() && !seg::free_names(*first).contains(width->name())) return std::nullopt;
  return width;
}

nest::Expr number(const seg::SubExp& n) {
  return n.is_var() ? nest::var(n.name(), prim::Type::I64) : nest::constant(n.value());
}

nest::Expr points_of(const seg::SegSpace& space) {
  nest::Expr all = nest::constant(int64_t{1});
  for (const seg::SegDim& d : space.dims) all = nest::mul(all, number(d.size));
  return all;
}

bool are_known(const nest::Expr& e, const seg::NameSet& bound) {
  return std::ranges::none_of(nest::free_names(e), [&](const Name& n) { return bound.contains(n); });
}

// How many elements the largest operation within a block makes, as far as they are known before it. Rows of scalars are no longer than a block, which the host's
// compiler asks for.
std::optional<nest::Expr> elements_of_block(const seg::Stm& s, const seg::SegOp& op) {
  const seg::NameSet outside = seg::free_names(s);
  std::optional<nest::Expr> most;
  for (const seg::SegOp* together : team_ops(op.body->stms)) {
    const std::vector<seg::Dim> row = together->types.empty() ? std::vector<seg::Dim>{} : together->types[0].dims;
    if (together->space.dims.size() + row.size() == 1) continue;
    nest::Expr elements = points_of(together->space);
    for (const seg::Dim& d : row) elements = nest::mul(elements, number(d.size()));
    if (std::ranges::any_of(nest::free_names(elements), [&](const Name& n) { return !outside.contains(n); })) continue;
    most = most ? nest::max(*most, elements) : elements;
  }
  return most;
}

// Points of a version's largest operation.
std::optional<nest::Expr> most_points(const Plans& plans, const seg::Body& body) {
  const seg::NameSet bound = bound_within(body);
  std::optional<nest::Expr> most;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    auto it = plans.find(s.get());
    if (!op || it == plans.end() || it->second.team_bytes) return;
    const nest::Expr points = points_of(op->space);
    if (are_known(points, bound)) most = most ? nest::max(*most, points) : points;
  });
  return most;
}

// How many elements each block makes at a time that the other version has a thread for, where there are so few blocks that most of a device is idle; else 0.
std::optional<nest::Expr> elements_of_few_blocks(const Plans& plans, const seg::Body& by_blocks,
                                                 const seg::Body& other) {
  const std::optional<nest::Expr> points = most_points(plans, other);
  if (!points || !is_by_blocks(plans, by_blocks)) return std::nullopt;
  const seg::NameSet bound = bound_within(by_blocks);
  std::optional<nest::Expr> most;
  seg::for_each_host_stm(by_blocks.stms, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    const auto elements = op && plans.contains(s.get()) ? elements_of_block(*s, *op) : std::nullopt;
    if (!elements) return;
    const nest::Expr blocks = points_of(op->space);
    const nest::Expr each = nest::min(*elements, nest::div(*points, nest::max(blocks, nest::constant(int64_t{1}))));
    const nest::Expr of_few =
        nest::select(nest::less(blocks, nest::constant(kFewBlocks)), each, nest::constant(int64_t{0}));
    if (are_known(of_few, bound)) most = most ? nest::max(*most, of_few) : of_few;
  });
  return most;
}

// How much memory of their own the blocks of a version need, if only sizes tell, in bytes.
std::optional<nest::Expr> bytes_of_blocks(const Plans& plans, const seg::Body& body) {
  std::optional<nest::Expr> most;
  seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end() || !it->second.team_bytes || nest::int_constant(*it->second.team_bytes)) return;
    most = most ? nest::max(*most, *it->second.team_bytes) : *it->second.team_bytes;
  });
  if (!most) return std::nullopt;
  return are_known(*most, bound_within(body)) ? most : std::nullopt;
}

// What a number of the host is beside another one, and the name of whether it is.
struct Question {
  const char* name;
  seg::SubExp number;
  prim::Family is;
  int64_t other;
};

// The condition together with a question, under the name of what the version suits then.
seg::SubExp joined(const seg::SubExp& condition, prim::Family how, const Question& question, const char* suits,
                   seg::Builder& b) {
  const seg::Type truth = seg::Type::scalar(prim::Type::Bool);
  Name holds = b.let(question.name, truth,
                     seg::PrimOp{prim::Op(question.is, prim::Type::I64), {question.number, seg::i64(question.other)}});
  return b.let(suits, truth, seg::PrimOp{prim::Op(how, prim::Type::Bool), {condition, holds}});
}

}  // namespace

bool reads_columns_by_blocks(const Plans& plans, const seg::Body& by_blocks, const seg::Body& other) {
  if (!is_by_blocks(plans, by_blocks)) return false;
  struct Reads {
    ReadsApart apart;
    int64_t kernels = 0;
    bool by_threads = true;
  };
  auto reads_of = [&](const seg::Body& body) {
    Reads all;
    seg::for_each_host_stm(body.stms, [&](const seg::StmPtr& s) {
      all.by_threads &= !std::holds_alternative<seg::Loop>(s->exp);
      auto it = plans.find(s.get());
      if (it == plans.end() || it->second.launches.empty()) return;
      all.by_threads &= !it->second.team_bytes;
      ReadsApart most;  // of kernels that take each other's place, or come before
      for (const Launch& launch : it->second.launches) {
        const ReadsApart apart = reads_apart(launch.kernel);
        most = {std::max(most.surely, apart.surely), std::max(most.perhaps, apart.perhaps)};
      }
      all.apart.surely += most.surely;
      all.apart.perhaps += most.perhaps;
      ++all.kernels;
    });
    return all;
  };
  const Reads blocks = reads_of(by_blocks), threads = reads_of(other);
  if (!threads.by_threads || threads.kernels == 0 || threads.kernels > kFewKernels) return false;
  return blocks.apart.surely >= kReadsOfColumn && 2 * threads.apart.perhaps <= blocks.apart.surely;
}

std::optional<LongSegments> rows_for_blocks(const Plans& plans, const seg::Body& by_threads, const seg::Body& other) {
  int64_t apart = 0;
  bool alone = true;
  seg::for_each_host_stm(by_threads.stms, [&](const seg::StmPtr& s) {
    auto it = plans.find(s.get());
    if (it == plans.end()) return;
    alone &= it->second.recipe == "direct" && it->second.specialized.empty() && !it->second.team_bytes;
    for (const Launch& launch : it->second.launches) apart += reads_apart(launch.kernel).surely;
  });
  if (!alone || apart < kReadsOfColumn) return std::nullopt;
  const std::optional<seg::SubExp> width = width_of_teams(plans, other);
  if (!width || (width->is_var() && bound_within(other).contains(width->name()))) return std::nullopt;
  return LongSegments{*width, kLongRow};
}

seg::SubExp and_shorter(const seg::SubExp& condition, const LongSegments& segments, seg::Builder& b) {
  const Question shorter{"shorter", segments.width, prim::Family::Slt, segments.elements};
  return joined(condition, prim::Family::LogAnd, shorter, "suits_threads", b);
}

seg::SubExp or_few(const seg::SubExp& condition, const std::vector<seg::SubExp>& steps, seg::Builder& b) {
  constexpr int64_t kFew = 32, kEnough = 1 << 15;  // whose products do not overflow
  seg::SubExp all = steps[0];
  for (size_t k = 1; k < steps.size(); ++k)
    all = b.mul(b.min(all, seg::i64(kEnough)), b.min(steps[k], seg::i64(kEnough)));
  return joined(condition, prim::Family::LogOr, {"few_steps", all, prim::Family::Sle, kFew}, "suits_threads", b);
}

seg::SubExp and_suits_blocks(seg::SubExp condition, const Plans& plans, const seg::Body& by_blocks,
                             const seg::Body& other, seg::Builder& b) {
  constexpr int64_t kMostShared = 227 * 1024, kLittleWork = 1 << 22;
  auto and_at_most = [&](const std::optional<nest::Expr>& number, int64_t most) {
    if (!number) return;
    const Question within{"within", seg_of(*number, {}, b), prim::Family::Sle, most};
    condition = joined(condition, prim::Family::LogAnd, within, "suits_blocks", b);
  };
  and_at_most(bytes_of_blocks(plans, by_blocks), kMostShared);
  and_at_most(contracted_steps(plans, by_blocks, other), kLittleWork);
  and_at_most(elements_of_few_blocks(plans, by_blocks, other), kManyElements);
  return condition;
}

}  // namespace heddle::lower
