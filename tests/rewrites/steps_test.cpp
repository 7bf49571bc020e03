#include "rewrites/contraction/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/prim/algebra.h"
#include "rewrites/contraction/samples.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/nest/compare.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::contraction {
namespace {

using nest::Expr;
using poly::Polynomial;
using prim::Type;

// What goes wrong in a derivation, or nothing.
std::string problem(const Derivation& d, size_t num_samples = 100) {
  if (!d.stopped.empty()) return d.stopped;
  std::vector<Sample> all = samples(d);
  if (all.size() < 3) return "only " + std::to_string(all.size()) + " samples";
  all.resize(std::min(all.size(), num_samples));
  for (const Sample& s : all) {
    nest::Expected expected(d.direct.kernel, s, nest::Rounding::InAnyOrder);
    for (const Step& step : d.steps) {
      std::string difference = expected.difference(step.kernel);
      if (!difference.empty()) {
        return step.name + " of " + step.parameters + ": " + difference + " where " + to_text(s) + "\n" +
               nest::to_text(step.kernel);
      }
    }
    // A derivation says which steps it does without.
    if (!d.in_parts && d.left_out.empty()) return "no reduction in parts";
    if (!d.in_parts) continue;
    std::string difference = expected.difference({d.in_parts->first, d.in_parts->second});
    if (!difference.empty()) return "in parts: " + difference + " where " + to_text(s);
  }
  return "";
}

std::vector<std::string> names_of(const Derivation& d) {
  std::vector<std::string> names;
  for (const Step& s : d.steps) {
    if (names.empty() || names.back() != s.name) names.push_back(s.name);
  }
  return names;
}

TEST(Steps, Product) {
  NameSource names(1);
  examples::Example e = examples::product(names);
  Derivation d = derive(e.contraction, e.direct);
  EXPECT_EQ(problem(d), "");
  EXPECT_THAT(d.left_out, testing::IsEmpty());
  EXPECT_THAT(
      names_of(d),
      testing::ElementsAre("stripmine", "interchange", "predicate", "stripmine", "interchange", "distribute",
                           "interchange", "stripmine", "distribute", "interchange", "parallelize", "map_threads",
                           "block_reduction", "predicate_loads", "stage_to_shared", "stage_to_registers", "serpentine",
                           "store_through_shared", "slice_reduction", "pipeline", "prefetch", "vectorize"));
}

TEST(Steps, Convolution) {
  NameSource names(1);
  examples::Example e = examples::convolution(names);
  Derivation d = derive(e.contraction, e.direct);
  EXPECT_EQ(problem(d), "");
  EXPECT_EQ(d.steps.back().reached, "the kernel that runs");
}

// Loops, buffers and stores only.
std::string outline(const nest::Block& block, size_t depth = 0) {
  std::string text;
  auto line = [&](const std::string& what) { text += std::string(2 * depth, ' ') + what + "\n"; };
  for (const nest::Stmt& s : block) {
    if (const auto* f = std::get_if<nest::For>(&s->node)) {
      line("for " + f->index.base + (f->role == nest::Role::Serial ? "" : " " + std::string(nest::to_text(f->role))));
      text += outline(f->body, depth + 1);
    } else if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      text += outline(branch->then_body, depth);
    } else if (const auto* store = std::get_if<nest::Store>(&s->node)) {
      bool is_sum = nest::free_names(store->value).contains(store->buffer);
      line(store->buffer.base + (is_sum ? " +=" : " :="));
    } else if (const auto* alloc = std::get_if<nest::Alloc>(&s->node)) {
      line(alloc->buffer.name.base + std::string(alloc->buffer.dims.size(), '*'));
    } else if (std::holds_alternative<nest::Barrier>(s->node)) {
      line("barrier");
    } else if (const auto* copy = std::get_if<nest::AsyncCopy>(&s->node)) {
      line("copy to " + copy->to.base);
    }
  }
  return text;
}

