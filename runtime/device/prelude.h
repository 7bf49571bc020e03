// The words in which kernels are written. Kernel text means the same to NVRTC (as CUDA C++) and to a host C compiler,
// where a kernel is a function of one thread and a trampoline loops over threads and blocks.
#ifndef HD_DEVICE_PRELUDE_H
#define HD_DEVICE_PRELUDE_H

#include "runtime/device/types.h"

#define HD_RESTRICT __restrict__

// Before a loop whose few iterations are to be written out.
#ifdef __CUDACC__
#define HD_UNROLL _Pragma("unroll")
#else
#define HD_UNROLL _Pragma("GCC unroll 64")
#endif

#ifdef __CUDACC__
#define HD_WARP_BARRIER() __syncwarp()
#else
#define HD_WARP_BARRIER() hd_cpu_warp_barrier()
#endif

// So many nanoseconds, more or less, of a thread that waits for others.
#if __CUDA_ARCH__ >= 700
#define HD_REST(nanoseconds) __nanosleep(nanoseconds)
#else
#define HD_REST(nanoseconds) ((void)0)
#endif

// The variable becomes what it is in another lane of the warp. All lanes do this together.
#ifdef __CUDACC__
#define HD_SHUFFLE(variable, lane) ((variable) = hd_shuffle(variable, (int)(lane)))
template <class T>
static __device__ inline T hd_shuffle(T x, int lane) {
  union both {
    unsigned int words[(sizeof(T) + 3) / 4];
    T value;
    __device__ both() : words() {}
  } parts;
  parts.value = x;
  HD_UNROLL
  for (int i = 0; i < (int)((sizeof(T) + 3) / 4); i++) parts.words[i] = __shfl_sync(0xffffffffu, parts.words[i], lane);
  return parts.value;
}
#else
#define HD_SHUFFLE(variable, lane) hd_cpu_shuffle(&(variable), (int)sizeof(variable), (int)(lane))
#endif

#ifdef __CUDACC__

// Bounds that the runtime sets where it compiles a kernel again (hd_cuda_make_room).
#ifndef HD_ROOM
#define HD_ROOM
#endif
#define HD_KERNEL(name, ...) extern "C" __global__ void HD_ROOM name(__VA_ARGS__)
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4)
#define HD_BOUNDED_KERNEL(threads, registers, name, ...) \
  extern "C" __global__ void __maxnreg__(registers) name(__VA_ARGS__)
#else
// Of 65,536 registers the blocks that fit leave each thread as many.
#define HD_BOUNDED_KERNEL(threads, registers, name, ...) \
  extern "C" __global__ void __launch_bounds__(threads, 65536 / ((threads) * (registers))) name(__VA_ARGS__)
#endif
#define HD_DEVICE static __device__ inline
#define HD_OUTLINED HD_DEVICE
#define HD_CONSTANT static __constant__ const
#define HD_BLOCK_ID ((int64_t)blockIdx.x)
#define HD_NUM_BLOCKS ((int64_t)gridDim.x)
#define HD_THREAD_ID ((int)threadIdx.x)
#define HD_ASSUME(condition) __builtin_assume(condition)
#define HD_BLOCK_SIZE ((int)blockDim.x)
#define HD_BARRIER() __syncthreads()
#define HD_ON_CPU false
#define HD_NO_UNROLL _Pragma("unroll 1")
#define HD_UNROLL_BY_4 _Pragma("unroll 4")
#define HD_UNROLL_ON_CPU

// The kernels that were launched before have ended from here on, and what they stored is seen: each kernel begins with this, since its
// blocks come to the device as soon as the last ones of those before have ended, or even earlier.
#if __CUDA_ARCH__ >= 900
#define HD_AFTER_EARLIER_KERNELS() asm volatile("griddepcontrol.wait;" : : : "memory")
#else
#define HD_AFTER_EARLIER_KERNELS() ((void)0)
#endif

