// The kernels of runtime_under_test.c.
#ifndef RUNTIME_UNDER_TEST_H
#define RUNTIME_UNDER_TEST_H

enum test_kernel { ADD_ONE, GIVE_UP, COUNT_THREADS, REVERSE_BLOCKS, TRY_ATOMICS, NUM_TEST_KERNELS };

extern const struct hd_kernel test_kernels[];

#endif