// The nests of the thesis' figures, with `acc` for its tmp, a star for each dimension.
TEST(Steps, Figures) {
  NameSource names(1);
  examples::Example e = examples::convolution(names);
  Derivation d = derive(e.contraction, e.direct);
  std::map<std::string, std::string> reached;
  for (const Step& s : d.steps) {
    if (!s.reached.empty()) reached.emplace(s.reached, outline(s.kernel.body));
  }
  EXPECT_GOLDEN("rewrites/steps/figure_9.txt", reached["block tiles: figure 9"]);
  EXPECT_GOLDEN("rewrites/steps/figures_10_and_13.txt", reached["register tiles of y: figures 10 and 13"]);
  EXPECT_GOLDEN("rewrites/steps/figures_11_and_14.txt", reached["register tiles: figures 11 and 14"]);
  std::string rest;
  for (const Step& s : d.steps) {
    const auto& rewrites = schedule_rewrites();
    bool of_schedule = std::ranges::find(rewrites, s.name, &ScheduleRewrite::name) != rewrites.end();
    if (of_schedule) rest += "-- " + s.name + "\n" + outline(s.kernel.body);
  }
  EXPECT_GOLDEN("rewrites/steps/schedule.txt", rest);
}

// Whatever the nest after a step is compared with must be able to differ.
TEST(Steps, AWrongStepIsFound) {
  NameSource names(1);
  examples::Example e = examples::product(names);
  Derivation d = derive(e.contraction, e.direct);
  Step& unguarded = d.steps[3];  // without the test of the rows
  ASSERT_EQ(unguarded.name, "predicate");
  struct Always : nest::Rebuilder<Always> {
    void stmts(const nest::Stmt& s, nest::Block& out) {
      const auto* branch = std::get_if<nest::If>(&s->node);
      if (branch) {
        out.insert(out.end(), branch->then_body.begin(), branch->then_body.end());
      } else {
        Rebuilder::stmts(s, out);
      }
    }
  } always;
  always.body(unguarded.kernel.body);
  EXPECT_NE(problem(d), "");
}

// A product whose terms are fractions, of this type.
examples::Example fractions(Type type, NameSource& names) {
  examples::Example e = examples::product(names, {type});
  recognize::Contraction& c = e.contraction;
  c.term = nest::operation({prim::Family::FMul, type}, {c.term, nest::constant(prim::Value::of_float(type, 0.3))});
  return e;
}

// The parts of a sum of fractions are rounded in another order than the whole, but wrong parts are still found.
TEST(Steps, PartsOfSumsOfFractions) {
  for (Type type : {Type::F16, Type::F32, Type::F64}) {
    NameSource names(1);
    examples::Example e = fractions(type, names);
    Derivation d = derive(e.contraction, e.direct);
    ASSERT_TRUE(d.in_parts);
    std::vector<nest::Kernel> parts = {d.in_parts->first, d.in_parts->second};
    // One of the first kernel's loops with an iteration less.
    struct Shorter : nest::Rebuilder<Shorter> {
      int which;
      explicit Shorter(int which) : which(which) {}
      void stmts(const nest::Stmt& s, nest::Block& out) {
        const auto* f = std::get_if<nest::For>(&s->node);
        if (!f || which-- != 0) return Rebuilder::stmts(s, out);
        out.push_back(
            nest::stmt(nest::For{f->index, nest::sub(f->extent, nest::constant(int64_t{1})), f->role, f->body}));
      }
    };
    bool same_bits = true, same_terms = true;
    std::vector<bool> found(4, false);
    for (const Sample& s : samples(d)) {
      nest::Expected bits(d.direct.kernel, s), terms(d.direct.kernel, s, nest::Rounding::InAnyOrder);
      same_bits &= bits.difference(parts).empty();
      same_terms &= terms.difference(parts).empty();
      for (int which = 0; which < 4; ++which) {
        std::vector<nest::Kernel> wrong = parts;
        Shorter(which).body(wrong[0].body);
        found[static_cast<size_t>(which)] = found[static_cast<size_t>(which)] || !terms.difference(wrong).empty();
      }
    }
    EXPECT_FALSE(same_bits) << prim::name(type);
    EXPECT_TRUE(same_terms) << prim::name(type);
    EXPECT_THAT(found, testing::Each(true)) << prim::name(type);
  }
}

