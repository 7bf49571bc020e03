// Copies from global to shared memory that go on while the thread does, accesses to several elements at once, and loads past caches.
#ifndef HD_DEVICE_ASYNC_H
#define HD_DEVICE_ASYNC_H

#include "runtime/device/prelude.h"

// hd_move: `bytes` is a constant, both addresses are multiples of it where it is 2, 4, 8 or 16. hd_move_to_global: the
// same from registers to global memory; the compiler would take a wide store apart.
//
// hd_copy_async starts to copy `bytes` from global to shared memory, or to fill with zeros where not `valid`; then
// `from` is not read. hd_copy_async_commit makes the copies started since the last one a group, and
// hd_copy_async_wait(n) waits until all but the n youngest groups of this thread have arrived. Whatever cannot be
// copied asynchronously (other sizes, older devices, the CPU) has arrived at once. hd_copy_async_kept copies what other blocks
// are about to read, too, or beside it: caches give others' lines up first.
//
// HD_READ_ONCE: an element of global memory, loaded so that it leaves caches before others do.
//
// HD_ADDRESS_IF: an address that is used only if it is valid. C has no words for others; the device does not mind.
#ifdef __CUDACC__

#define HD_ADDRESS_IF(valid, address, otherwise) (address)
#define HD_READ_ONCE(element) hd_read_once(&(element))

// Volatile, so that it stays behind the wait for earlier kernels.
#define HD_DEFINE_READ_ONCE(type, variable, as, of_register)                                              \
  HD_DEVICE type hd_read_once(const type* from) {                                                         \
    variable x;                                                                                           \
    asm volatile("ld.global.cs." as " %0, [%1];" : of_register(x) : "l"(__cvta_generic_to_global(from))); \
    return (type)x;                                                                                       \
  }
HD_DEFINE_READ_ONCE(bool, int, "u8", "=r")
HD_DEFINE_READ_ONCE(int8_t, int, "s8", "=r")
HD_DEFINE_READ_ONCE(int16_t, int16_t, "s16", "=h")
HD_DEFINE_READ_ONCE(uint16_t, uint16_t, "u16", "=h")
HD_DEFINE_READ_ONCE(int32_t, int32_t, "s32", "=r")
HD_DEFINE_READ_ONCE(int64_t, int64_t, "s64", "=l")
HD_DEFINE_READ_ONCE(float, float, "f32", "=f")
HD_DEFINE_READ_ONCE(double, double, "f64", "=d")
#undef HD_DEFINE_READ_ONCE

HD_DEVICE void hd_move(void* to, const void* from, int bytes) {
  if (bytes == 16) {
    *(uint4*)to = *(const uint4*)from;
  } else if (bytes == 8) {
    *(uint2*)to = *(const uint2*)from;
  } else if (bytes == 4) {
    *(unsigned int*)to = *(const unsigned int*)from;
  } else if (bytes == 2) {
    *(unsigned short*)to = *(const unsigned short*)from;
  } else {
    for (int i = 0; i < bytes; i++) ((char*)to)[i] = ((const char*)from)[i];
  }
}

HD_DEVICE void hd_move_to_global(void* to, const void* from, int bytes) {
  if (bytes == 16) {
    uint4 v = *(const uint4*)from;
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w)
                 : "memory");
  } else if (bytes == 8) {
    uint2 v = *(const uint2*)from;
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)), "r"(v.x), "r"(v.y) : "memory");
  } else {
    hd_move(to, from, bytes);
  }
}

HD_DEVICE void hd_clear(void* to, int bytes) {
  for (int i = 0; i < bytes; i++) ((char*)to)[i] = 0;
}

#if __CUDA_ARCH__ >= 800
HD_DEVICE void hd_copy_async(void* to, const void* from, int bytes, bool valid) {
  unsigned int shared = (unsigned int)__cvta_generic_to_shared(to);
  int bytes_read = valid ? bytes : 0;
  if (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes_read) : "memory");
  } else if (bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from), "r"(bytes_read) : "memory");
  } else if (bytes == 4) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes_read) : "memory");
  } else if (valid) {
    hd_move(to, from, bytes);
  } else {
    hd_clear(to, bytes);
  }
}
HD_DEVICE void hd_copy_async_kept(void* to, const void* from, int bytes, bool valid) {
  if (bytes != 16) {
    hd_copy_async(to, from, bytes, valid);
    return;
  }
  unsigned long long last;
  asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(last));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::128B [%0], [%1], 16, %2, %3;" ::"r"(
                   (unsigned int)__cvta_generic_to_shared(to)),
               "l"(from), "r"(valid ? bytes : 0), "l"(last)
               : "memory");
}
#define hd_copy_async_commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define hd_copy_async_wait(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")
#else
HD_DEVICE void hd_copy_async(void* to, const void* from, int bytes, bool valid) {
  if (valid) {
    hd_move(to, from, bytes);
  } else {
    hd_clear(to, bytes);
  }
}
#define hd_copy_async_kept hd_copy_async
#define hd_copy_async_commit() ((void)0)
#define hd_copy_async_wait(pending) ((void)0)
#endif

#else

#define HD_ADDRESS_IF(valid, address, otherwise) ((valid) ? (address) : (otherwise))
#define HD_READ_ONCE(element) (element)

HD_DEVICE void hd_move(void* to, const void* from, int bytes) { __builtin_memcpy(to, from, (size_t)bytes); }
#define hd_move_to_global hd_move

HD_DEVICE void hd_copy_async(void* to, const void* from, int bytes, bool valid) {
  if (valid) {
    __builtin_memcpy(to, from, (size_t)bytes);
  } else {
    __builtin_memset(to, 0, (size_t)bytes);
  }
}
#define hd_copy_async_kept hd_copy_async
#define hd_copy_async_commit() ((void)0)
#define hd_copy_async_wait(pending) ((void)0)

#endif

#endif
