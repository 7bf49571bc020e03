HD_KERNEL(products, struct hd_failure_record *failure, int64_t *out_1, int64_t *locks_4) {
  HD_AFTER_EARLIER_KERNELS();
  const int64_t b_2 = (uint32_t)HD_BLOCK_ID;
  const int64_t t_3 = (uint32_t)HD_THREAD_ID;
  for (bool waits = true; waits;) {
    if (hd_try_lock_device_64(&locks_4[2])) {
      const int64_t re_5 = hd_mul64(out_1[0], t_3) - out_1[1];
      const int64_t im_6 = out_1[0] + hd_mul64(out_1[1], t_3);
      out_1[0] = re_5;
      out_1[1] = im_6;
      hd_unlock_device_64(&locks_4[2]);
      waits = false;
    }
  }
}
