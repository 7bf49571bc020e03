HD_KERNEL(matmul, struct hd_failure_record *failure, const int64_t n_1, const int64_t m_2, const int64_t k_3, const float *HD_RESTRICT a_4, const float *HD_RESTRICT b_5, float *c_6, const struct hd_divisor divisor_0) {
  HD_AFTER_EARLIER_KERNELS();
  if (HD_ALREADY_FAILED(failure)) return;
  const uint32_t by_7_digit = hd_quotient((uint32_t)HD_BLOCK_ID, divisor_0), by_7_rest = (uint32_t)HD_BLOCK_ID - by_7_digit * divisor_0.divisor;
  const int64_t by_7 = by_7_digit;
  const int64_t bx_8 = by_7_rest;
  const uint32_t ty_9_digit = (uint32_t)HD_THREAD_ID / 8u, ty_9_rest = (uint32_t)HD_THREAD_ID - ty_9_digit * 8u;
  const int64_t ty_9 = ty_9_digit;
  const int64_t tx_10 = ty_9_rest;
  const int64_t i_11 = by_7 * 4 + ty_9;
  const int64_t j_12 = bx_8 * 8 + tx_10;
  if (i_11 < n_1 && j_12 < k_3) {
    float acc_14;
    acc_14 = 0.0f;
    HD_UNROLL_ON_CPU
    for (int64_t r_13 = 0; r_13 < m_2; r_13++) {
      acc_14 = acc_14 + a_4[i_11 * m_2 + r_13] * b_5[r_13 * k_3 + j_12];
    }
    c_6[i_11 * k_3 + j_12] = acc_14;
  }
}