// A kernel that may run beside others begins with this instead: `order` says of each launch (enum hd_order) whether it needs nothing of
// those before it that still run, and whether the next one needs nothing of it, or of them. Whoever waits for this kernel to end must find
// that those have ended, too, so one thread waits for them in the end; all others leave their place to whoever comes next.
#if __CUDA_ARCH__ >= 900
struct hd_beside_others {
  const int order;
  __device__ explicit hd_beside_others(int launch_order) : order(launch_order) {
    if ((order & HD_WAITS_LAST) == 0) {
      HD_AFTER_EARLIER_KERNELS();
    } else {
      asm volatile("fence.acq_rel.gpu;" : : : "memory");  // what ended before those that still run is seen, too
    }
    if ((order & HD_LETS_NEXT_BEGIN) != 0) asm volatile("griddepcontrol.launch_dependents;");
  }
  __device__ ~hd_beside_others() {
    if ((order & HD_WAITS_LAST) != 0 && blockIdx.x == 0 && threadIdx.x == 0) HD_AFTER_EARLIER_KERNELS();
  }
};
#define HD_BESIDE_OTHERS(order) const hd_beside_others hd_beside(order)
#else
#define HD_BESIDE_OTHERS(order) ((void)(order))
#endif

// The block's dynamic shared memory, aligned to 16 bytes.
extern __shared__ __align__(16) char hd_dynamic_shared_memory[];
#define HD_SHARED (hd_dynamic_shared_memory)

#else

// One thread of a launch.
struct hd_cpu_thread {
  int64_t block_id;
  int64_t num_blocks;
  int thread_id;
  int block_size;
  char* shared;
  bool alone;  // no other thread runs
};

#define HD_KERNEL(name, ...) \
  static inline void name(__attribute__((unused)) const struct hd_cpu_thread hd_self, __VA_ARGS__)
#define HD_BOUNDED_KERNEL(threads, registers, ...) HD_KERNEL(__VA_ARGS__)
#define HD_DEVICE static inline __attribute__((unused))
// A function that stays one on the CPU: loops in loops over threads cost the C compiler much, a call costs them little.
#define HD_OUTLINED static __attribute__((unused, noinline))
#define HD_CONSTANT static const
#define HD_BLOCK_ID (hd_self.block_id)
#define HD_NUM_BLOCKS (hd_self.num_blocks)
#define HD_THREAD_ID (hd_self.thread_id)
#define HD_ASSUME(condition) ((void)0)
#define HD_BLOCK_SIZE (hd_self.block_size)
#define HD_BARRIER() hd_cpu_barrier()
#define HD_ON_CPU true
#define HD_NO_UNROLL
#define HD_UNROLL_BY_4
#define HD_UNROLL_ON_CPU _Pragma("GCC unroll 8")
#define HD_SHARED (hd_self.shared)
#define HD_AFTER_EARLIER_KERNELS() ((void)0)
#define HD_BESIDE_OTHERS(order) ((void)(order))

// Runs the statement that follows for every thread that `launch` names, with `self` being that thread.
#define HD_CPU_FOR_EACH_THREAD(launch, self)                                                                     \
  for (int64_t hd_block = (launch)->first_block; hd_block < (launch)->end_block; hd_block++)                     \
    for (int hd_thread = (launch)->first_thread; hd_thread < (launch)->end_thread; hd_thread++)                  \
      for (int hd_once = 1; hd_once; hd_once = 0)                                                                \
        for (const struct hd_cpu_thread self = {hd_block, (launch)->num_blocks, hd_thread, (launch)->block_size, \
                                                (launch)->shared, (launch)->alone};                              \
             hd_once; hd_once = 0)

#endif

// With 64 bits. The device has an instruction for this, which its compiler does not always find.
HD_DEVICE int64_t hd_wide_product(int32_t a, int32_t b) {
#ifdef __CUDACC__
  int64_t product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
#else
  return (int64_t)a * b;
#endif
}

