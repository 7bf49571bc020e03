HD_KERNEL(last_index, struct hd_failure_record *failure, const int64_t n_1, const int64_t k_2, const int32_t *HD_RESTRICT in_3, int32_t *hist_4) {
  HD_AFTER_EARLIER_KERNELS();
  const int64_t b_5 = (uint32_t)HD_BLOCK_ID;
  const int64_t t_6 = (uint32_t)HD_THREAD_ID;
  const int64_t i_7 = b_5 * 16 + t_6;
  if (i_7 < n_1) {
    int32_t *const old_8_at = (int32_t *)&hist_4[hd_sext_i32_i64(in_3[i_7])];
    int32_t old_8_seen = *(volatile int32_t *)old_8_at, old_8_bits;
    do {
      old_8_bits = old_8_seen;
      const int32_t old_8 = old_8_bits;
      const int32_t old_8_next = hd_smax32(old_8, hd_sext_i64_i32(i_7));
      if (old_8_next == old_8_bits) break;
      old_8_seen = hd_atomic_cas_32(old_8_at, old_8_bits, old_8_next);
    } while (old_8_seen != old_8_bits);
  }
}
