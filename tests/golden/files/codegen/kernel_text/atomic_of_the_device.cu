HD_KERNEL(histogram, struct hd_failure_record *failure, const int64_t n_1, const int64_t k_2, const int32_t *HD_RESTRICT in_3, int32_t *hist_4) {
  HD_AFTER_EARLIER_KERNELS();
  const int64_t b_5 = (uint32_t)HD_BLOCK_ID;
  const int64_t t_6 = (uint32_t)HD_THREAD_ID;
  const int64_t i_7 = b_5 * 16 + t_6;
  if (i_7 < n_1) {
    hd_atomic_add_i32(&hist_4[hd_sext_i32_i64(in_3[i_7])], 1);
  }
}
