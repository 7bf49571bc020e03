#include "rewrites/recipes/stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/nest/buffers.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/choices.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/factor_sums.h"
#include "rewrites/nest/unused.h"
#include "rewrites/recipes/host_checks.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// The point's indices in the order in which a store has them; each once. Among them may be what is the same for all points.
std::vector<recognize::Index> order_of(const nest::Store& store, const std::vector<recognize::Index>& indices,
                                       const std::vector<nest::ScalarParam>& parameters) {
  auto is_fixed = [&](const Expr& e) {
    return std::ranges::all_of(nest::free_names(e), [&](const Name& n) {
      return std::ranges::find(parameters, n, &nest::ScalarParam::name) != parameters.end();
    });
  };
  std::vector<recognize::Index> order;
  for (const Expr& e : store.index) {
    const auto* v = std::get_if<nest::Var>(&e->node);
    auto found = v ? std::ranges::find(indices, v->name, &recognize::Index::name) : indices.end();
    if (found != indices.end()) {
      order.push_back(*found);
    } else if (!is_fixed(e)) {
      refuse("a result is stored elsewhere than at its point");
    }
  }
  if (order.size() != indices.size()) refuse("a point has several elements");
  for (size_t d = 0; d < order.size(); ++d) {
    for (size_t e = 0; e < d; ++e) {
      if (order[d].name == order[e].name) refuse("a result is stored elsewhere than at its point");
    }
  }
  return order;
}

// Each result is stored once, in any case, and not read.
void check_updates(const StageCode& code) {
  struct Count : nest::Walker<Count> {
    const std::vector<Name>& results;
    size_t stores = 0, loads = 0;
    explicit Count(const std::vector<Name>& results) : results(results) {}
    void expr(const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      loads += load && std::ranges::find(results, load->buffer) != results.end();
      Walker::expr(e);
    }
    void stmt(const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      stores += store && std::ranges::find(results, store->buffer) != results.end();
      Walker::stmt(s);
    }
  } count(code.results);
  count.body(code.work);
  bool each_once = count.stores == code.results.size();
  for (size_t k = 0; k < code.results.size(); ++k) {
    each_once &= std::ranges::count(code.results, code.results[k]) == 1;
    each_once &= std::ranges::any_of(code.work, [&](const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      return store && store->buffer == code.results[k];
    });
  }
  if (!each_once || count.loads > 0) refuse("it updates an array elsewhere than at its points");
}

bool same(const std::vector<recognize::Index>& a, const std::vector<recognize::Index>& b) {
  return std::ranges::equal(a, b, {}, &recognize::Index::name, &recognize::Index::name);
}

void check_statements(const nest::Block& work) {
  nest::for_each_stmt(work, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    bool own = !alloc || alloc->buffer.space == nest::Space::Register;
    if (!own || std::holds_alternative<nest::AtomicUpdate>(s->node) || std::holds_alternative<nest::Locked>(s->node) ||
        std::holds_alternative<nest::Barrier>(s->node))
      refuse("its points have to do with each other");
  });
}

// Division of floats by anything but a power of two: a loop of multiplications, and a branch.
bool is_float_division(const nest::Operation& o) {
  if (o.op.family != prim::Family::FDiv) return false;
  const auto* by = std::get_if<nest::Const>(&o.args[1]->node);
  int exponent = 0;
  return !by || std::abs(std::frexp(by->value.f, &exponent)) != 0.5;
}

struct CountOperations : nest::Walker<CountOperations> {
  const std::vector<nest::Buffer>& arrays;
  int64_t plain = 0, dear = 0, loads = 0, times = 1;

  explicit CountOperations(const std::vector<nest::Buffer>& arrays) : arrays(arrays) {}

  void expr(const Expr& e) {
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (load && std::ranges::find(arrays, load->buffer, &nest::Buffer::name) != arrays.end()) loads += times;
    const auto* o = std::get_if<nest::Operation>(&e->node);
    bool is_call = std::holds_alternative<nest::Call>(e->node);
    if ((o || is_call) && e->type != prim::Type::I64 && e->type != prim::Type::Bool)
      (is_call || is_float_division(*o) ? dear : plain) += times;
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    std::optional<int64_t> steps = loop ? nest::int_constant(loop->extent) : std::nullopt;
    if (std::holds_alternative<nest::While>(s->node) || (loop && !steps))
      refuse("a point runs a loop whose length is not known");
    if (!loop) return Walker::stmt(s);
    int64_t outer = std::exchange(times, times * std::max<int64_t>(*steps, 0));
    body(loop->body);
    times = outer;
  }
};