// Atomics on global or shared memory. All but those of truth values and extrema return the old value; none orders other accesses.
#ifdef __CUDACC__

HD_DEVICE int32_t hd_atomic_cas_32(int32_t* p, int32_t expected, int32_t desired) {
  return (int32_t)atomicCAS((unsigned int*)p, (unsigned int)expected, (unsigned int)desired);
}
HD_DEVICE int64_t hd_atomic_cas_64(int64_t* p, int64_t expected, int64_t desired) {
  return (int64_t)atomicCAS((unsigned long long*)p, (unsigned long long)expected, (unsigned long long)desired);
}
HD_DEVICE int32_t hd_atomic_add_i32(int32_t* p, int32_t x) { return atomicAdd(p, x); }
HD_DEVICE int64_t hd_atomic_add_i64(int64_t* p, int64_t x) {
  return (int64_t)atomicAdd((unsigned long long*)p, (unsigned long long)x);
}
#define HD_DEFINE_BITWISE(name, function)                                                                              \
  HD_DEVICE int32_t name##_i32(int32_t* p, int32_t x) { return (int32_t)function((unsigned int*)p, (unsigned int)x); } \
  HD_DEVICE int64_t name##_i64(int64_t* p, int64_t x) {                                                                \
    return (int64_t)function((unsigned long long*)p, (unsigned long long)x);                                           \
  }
HD_DEFINE_BITWISE(hd_atomic_and, atomicAnd)
HD_DEFINE_BITWISE(hd_atomic_or, atomicOr)
HD_DEFINE_BITWISE(hd_atomic_xor, atomicXor)
#undef HD_DEFINE_BITWISE
// Who sees that nothing would change, if only in what a cache has kept of it, need not ask memory: until the next barrier no one
// changes it back.
#define HD_DEFINE_LOOK(bits, into)                                               \
  HD_DEVICE int##bits##_t hd_look_at_##bits(const int##bits##_t* p) {            \
    int##bits##_t seen;                                                          \
    asm volatile("ld.ca.b" #bits " %0, [%1];" : into(seen) : "l"(p) : "memory"); \
    return seen;                                                                 \
  }
HD_DEFINE_LOOK(32, "=r")
HD_DEFINE_LOOK(64, "=l")
#undef HD_DEFINE_LOOK

