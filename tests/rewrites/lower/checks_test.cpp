// Which checks remain in the kernels of a program, and on what condition a contraction may do without them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/discharge.h"

namespace heddle {
namespace {

class Checks : public ::testing::Test {
 protected:
  Checks() {
    std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/checks.fut_gpu");
    std::stringstream text;
    text << file.rdbuf();
    Result<seg::Program> program = read_program(text.str(), "checks.fut_gpu");
    EXPECT_TRUE(program);
    Result<lower::LoweredProgram> lowered = compile_kernels(*program, true);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    lowered_ = std::move(*lowered);
  }

  // The only seg op of an entry point.
  const lower::Lowered& of(const std::string& entry) {
    for (const auto& [stm, lowered] : lowered_.kernels) {
      if (lowered.launches[0].kernel.name.starts_with("entry_" + entry)) return lowered;
    }
    throw std::runtime_error("no kernel of " + entry);
  }

  lower::LoweredProgram lowered_;
};

TEST_F(Checks, ClampedIndicesNeedNone) {
  const lower::Launch& launch = of("clamped").launches[0];
  EXPECT_FALSE(launch.can_fail);
  EXPECT_FALSE(nest::may_fail(launch.kernel.body));
}

TEST_F(Checks, IndicesFromMemoryNeedThem) {
  EXPECT_TRUE(of("gather").launches[0].can_fail);
  EXPECT_TRUE(nest::may_fail(of("gather").launches[0].kernel.body));
}

TEST_F(Checks, ArbitraryStridesNeedThemUnlessAGuardRulesOutOddOnes) {
  const lower::Lowered& strided = of("strided");
  EXPECT_TRUE(strided.launches[0].can_fail);
  ASSERT_TRUE(strided.specialized) << strided.why_not;
  EXPECT_FALSE(strided.specialized->launch.can_fail);
  const nest::Expr& guard = strided.specialized->guard;
  ASSERT_TRUE(guard);
  // Sizes n and k, stride s, and what the host computes from them.
  auto holds = [&](int64_t n, int64_t k, int64_t s) {
    std::unordered_map<nest::Name, prim::Value> values;
    for (const seg::FunDef& f : lowered_.program.functions) {
      if (!f.name.starts_with("entry_strided")) continue;
      const int64_t arguments[] = {n, k, 0, 0, s};
      for (size_t i = 0; i < f.params.size(); ++i) {
        if (f.params[i].type.is_scalar()) values.emplace(f.params[i].name, prim::Value::i64(arguments[i]));
      }
      for (const seg::StmPtr& stm : f.body->stms) {
        const auto* e = std::get_if<seg::PrimOp>(&stm->exp);
        if (!e) continue;
        std::vector<prim::Value> args;
        for (const seg::SubExp& a : e->args) {
          if (!a.is_var()) args.push_back(a.value());
          if (a.is_var() && values.contains(a.name())) args.push_back(values.at(a.name()));
        }
        std::optional<prim::Value> value = prim::eval(e->op, args);
        if (value) values.emplace(stm->pat[0].name, *value);
      }
    }
    std::optional<prim::Value> value = nest::evaluate(guard, values);
    EXPECT_TRUE(value) << nest::to_text(guard);
    return value && value->as_bool();
  };
  EXPECT_TRUE(holds(100, 3, 1));
  EXPECT_TRUE(holds(100, 3, 2));
  EXPECT_TRUE(holds(1 << 30, 1, 7));
  EXPECT_FALSE(holds(100, 3, -1));
  EXPECT_FALSE(holds(100, 3, INT64_MAX));
}

}  // namespace
}  // namespace heddle
