HD_KERNEL(tiled_matmul, struct hd_failure_record *failure, const int64_t n_1, const int64_t m_2, const int64_t k_3, const float *HD_RESTRICT a_4, const float *HD_RESTRICT b_5, float *c_6, const struct hd_divisor divisor_0) {
  HD_AFTER_EARLIER_KERNELS();
  const uint32_t by_7_digit = hd_quotient((uint32_t)HD_BLOCK_ID, divisor_0), by_7_rest = (uint32_t)HD_BLOCK_ID - by_7_digit * divisor_0.divisor;
  const int64_t by_7 = by_7_digit;
  const int64_t bx_8 = by_7_rest;
  float *const ta_15 = (float *)HD_SHARED;
  float *const tb_16 = (float *)(HD_SHARED + 64LL);
  const uint32_t ty_9_digit = (uint32_t)HD_THREAD_ID / 4u, ty_9_rest = (uint32_t)HD_THREAD_ID - ty_9_digit * 4u;
  const int64_t ty_9 = ty_9_digit;
  const int64_t tx_10 = ty_9_rest;
  const int64_t i_11 = by_7 * 4 + ty_9;
  const int64_t j_12 = bx_8 * 4 + tx_10;
  float acc_14;
  acc_14 = 0.0f;
  const int64_t r_13_end = hd_sdiv64(m_2, 4LL);
  for (int64_t r_13 = 0; r_13 < r_13_end; r_13++) {
    ta_15[ty_9 * 4 + tx_10] = a_4[i_11 * m_2 + (r_13 * 4 + tx_10)];
    tb_16[ty_9 * 4 + tx_10] = b_5[(r_13 * 4 + ty_9) * k_3 + j_12];
    HD_BARRIER();
    HD_UNROLL
    for (int64_t s_17 = 0; s_17 < 4; s_17++) {
      acc_14 = acc_14 + ta_15[ty_9 * 4 + s_17] * tb_16[s_17 * 4 + tx_10];
    }
    HD_BARRIER();
  }
  c_6[i_11 * k_3 + j_12] = acc_14;
}