#define HD_DEFINE_EXTREMUM(name, bits, function, is_better, word)                          \
  HD_DEVICE void name(int##bits##_t* p, int##bits##_t x) {                                 \
    if ((word)x is_better(word) hd_look_at_##bits(p)) (void)function((word*)p, (word)(x)); \
  }
HD_DEFINE_EXTREMUM(hd_atomic_smax_i32, 32, atomicMax, >, int)
HD_DEFINE_EXTREMUM(hd_atomic_smin_i32, 32, atomicMin, <, int)
HD_DEFINE_EXTREMUM(hd_atomic_umax_i32, 32, atomicMax, >, unsigned int)
HD_DEFINE_EXTREMUM(hd_atomic_umin_i32, 32, atomicMin, <, unsigned int)
HD_DEFINE_EXTREMUM(hd_atomic_smax_i64, 64, atomicMax, >, long long)
HD_DEFINE_EXTREMUM(hd_atomic_smin_i64, 64, atomicMin, <, long long)
HD_DEFINE_EXTREMUM(hd_atomic_umax_i64, 64, atomicMax, >, unsigned long long)
HD_DEFINE_EXTREMUM(hd_atomic_umin_i64, 64, atomicMin, <, unsigned long long)
#undef HD_DEFINE_EXTREMUM

HD_DEVICE float hd_atomic_add_f32(float* p, float x) { return atomicAdd(p, x); }
HD_DEVICE double hd_atomic_add_f64(double* p, double x) {
#if __CUDA_ARCH__ >= 600
  return atomicAdd(p, x);
#else
  long long old = *(volatile long long*)p, assumed;
  do {
    assumed = old;
    old = hd_atomic_cas_64((int64_t*)p, assumed, __double_as_longlong(__longlong_as_double(assumed) + x));
  } while (assumed != old);
  return __longlong_as_double(old);
#endif
}

// All who change a truth value make it the same, so that a store does, by whoever finds that it is not so yet: what others have stored
// since only makes the store one too many.
HD_DEVICE void hd_atomic_or_bool(bool* p, bool x) {
  if (x && !*(volatile bool*)p) *(volatile bool*)p = true;
}
HD_DEVICE void hd_atomic_and_bool(bool* p, bool x) {
  if (!x && *(volatile bool*)p) *(volatile bool*)p = false;
}

// The device exchanges no less than 32 bits: bytes and halves go through the aligned word that holds them.
HD_DEVICE uint32_t hd_atomic_cas_part(void* p, uint32_t mask, uint32_t expected, uint32_t desired) {
  uintptr_t address = (uintptr_t)p;
  unsigned int* word = (unsigned int*)(address & ~(uintptr_t)3);
  int shift = (int)(address & 3) * 8;
  uint32_t old = *(volatile unsigned int*)word;
  for (;;) {
    uint32_t part = (old >> shift) & mask;
    if (part != (expected & mask)) return part;
    uint32_t replaced = (old & ~(mask << shift)) | ((desired & mask) << shift);
    uint32_t seen = atomicCAS(word, old, replaced);
    if (seen == old) return part;
    old = seen;
  }
}
HD_DEVICE int16_t hd_atomic_cas_16(int16_t* p, int16_t expected, int16_t desired) {
  return (int16_t)hd_atomic_cas_part(p, 0xffffu, (uint16_t)expected, (uint16_t)desired);
}
HD_DEVICE int8_t hd_atomic_cas_8(int8_t* p, int8_t expected, int8_t desired) {
  return (int8_t)hd_atomic_cas_part(p, 0xffu, (uint8_t)expected, (uint8_t)desired);
}

#else

#define HD_DEFINE_CPU_CAS(bits)                                                                                   \
  HD_DEVICE int##bits##_t hd_atomic_cas_##bits(int##bits##_t* p, int##bits##_t expected, int##bits##_t desired) { \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                \
    return expected;                                                                                              \
  }
HD_DEFINE_CPU_CAS(8)
HD_DEFINE_CPU_CAS(16)
HD_DEFINE_CPU_CAS(32)
HD_DEFINE_CPU_CAS(64)
#undef HD_DEFINE_CPU_CAS

#define HD_DEFINE_CPU_FETCH(name)                                   \
  HD_DEVICE int32_t hd_atomic_##name##_i32(int32_t* p, int32_t x) { \
    return __atomic_fetch_##name(p, x, __ATOMIC_RELAXED);           \
  }                                                                 \
  HD_DEVICE int64_t hd_atomic_##name##_i64(int64_t* p, int64_t x) { \
    return __atomic_fetch_##name(p, x, __ATOMIC_RELAXED);           \
  }
HD_DEFINE_CPU_FETCH(add)
HD_DEFINE_CPU_FETCH(and)
HD_DEFINE_CPU_FETCH(or)
HD_DEFINE_CPU_FETCH(xor)
#undef HD_DEFINE_CPU_FETCH

HD_DEVICE void hd_atomic_or_bool(bool* p, bool x) {
  if (x && !__atomic_load_n(p, __ATOMIC_RELAXED)) __atomic_store_n(p, true, __ATOMIC_RELAXED);
}
HD_DEVICE void hd_atomic_and_bool(bool* p, bool x) {
  if (!x && __atomic_load_n(p, __ATOMIC_RELAXED)) __atomic_store_n(p, false, __ATOMIC_RELAXED);
}

