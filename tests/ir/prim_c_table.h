// The compiled C text: 8-byte operand slots in, a slot out. false: there is no such number.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

bool prim_c_call(int number, const uint64_t* operands, uint64_t* result);
bool prim_c_infix(int number, const uint64_t* operands, uint64_t* result);
bool prim_c_literal(int number, uint64_t* result);

#ifdef __cplusplus
}
#endif