// All steps compute what the direct nest does. One index of the result and of the first
// operand, windows over it, and so on, drawn at random.
RC_GTEST_PROP(StepsProperty, RandomContractions, ()) {
  auto any = [](int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high); };
  NameSource names(1);
  std::vector<Name> scalars;
  auto scalar = [&](const std::string& base) {
    scalars.push_back(names.fresh(base));
    return scalars.back();
  };
  auto var = [](const Name& n) { return nest::var(n, Type::I64); };
  Type type = *rc::gen::element(Type::F32, Type::I32, Type::F64);
  bool is_float = prim::is_float(type);
  prim::Op reduce = *rc::gen::arbitrary<bool>() ? prim::Op(is_float ? prim::Family::FAdd : prim::Family::Add, type)
                                                : prim::Op(is_float ? prim::Family::FMax : prim::Family::SMax, type);
  Name sum = names.fresh("sum");
  recognize::Contraction c{
      {}, {}, {}, nullptr, reduce, *prim::neutral_element(reduce), sum, {{}, {}, nest::var(sum, type)}};
  for (int64_t k = any(1, 4); k > 0; --k) c.parallel.push_back({names.fresh("p"), var(scalar("np"))});
  for (int64_t k = any(1, 3); k > 0; --k) c.reduction.push_back({names.fresh("r"), var(scalar("nr"))});
  std::vector<nest::Buffer> buffers;
  auto add_buffer = [&](const std::string& base, size_t rank) -> const Name& {
    std::vector<Expr> dims;
    for (size_t d = 0; d < rank; ++d) dims.push_back(var(scalar("d")));
    std::vector<Expr> strides = nest::dense_strides(dims);
    buffers.push_back({names.fresh(base), c.neutral.type, nest::Space::Global, dims, strides});
    return buffers.back().name;
  };
  for (const char* base : {"a", "b"}) {
    recognize::Operand o{names.fresh(base), {}, type, {}, any(0, 4) == 0};
    for (const recognize::Index& p : c.parallel) {
      int64_t use = any(0, 4);
      if (use == 0) continue;  // the operand is used for all of them
      Polynomial index = Polynomial(use == 3 ? any(1, 4) : 1) * Polynomial::of(p.name);
      if (use >= 2) {
        const recognize::Index& r = c.reduction[static_cast<size_t>(any(0, static_cast<int64_t>(c.reduction.size())))];
        index = index + Polynomial(any(1, 3)) * Polynomial::of(r.name);
      }
      o.index.push_back(index);
    }
    for (const recognize::Index& r : c.reduction) {
      if (*rc::gen::arbitrary<bool>()) o.index.push_back(Polynomial::of(r.name));
    }
    o.buffer = add_buffer(base, o.index.size());
    c.operands.push_back(o);
  }
  prim::Op product(is_float ? prim::Family::FMul : prim::Family::Mul, type);
  c.term = nest::operation(product, {nest::var(c.operands[0].value, type), nest::var(c.operands[1].value, type)});
  for (const recognize::Index& p : c.parallel) c.result.index.push_back(var(p.name));
  c.result.buffer = add_buffer("out", c.parallel.size());
  nest::Kernel direct = examples::direct_kernel(c, scalars, buffers, names);
  Derivation d = derive(c, direct);
  RC_ASSERT(problem(d, 3) == "");
}

}  // namespace
}  // namespace heddle::contraction
