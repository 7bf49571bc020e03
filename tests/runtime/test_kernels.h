// y[i] = x[i] + 1; fails where x[i] is negative, telling i, x[i] and whether i is even.
HD_KERNEL(add_one, struct hd_failure_record* failure, const float* HD_RESTRICT x, float* HD_RESTRICT y, int64_t n) {
  HD_AFTER_EARLIER_KERNELS();
  int64_t i = HD_BLOCK_ID * HD_BLOCK_SIZE + HD_THREAD_ID;
  if (HD_ALREADY_FAILED(failure)) return;
  if (i >= n) return;
  if (x[i] < 0) {
    HD_FAIL(failure, 0, 3, i, hd_failure_arg_float(x[i]), i % 2 == 0);
    return;
  }
  y[i] = x[i] + 1;
}

// Always fails, without arguments.
HD_KERNEL(give_up, struct hd_failure_record* failure) {
  HD_AFTER_EARLIER_KERNELS();
  HD_FAIL(failure, 1, 0);
}

// Counts how often each thread of the grid ran, and the threads' numbers in all.
HD_KERNEL(count_threads, struct hd_failure_record* failure, int32_t* counts, int64_t* sum) {
  HD_AFTER_EARLIER_KERNELS();
  (void)failure;
  int64_t i = HD_BLOCK_ID * HD_BLOCK_SIZE + HD_THREAD_ID;
  hd_atomic_add_i32(&counts[i], 1);
  hd_atomic_add_i64(sum, HD_NUM_BLOCKS);
}

// Each block reverses its part of the array, three times over, through shared memory.
HD_KERNEL(reverse_blocks, struct hd_failure_record* failure, int32_t* x) {
  HD_AFTER_EARLIER_KERNELS();
  (void)failure;
  int32_t* shared = (int32_t*)HD_SHARED;
  int64_t i = HD_BLOCK_ID * HD_BLOCK_SIZE + HD_THREAD_ID;
  for (int round = 0; round < 3; round++) {
    shared[HD_THREAD_ID] = x[i];
    HD_BARRIER();
    x[i] = shared[HD_BLOCK_SIZE - 1 - HD_THREAD_ID];
    HD_BARRIER();
  }
}

// Every atomic once per thread, on cells that all threads share.
HD_KERNEL(try_atomics, struct hd_failure_record* failure, int8_t* bytes, int16_t* halves, float* f32, double* f64) {
  HD_AFTER_EARLIER_KERNELS();
  (void)failure;
  int8_t old8 = bytes[1], seen8;
  while ((seen8 = hd_atomic_cas_8(&bytes[1], old8, (int8_t)(old8 + 1))) != old8) old8 = seen8;
  int16_t old16 = halves[1], seen16;
  while ((seen16 = hd_atomic_cas_16(&halves[1], old16, (int16_t)(old16 + 1))) != old16) old16 = seen16;
  hd_atomic_add_f32(f32, 0.5f);
  hd_atomic_add_f64(f64, 0.25);
}
