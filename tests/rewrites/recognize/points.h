// A point (i, j) of n x m for those who look at what it reads: of `in`, of the same size, and of an image of three channels `rgb`. n1 and m1 are n-1
// and m-1; few is 0, 1 or 2, and another name on the host.
#pragma once

#include <functional>

#include "ir/nest/facts.h"
#include "rewrites/recognize/contraction.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::recognize {

struct LookedAt {
  nest::examples::Names names;
  std::vector<Index> indices;
  nest::Block work;
  std::vector<nest::Buffer> read;
};

// `look` with the facts that hold at the point.
inline void look_at_point(const std::string& statements,
                          const std::function<void(LookedAt& point, nest::Facts& facts)>& look) {
  nest::Kernel kernel = nest::examples::kernel_of(
      "kernel k(n_1: i64, m_2: i64, n1_20: i64, m1_21: i64, few_22: i64, in_5: global i32[n_1][m_2], "
      "rgb_6: global i32[n_1][m_2][3], "
      "out_7: global i32[n_1][m_2]) { for i_10 in n_1 (serial) { for j_11 in m_2 (serial) {" +
      statements + "} } }");
  LookedAt point;
  const auto& rows = std::get<nest::For>(kernel.body[0]->node);
  const auto& columns = std::get<nest::For>(rows.body[0]->node);
  auto less_one = [](const Name& size) {
    return nest::sub(nest::var(size, prim::Type::I64), nest::constant(int64_t{1}));
  };
  nest::Facts facts(point.names.fresh, [&](const Name& name) -> nest::Expr {
    if (name.tag == 20) return less_one(point.names.n);
    if (name.tag == 22) return nest::var({"host", 23}, prim::Type::I64);
    return name.tag == 21 ? less_one(point.names.m) : nullptr;
  });
  facts.index({"host", 23}, nest::constant(int64_t{3}));
  facts.size(point.names.n);
  facts.size(point.names.m);
  facts.index(point.names.i, rows.extent);
  facts.index(point.names.j, columns.extent);
  point.indices = {{point.names.i, rows.extent}, {point.names.j, columns.extent}};
  point.work = columns.body;
  point.read = {kernel.buffers[0], kernel.buffers[1]};
  look(point, facts);
}

}  // namespace heddle::recognize
