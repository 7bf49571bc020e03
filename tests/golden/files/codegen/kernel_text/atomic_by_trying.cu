HD_KERNEL(products, struct hd_failure_record *failure, const int64_t n_1, const int32_t *HD_RESTRICT in_2, int32_t *out_3) {
  HD_AFTER_EARLIER_KERNELS();
  const int64_t x_4 = (uint32_t)HD_BLOCK_ID;
  int32_t *const old_5_at = (int32_t *)&out_3[x_4];
  int32_t old_5_seen = *(volatile int32_t *)old_5_at, old_5_bits;
  do {
    old_5_bits = old_5_seen;
    const int32_t old_5 = old_5_bits;
    const int32_t old_5_next = hd_mul32(old_5, in_2[x_4]);
    if (old_5_next == old_5_bits) break;
    old_5_seen = hd_atomic_cas_32(old_5_at, old_5_bits, old_5_next);
  } while (old_5_seen != old_5_bits);
}
