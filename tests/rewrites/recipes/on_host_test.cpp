// What kernels compute of their parameters alone becomes a parameter.
#include "rewrites/recipes/on_host.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"

namespace heddle::lower {
namespace {

using nest::Expr;
using prim::Type;

// Of a host that has h and w where the kernel has n and m; strides of arrays are not known by expressions.
Launch launch_of(const std::string& statements) {
  auto kernel = nest::read_kernel("kernel small(n_1: i64, m_2: i64, stride_3: i64, out_4: global i64[n_1]) {\n" +
                                  statements + "\n}\n");
  EXPECT_TRUE(static_cast<bool>(kernel)) << kernel.error().message;
  Launch launch;
  launch.kernel = *kernel;
  launch.scalar_args = {nest::var(Name{"h", 11}, Type::I64), nest::var(Name{"w", 12}, Type::I64),
                        StrideOf{Name{"a", 13}, 0}};
  return launch;
}

TEST(OnHost, WhatIsWorthAParameterBecomesOne) {
  NameSource names(100);
  const Launch before = launch_of(
      "  for i_5 in n_1 (block) {\n"
      "    if i_5 < min(n_1 - 5, m_2 * 2) {\n"
      "      out_4[i_5] := min(n_1 - 5, m_2 * 2) + i_5;\n"
      "    }\n"
      "    out_4[i_5] := n_1 - 1 + i_5 + min(stride_3, 7);\n"
      "  }");
  const Launch after = with_known_on_host(before, names);
  ASSERT_EQ(after.kernel.scalars.size(), 4u);
  ASSERT_EQ(after.scalar_args.size(), 4u);
  EXPECT_EQ(nest::to_text(std::get<Expr>(after.scalar_args[3])), "min(h_11 - 5, w_12 * 2)");
  const Name& known = after.kernel.scalars[3].name;
  const std::string text = nest::to_text(after.kernel);
  const std::string name = known.base + "_" + std::to_string(known.tag);
  EXPECT_NE(text.find("if i_5 < " + name), std::string::npos) << text;
  EXPECT_NE(text.find(name + " + i_5"), std::string::npos) << text;
  EXPECT_NE(text.find("n_1 - 1 + i_5 + min(stride_3, 7)"), std::string::npos) << text;
  EXPECT_NE(text.find("for i_5 in n_1"), std::string::npos) << text;
}

// A division by what may be zero stays where the program has it.
TEST(OnHost, DivisionsAreByNumbers) {
  NameSource names(100);
  EXPECT_EQ(with_known_on_host(launch_of("  out_4[0] := sdiv_up64(n_1, 16);"), names).scalar_args.size(), 4u);
  EXPECT_EQ(with_known_on_host(launch_of("  out_4[0] := n_1 / m_2;"), names).scalar_args.size(), 3u);
}

}  // namespace
}  // namespace heddle::lower
