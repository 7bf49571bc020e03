// Texts of host programs that several tests take.
#pragma once

#include <string>

namespace heddle::host::examples {

// Every kind of table and statement.
inline const std::string kEverything = R"(type `pair` = record (`x`: f32[], `y`: unsigned i32);
type `any` = sum (i8, f32[]) `#none` () `#some` (f32[] in (1), `pair` in (1, 0));
type `opaque` = opaque (i64);
type `array of` = array 2 `opaque` (i64[][]);
type `pairs` = record_array 1 `pair` (`x`: f32[][], `y`: unsigned i32[]);
param `main.block` = thread_block_size;
param `main.t` = threshold default 5 path (!`main.other`, `main.block`);
param `main.b` = bespoke `words` default -3;
failure (`Index [`, i64, `] "\\\`" \x0a`, f32) at `file.fut:1:2-3`;  -- 0
-- 0
kernel doubled(
    n_101: i64,
    from_102: global f32[n_101],
    to_103: global f32[n_101]) {
  for block_104 in n_101 (grid) {
    for thread_105 in 1 (block) {
      to_103[block_104] := from_102[block_104] * 2.0f32;
    }
  }
}
family `contraction` `main.contraction_0`
kernel tiled(
    T_201: constant,
    k_202: constant,
    n_203: i64,
    to_204: global f32[n_203]) {
  for block_205 in n_203 (grid) {
    for thread_206 in 1 (block) {
      to_204[block_205] := 0.0f32;
    }
  }
}
chosen (`parallel[0].points` = T_201)
sizes (n_203)
function `tile_geometry` {
  `block[0]` = T_201 * n_203;
}
function `kernel_geometry` {
  `threads` = T_201;
}
constants (k_1: f32[], c_2: i32) {
  alloc k_1: f32[2];
  upload k_1 := (1.0f32, 2.0f32);
  let c_2: i32 = 7i32;
  yield k_1, c_2;
}
entry `main` (`a`: f32[][], `n`: i64, *`p`: `pair`) : (*f32[], `any`)
takes (a_3: f32[][], n_4: i64, p_5: f32[], q_6: i32) {
  measure rows_7 = size 0 of a_3;
  measure stride_8 = stride 1 of a_3;
  check rows_7 == n_4 && n_4 == n_4 else `Error: sizes.\x0a`;
  param block_9 = `main.block`;
  most most_10 = grid_size;
  compare wide_11 = `main.t` <= n_4 * stride_8;
  slice row_12 = a_3[0][1 : n_4 - 1 : 2];
  read x_13: f32 = a_3[0][n_4 - 1];
  assert 0 <= n_4 else failure 0 (n_4, x_13);
  trace `tag` x_13;
  trace `tag` row_12;
  free row_12;
  alloc b_14: f32[n_4][2] order (1, 0);
  fill b_14 := x_13;
  rearrange t_15 = b_14 (1, 0);
  reshape flat_16 = t_15 (n_4 * 2);
  free t_15;
  flat diagonal_17 = flat_16[1][n_4 : 2][2 : 1];
  free diagonal_17;
  broadcast many_18 = k_1 (n_4);
  copy b_14 := many_18;
  free many_18;
  manifest m_19 = b_14 (1, 0);
  pack m_19 := b_14 (n_4) (1) (2);
  free m_19;
  alloc i_20: i64[n_4];
  iota i_20 := 0, 2;
  write i_20[0] := 5;
  free i_20;
  alloc one_42: f32[1] for host;
  free one_42;
  alloc s_21: f32[n_4 * 2] from b_14;
  launch 0 (n_4 * 2) (flat_16, s_21);
  choose {
    way 0 asks {
      ask parts_22 = parts (n_4, 3, 4);
      ask pays_23 = detour_pays (n_4, 8, 1, 4);
    } if 1 < parts_22 && pays_23 < 1 measures {
      measure begins_24 = alignment of s_21;
      measure address_25 = address of p_5;
      ask aligned_26 = row_alignment (begins_24 | n_4, 4);
    } shape `contraction` (`num_parallel` = 1, `extents` = {n_4, 3}, `window` = {true}, `none` = {}, `operands` = [`tiled_operand` (`aligned` = aligned_26)])
    sizes (n_4) fixed (parts_22) places (n_4 * address_25) runs {
      launch chosen (n_4) (s_21);
      yield 1 < n_4;
    }
  } else {
    launch 0 (n_4 * 2) (flat_16, s_21);
  }
  free flat_16;
  if wide_11 {
    share then_27 = k_1;
    yield 1, then_27;
  } case n_4 == 2 {
    share case_28 = p_5;
    yield 2, case_28;
  } else {
    share else_29 = p_5;
    yield 3, else_29;
  } giving (which_30: i64, chosen_31: f32[]);
  always {
    trace `once` which_30;
  }
  loop (x_32: f32[] = chosen_31, i_33: i32 = c_2) for j_34 < q_6 {
    yield x_32, i_33 +% j_34;
  } giving (y_35, last_36);
  loop (go_37: bool = wide_11) while go_37 {
    yield false;
  } giving (gone_38);
  loop () for j_39 < n_4 {
  }
  deliver result_40 = y_35;
  free y_35;
  deliver sum_41 = s_21;
  free s_21;
  yield result_40, 1i8, sum_41;
}
)";

}  // namespace heddle::host::examples
