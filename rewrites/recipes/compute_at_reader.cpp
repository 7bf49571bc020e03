#include "rewrites/recipes/compute_at_reader.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/choices.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/parameters.h"
#include "rewrites/recipes/strip_code.h"

namespace heddle::lower {

using nest::Expr;

namespace {

struct CountReads : nest::Walker<CountReads> {
  const StageCode& producer;
  int64_t reads = 0, times = 1;

  explicit CountReads(const StageCode& producer) : producer(producer) {}

  void expr(const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (load && std::ranges::find(producer.arrays, load->buffer) != producer.arrays.end()) reads += times;
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop) return Walker::stmt(s);
    int64_t outer = std::exchange(times, times * nest::int_constant(loop->extent).value_or(1));
    body(loop->body);
    times = outer;
  }
};

bool loads(const Expr& e) {
  bool found = false;
  nest::for_each_expr(e, [&](const Expr& part) { found |= std::holds_alternative<nest::Load>(part->node); });
  return found;
}

// Puts the producer's point before each statement that reads an element, once where several read of the same point.
struct ComputeThere : nest::Rebuilder<ComputeThere> {
  const StageCode& producer;
  NameSource& names;

  ComputeThere(const StageCode& producer, NameSource& names) : producer(producer), names(names) {}

  void stmts(const nest::Stmt& s, nest::Block& out) {
    const auto* let = std::get_if<nest::Let>(&s->node);
    const auto* store = std::get_if<nest::Store>(&s->node);
    const Expr* read = let ? &let->value : store ? &store->value : nullptr;
    const auto* load = read ? std::get_if<nest::Load>(&(*read)->node) : nullptr;
    auto array = load ? std::ranges::find(producer.arrays, load->buffer) : producer.arrays.end();
    if (array == producer.arrays.end()) {
      if (let && std::holds_alternative<nest::Var>(let->value->node))
        same.insert_or_assign(let->name, nest::substitute(same, let->value));
      return Rebuilder::stmts(s, out);
    }
    Expr value = element(static_cast<size_t>(array - producer.arrays.begin()), load->index, out);
    out.push_back(let ? nest::stmt(nest::Let{let->name, value})
                      : nest::stmt(nest::Store{store->buffer, store->index, value}));
  }

  void body(nest::Block& b) {
    const size_t outside = computed.size();
    Rebuilder::body(b);
    computed.resize(outside);
  }

 private:
  struct Computed {
    std::vector<std::optional<Expr>> point;  // by dimension of the producer
    std::vector<Name> values;                // by result
  };

  // The element of the producer's result `k`, after the statements that compute it.
  Expr element(size_t k, const std::vector<Expr>& at, nest::Block& out) {
    nest::Block point;
    Computed here{std::vector<std::optional<Expr>>(producer.indices.size()), {}};
    bool changes = false;
    for (size_t d = 0; d < at.size(); ++d) {
      const auto* index = std::get_if<nest::Var>(&producer.places[k][d]->node);
      auto own =
          index ? std::ranges::find(producer.indices, index->name, &recognize::Index::name) : producer.indices.end();
      if (own == producer.indices.end()) continue;
      point.push_back(nest::stmt(nest::Let{index->name, at[d]}));
      here.point[static_cast<size_t>(own - producer.indices.begin())] = nest::substitute(same, at[d]);
      changes |= loads(at[d]);
    }
    auto is_here = [&](const Computed& c) {
      return std::ranges::equal(c.point, here.point, [](const std::optional<Expr>& a, const std::optional<Expr>& b) {
        return a && b && nest::equal(*a, *b);
      });
    };
    const auto known = std::ranges::find_if(computed, is_here);
    if (known != computed.end()) return nest::load(known->values[k], element_type(producer, k), {});
    Places kept;
    for (size_t r = 0; r < producer.results.size(); ++r) {
      Name name = names.fresh(producer.arrays[r]);
      out.push_back(nest::stmt(nest::Alloc{{name, element_type(producer, r), nest::Space::Register, {}, {}}}));
      kept.emplace(producer.results[r], Place{name, {}, std::vector<Expr>{}});
      here.values.push_back(name);
    }
    nest::Block work = redirected(producer.work, kept);
    point.insert(point.end(), work.begin(), work.end());
    point = nest::renamed(point, nest::bound_in(point), names);
    out.insert(out.end(), point.begin(), point.end());
    const Name value = here.values[k];
    // What registers tell may be another point further on.
    if (!changes) computed.push_back(std::move(here));
    return nest::load(value, element_type(producer, k), {});
  }

  std::vector<Computed> computed;  // in this block and around it
  nest::Substitution same;         // names for others
};

}  // namespace

int64_t reads_of(const StageCode& reader, const StageCode& producer) {
  CountReads count(producer);
  count.body(reader.work);
  return count.reads;
}

std::optional<StageCode> computing(const StageCode& reader, const StageCode& producer, const HostFacts& host,
                                   const std::function<bool(const Name& array)>& is_stage, NameSource& names) {
  StageCode code = reader;
  code.computes_others = true;
  ComputeThere(producer, names).body(code.work);
  if (reads_of(code, producer) > 0) return std::nullopt;
  code.launch.kernel.buffers.clear();
  code.launch.kernel.scalars.clear();
  code.launch.buffer_args.clear();
  code.launch.scalar_args.clear();
  nest::NameSet used = nest::free_names(code.work);
  for (const recognize::Index& i : code.indices) used.merge(nest::free_names(i.extent));
  take_parameters(code.launch, std::move(used), {&reader.launch, &producer.launch});
  const int first = static_cast<int>(reader.launch.failures.size());
  code.launch.failures.insert(code.launch.failures.end(), producer.launch.failures.begin(),
                              producer.launch.failures.end());
  // The producer's points, and their failures, come first.
  std::vector<HostCheck> checks = producer.checks;
  for (HostCheck& c : checks) c.failure += first;
  code.checks.insert(code.checks.begin(), checks.begin(), checks.end());
  code.looked_through.insert(code.looked_through.end(), producer.looked_through.begin(), producer.looked_through.end());
  nest::Facts facts(names, [&](const Name& n) { return host.definition(n); });
  host.tell(facts);
  for (const nest::Buffer& b : code.launch.kernel.buffers) {
    if (std::ranges::find(code.results, b.name) == code.results.end()) facts.constant_buffer(b.name);
  }
  facts.scope([&] {
    tell_indices(facts, code.indices);
    code.work = nest::discharge(nest::with_choices(code.work), facts);
    look_into_work(code, is_stage, facts, names);
  });
  return code;
}

}  // namespace heddle::lower
