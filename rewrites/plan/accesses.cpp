#include "rewrites/plan/accesses.h"

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Definitions in definitions that are looked through.
constexpr int kMostDefinitions = 16;
constexpr size_t kLargestIndex = 64;  // nodes from which on no more are

bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::ranges::equal(a, b, [](const Expr& x, const Expr& y) { return nest::to_text(x) == nest::to_text(y); });
}

// Indices that say which thread it is, not which point.
nest::NameSet thread_indices(const nest::Kernel& kernel) {
  nest::NameSet threads;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (loop && loop->role != nest::Role::Serial && loop->role != nest::Role::Unrolled) threads.insert(loop->index);
  });
  return threads;
}

size_t size_of(const Expr& e) {
  size_t nodes = 0;
  nest::for_each_expr(e, [&](const Expr&) { ++nodes; });
  return nodes;
}

class Collector : public nest::Walker<Collector> {
 public:
  Collector(const nest::Kernel& kernel, const std::unordered_map<Name, Name>& arrays) : arrays_(arrays) {
    const nest::NameSet threads = thread_indices(kernel);
    nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
      const auto* let = std::get_if<nest::Let>(&s->node);
      if (!let) return;
      bool of_threads =
          std::ranges::any_of(nest::free_names(let->value), [&](const Name& n) { return threads.contains(n); });
      if (!of_threads) definitions_.emplace(let->name, let->value);
    });
    body(kernel.body);
  }

  void expr(const Expr& e) {
    if (const auto* load = std::get_if<nest::Load>(&e->node)) add(load->buffer, load->index, false);
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    if (const auto* store = std::get_if<nest::Store>(&s->node)) add(store->buffer, store->index, true);
    if (const auto* update = std::get_if<nest::AtomicUpdate>(&s->node)) add(update->buffer, update->index, true);
    Walker::stmt(s);
  }

  std::vector<Access> found;

 private:
  void add(const Name& buffer, const std::vector<Expr>& index, bool writes) {
    auto array = arrays_.find(buffer);
    if (array == arrays_.end()) return;
    auto at =
        std::ranges::find_if(found, [&](const Access& a) { return a.array == array->second && a.writes == writes; });
    if (at == found.end()) at = found.insert(found.end(), {array->second, writes, {}});
    std::vector<Expr> element;
    for (const Expr& e : index) {
      Expr plain = without_definitions(e);
      auto polynomial = nest::from_expr(plain, nest::no_definition);
      element.push_back(polynomial ? nest::to_expr(*polynomial) : plain);
    }
    if (std::ranges::none_of(at->elements, [&](const auto& known) { return same(known, element); }))
      at->elements.push_back(std::move(element));
  }

  // Over loop indices, points' indices and host scalars.
  Expr without_definitions(Expr e) const {
    for (int round = 0; round < kMostDefinitions && size_of(e) < kLargestIndex; ++round) {
      Expr next = nest::substitute(definitions_, e);
      if (next == e) break;
      e = std::move(next);
    }
    return e;
  }

  const std::unordered_map<Name, Name>& arrays_;
  nest::Substitution definitions_;
};

class Counter : public nest::Walker<Counter> {
 public:
  explicit Counter(const nest::Kernel& kernel) {
    for (const nest::Buffer& b : kernel.buffers) global_.insert(b.name);
    work.push_back({});
    body(kernel.body);
  }

  void expr(const Expr& e) {
    if (const auto* load = std::get_if<nest::Load>(&e->node)) work[at_].loads += global_.contains(load->buffer) ? 1 : 0;
    bool counts = std::holds_alternative<nest::Operation>(e->node) || std::holds_alternative<nest::Call>(e->node);
    if (counts && e->type != prim::Type::I64 && e->type != prim::Type::Bool) ++work[at_].operations;
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    if (const auto* store = std::get_if<nest::Store>(&s->node))
      work[at_].stores += global_.contains(store->buffer) ? 1 : 0;
    if (const auto* update = std::get_if<nest::AtomicUpdate>(&s->node))
      work[at_].stores += global_.contains(update->buffer) ? 1 : 0;
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop || loop->role != nest::Role::Serial) return Walker::stmt(s);
    size_t outer = std::exchange(at_, work.size());
    work.push_back({loop->extent});
    body(loop->body);
    at_ = outer;
  }

  std::vector<Work> work;

 private:
  nest::NameSet global_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Access> accesses(const Plan& plan, const std::vector<Name>& results) {
  if (plan.launches.empty()) return {};
  const Launch& launch = plan.launches[0];
  std::unordered_map<Name, Name> arrays;
  for (size_t i = 0; i < launch.buffer_args.size(); ++i) {
    const Name& buffer = launch.kernel.buffers[i].name;
    if (const auto* host = std::get_if<HostArray>(&launch.buffer_args[i])) arrays.emplace(buffer, host->name);
    if (const auto* result = std::get_if<ResultArray>(&launch.buffer_args[i]))
      arrays.emplace(buffer, results.at(static_cast<size_t>(result->index)));
  }
  return Collector(launch.kernel, arrays).found;
}

std::vector<Work> work_of(const Plan& plan) {
  return plan.launches.empty() ? std::vector<Work>{} : Counter(plan.launches[0].kernel).work;
}

}  // namespace heddle::lower