StageCode code_of(const seg::Stm& stm, const Points& points) {
  if (!points.seen) refuse(points.why_not_seen);
  StageCode code;
  code.work = nest::with_choices(points.seen->work);
  code.launch = points.seen->launch;
  code.looked_through = points.direct.looked_through;
  check_statements(code.work);
  code.results.resize(stm.pat.size());
  code.places.resize(stm.pat.size());
  for (size_t k = 0; k < stm.pat.size(); ++k) {
    if (const auto* updated = std::get_if<UpdatedResult>(&points.direct.results.at(k))) {
      code.updates = true;
      code.results[k] = updated->array;
    }
    if (stm.pat[k].type.elem == prim::Type::Unit) refuse("a result has no memory");
    code.arrays.push_back(stm.pat[k].name);
  }
  for (size_t b = 0; b < code.launch.buffer_args.size(); ++b) {
    const auto* result = std::get_if<ResultArray>(&code.launch.buffer_args[b]);
    if (result) code.results.at(static_cast<size_t>(result->index)) = code.launch.kernel.buffers[b].name;
  }
  nest::for_each_stmt(code.work, [&](const nest::Stmt& s) {
    const auto* store = std::get_if<nest::Store>(&s->node);
    if (!store || std::ranges::find(code.results, store->buffer) == code.results.end()) return;
    std::vector<recognize::Index> order = order_of(*store, points.seen->indices, code.launch.kernel.scalars);
    if (!code.indices.empty() && !same(order, code.indices)) refuse("its results lie differently");
    code.indices = std::move(order);
    auto k = static_cast<size_t>(std::ranges::find(code.results, store->buffer) - code.results.begin());
    code.places[k] = store->index;
  });
  if (code.indices.empty()) refuse("it stores nothing");
  if (!code.updates) return code;
  check_updates(code);
  // How the array lies is not known, but its threads are to be neighbours as before.
  if (!same(code.indices, points.seen->indices)) refuse("its results lie differently");
  return code;
}

// Other stages' results under the names that these give them, each once.
void use_first_names(StageCode& code, const StageArrays& arrays) {
  nest::Substitution names;
  std::vector<nest::Buffer>& buffers = code.launch.kernel.buffers;
  for (size_t b = 0; b < buffers.size();) {
    auto it = arrays.find(buffers[b].name);
    if (it == arrays.end() || it->second == buffers[b].name) {
      ++b;
      continue;
    }
    names.emplace(buffers[b].name, nest::var(it->second, buffers[b].elem));
    if (std::ranges::find(buffers, it->second, &nest::Buffer::name) == buffers.end()) {
      buffers[b].name = it->second;
      code.launch.buffer_args[b++] = HostArray{it->second};
    } else {
      buffers.erase(buffers.begin() + static_cast<long>(b));
      code.launch.buffer_args.erase(code.launch.buffer_args.begin() + static_cast<long>(b));
    }
  }
  if (!names.empty()) code.work = nest::substitute(names, code.work);
}

}  // namespace

const Name* same_array(const seg::Stm& stm) {
  if (stm.pat.size() != 1 || !stm.pat[0].type.is_array()) return nullptr;
  if (const auto* atom = std::get_if<seg::Atom>(&stm.exp)) return atom->value.is_var() ? &atom->value.name() : nullptr;
  const auto* reshape = std::get_if<seg::Reshape>(&stm.exp);
  return reshape && reshape->coerce ? &reshape->array : nullptr;
}

void look_into_work(StageCode& code, const std::function<bool(const Name&)>& is_stage, nest::Facts& facts,
                    NameSource& names) {
  CountOperations operations(code.launch.kernel.buffers);
  operations.body(code.work);
  code.operations = operations.plain;
  code.dear_operations = operations.dear;
  code.loads = operations.loads;
  facts.look_again();
  code.inside = inside_of(code.work, code.indices, code.launch.kernel, facts);
  facts.look_again();
  std::vector<nest::Buffer> read;
  for (const nest::Buffer& b : code.launch.kernel.buffers) {
    if (std::ranges::find(code.results, b.name) == code.results.end()) read.push_back(b);
  }
  recognize::Reads reads = recognize::find_windows(code.indices, code.work, read, facts);
  code.elsewhere.clear();
  for (recognize::OtherRead& r : reads.others) {
    if (is_stage(r.buffer)) code.elsewhere.push_back(std::move(r));
  }
  code.reads = std::move(reads.windowed);
  facts.look_again();
  code.beyond = recognize::beyond_borders(code.indices, code.work, code.reads, read, facts, names);
  code.beyond.work = nest::without_unused(code.beyond.work);
}

std::variant<StageCode, std::string> stage_of(const seg::Stm& stm, Points& points, const StageArrays& others,
                                              NameSource& names) {
  try {
    StageCode code = code_of(stm, points);
    if (!code.updates) use_first_names(code, others);
    points.facts.scope([&] {
      tell_indices(points.facts, code.indices);
      if (nest::may_fail(code.work)) {
        auto checked = checks_by_host(code.work, code.indices, code.launch, points.facts);
        if (!checked) refuse("its points may fail");
        code.work = std::move(checked->work);
        code.checks = std::move(checked->checks);
      }
      code.work = nest::factor_sums(code.work, names);
      look_into_work(
          code, [&](const Name& n) { return others.contains(n); }, points.facts, names);
    });
    return code;
  } catch (const Refused& r) {
    if (r.error.kind == ErrorKind::Internal) throw;
    return r.error.message;
  }
}

void test_all_borders(StageCode& code) { code.inside = {code.work, std::vector<int64_t>(code.indices.size(), 0), {}}; }

stencil::Stage for_models(const StageCode& code) {
  stencil::Stage stage;
  stage.name = code.arrays[0].text();
  stage.element_bytes.clear();
  for (const Name& r : code.results) {
    const nest::Buffer& b = nest::buffer_named(code.launch.kernel.buffers, r);
    stage.element_bytes.push_back(prim::size_bytes(b.elem));
  }
  for (const StageFold& f : code.folds)
    std::fill_n(stage.element_bytes.begin() + static_cast<long>(f.first), f.count, 0);
  stage.alu_ops = code.operations;
  stage.sfu_ops = code.dear_operations;
  stage.has_borders =
      !code.inside.limits.empty() || std::ranges::any_of(code.inside.margin, [](int64_t m) { return m > 0; });
  return stage;
}

}  // namespace heddle::lower