#define HD_DEFINE_CPU_ADD(name, type)                                                              \
  HD_DEVICE type name(type* p, type x) {                                                           \
    type old, sum;                                                                                 \
    __atomic_load(p, &old, __ATOMIC_RELAXED);                                                      \
    do {                                                                                           \
      sum = old + x;                                                                               \
    } while (!__atomic_compare_exchange(p, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    return old;                                                                                    \
  }
HD_DEFINE_CPU_ADD(hd_atomic_add_f32, float)
HD_DEFINE_CPU_ADD(hd_atomic_add_f64, double)
#undef HD_DEFINE_CPU_ADD

#define HD_DEFINE_CPU_EXTREMUM(name, is_better, type, as)                                        \
  HD_DEVICE void name(type* p, type x) {                                                         \
    type old = __atomic_load_n(p, __ATOMIC_RELAXED);                                             \
    while ((as)x is_better(as) old &&                                                            \
           !__atomic_compare_exchange_n(p, &old, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                            \
  }
HD_DEFINE_CPU_EXTREMUM(hd_atomic_smax_i32, >, int32_t, int32_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_smin_i32, <, int32_t, int32_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_umax_i32, >, int32_t, uint32_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_umin_i32, <, int32_t, uint32_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_smax_i64, >, int64_t, int64_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_smin_i64, <, int64_t, int64_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_umax_i64, >, int64_t, uint64_t)
HD_DEFINE_CPU_EXTREMUM(hd_atomic_umin_i64, <, int64_t, uint64_t)
#undef HD_DEFINE_CPU_EXTREMUM

// The same where no other thread runs: plain accesses take a fraction of the time.
#define HD_DEFINE_CPU_CAS_UNLESS_ALONE(bits)                                                               \
  HD_DEVICE int##bits##_t hd_cas_unless_alone_##bits(bool alone, int##bits##_t* p, int##bits##_t expected, \
                                                     int##bits##_t desired) {                              \
    if (!alone) return hd_atomic_cas_##bits(p, expected, desired);                                         \
    *p = desired;                                                                                          \
    return expected;                                                                                       \
  }
HD_DEFINE_CPU_CAS_UNLESS_ALONE(8)
HD_DEFINE_CPU_CAS_UNLESS_ALONE(16)
HD_DEFINE_CPU_CAS_UNLESS_ALONE(32)
HD_DEFINE_CPU_CAS_UNLESS_ALONE(64)
#undef HD_DEFINE_CPU_CAS_UNLESS_ALONE

#define HD_DEFINE_CPU_UNLESS_ALONE(does, operator_, name, type, as)             \
  HD_DEVICE void hd_##does##_unless_alone_##name(bool alone, type* p, type x) { \
    if (alone) {                                                                \
      *p = (type)((as)*p operator_(as) x);                                      \
    } else {                                                                    \
      hd_atomic_##does##_##name(p, x);                                          \
    }                                                                           \
  }
HD_DEFINE_CPU_UNLESS_ALONE(add, +, i32, int32_t, uint32_t)
HD_DEFINE_CPU_UNLESS_ALONE(add, +, i64, int64_t, uint64_t)
HD_DEFINE_CPU_UNLESS_ALONE(add, +, f32, float, float)
HD_DEFINE_CPU_UNLESS_ALONE(add, +, f64, double, double)
HD_DEFINE_CPU_UNLESS_ALONE(and, &, i32, int32_t, uint32_t)
HD_DEFINE_CPU_UNLESS_ALONE(and, &, i64, int64_t, uint64_t)
HD_DEFINE_CPU_UNLESS_ALONE(or, |, i32, int32_t, uint32_t)
HD_DEFINE_CPU_UNLESS_ALONE(or, |, i64, int64_t, uint64_t)
HD_DEFINE_CPU_UNLESS_ALONE(xor, ^, i32, int32_t, uint32_t)
HD_DEFINE_CPU_UNLESS_ALONE(xor, ^, i64, int64_t, uint64_t)
HD_DEFINE_CPU_UNLESS_ALONE(or, ||, bool, bool, bool)
HD_DEFINE_CPU_UNLESS_ALONE(and, &&, bool, bool, bool)
#undef HD_DEFINE_CPU_UNLESS_ALONE

#endif

// Locks: a word that is zero while nobody has it. What is read after taking one is what was written before it was given back, by
// threads of the block or of the device, whichever shares the lock.
#ifdef __CUDACC__
#define HD_DEFINE_LOCK(scope, fence, bits, word)                           \
  HD_DEVICE bool hd_try_lock_##scope##_##bits(volatile int##bits##_t* p) { \
    if (hd_atomic_cas_##bits((int##bits##_t*)p, 0, 1) != 0) return false;  \
    fence();                                                               \
    return true;                                                           \
  }                                                                        \
  HD_DEVICE void hd_unlock_##scope##_##bits(volatile int##bits##_t* p) {   \
    fence();                                                               \
    atomicExch((word*)p, 0);                                               \
  }
HD_DEFINE_LOCK(block, __threadfence_block, 32, unsigned int)
HD_DEFINE_LOCK(block, __threadfence_block, 64, unsigned long long)
HD_DEFINE_LOCK(device, __threadfence, 32, unsigned int)
HD_DEFINE_LOCK(device, __threadfence, 64, unsigned long long)
#else
#define HD_DEFINE_LOCK(scope, bits)                                        \
  HD_DEVICE bool hd_try_lock_##scope##_##bits(volatile int##bits##_t* p) { \
    return __atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE) == 0;               \
  }                                                                        \
  HD_DEVICE void hd_unlock_##scope##_##bits(volatile int##bits##_t* p) { __atomic_store_n(p, 0, __ATOMIC_RELEASE); }
