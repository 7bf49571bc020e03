#include "tests/ir/prim_c_table.h"

#include <string.h>

#define HD_DEVICE static inline
#include "runtime/device/scalar_int.h"
//
#include "runtime/device/scalar_float.h"
//
#include "runtime/device/scalar_f16.h"
//
#include "prim_table.inc"

enum { MAX_OPERANDS = 3 };

typedef bool apply(int number, const union prim_slot* a, union prim_slot* r);

static bool on_slots(apply* function, int number, const uint64_t* operands, uint64_t* result) {
  union prim_slot a[MAX_OPERANDS], r = {.bits = 0};
  memcpy(a, operands, sizeof(a));
  bool found = function(number, a, &r);
  *result = r.bits;
  return found;
}

bool prim_c_call(int number, const uint64_t* operands, uint64_t* result) {
  return on_slots(prim_call, number, operands, result);
}
bool prim_c_infix(int number, const uint64_t* operands, uint64_t* result) {
  return on_slots(prim_infix, number, operands, result);
}
bool prim_c_literal(int number, uint64_t* result) {
  uint64_t none[MAX_OPERANDS] = {0};
  return on_slots(prim_literal, number, none, result);
}