HD_DEFINE_LOCK(block, 32)
HD_DEFINE_LOCK(block, 64)
HD_DEFINE_LOCK(device, 32)
HD_DEFINE_LOCK(device, 64)
#endif
#undef HD_DEFINE_LOCK

// True for the one thread whose failure is kept.
HD_DEVICE bool hd_claim_failure(struct hd_failure_record* record, int64_t id) {
  return hd_atomic_cas_64(&record->id, -1, id) == -1;
}

// A float as an argument of HD_FAIL.
HD_DEVICE int64_t hd_failure_arg_float(double x) {
#ifdef __CUDACC__
  return __double_as_longlong(x);
#else
  union {
    double value;
    int64_t bits;
  } both;
  both.value = x;
  return both.bits;
#endif
}

// Reports failure `failure` of the program with `num_args` arguments of type int64_t. The thread goes on: the kernel
// says where to.
#define HD_FAIL(record, failure, num_args, ...)                                     \
  do {                                                                              \
    if (hd_claim_failure((record), (failure))) {                                    \
      const int64_t hd_args[] = {0, __VA_ARGS__};                                   \
      for (int hd_i = 0; hd_i < (num_args) && hd_i < HD_MAX_FAILURE_ARGS; hd_i++) { \
        (record)->report->args[hd_i] = hd_args[hd_i + 1];                           \
      }                                                                             \
      (record)->report->id = (failure);                                             \
    }                                                                               \
  } while (0)

// Whether an earlier kernel failed, so that what this one would read may be garbage. On the CPU such kernels are not
// even started, and a test in each thread would keep the loop over threads from being vectorized. What other threads of the same kernel
// store need not be seen, so caches may answer: a load that goes to memory for each warp has all of them queue at one place, 10 us for a
// million threads.
#ifdef __CUDACC__
#define HD_ALREADY_FAILED(record) ((record)->id >= 0)
#else
#define HD_ALREADY_FAILED(record) ((void)(record), false)
#endif

#endif
