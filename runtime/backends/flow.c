#include "runtime/backends/flow.h"

#if defined(__x86_64__)

// swapcontext would make two system calls per switch for the signal mask, which no kernel touches. What the calling
// convention lets a function keep goes onto the stack: six registers and the modes of both floating-point units.
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".type hd_flow_swap, @function\n"
    "hd_flow_swap:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  subq $8, %rsp\n"
    "  stmxcsr (%rsp)\n"
    "  fnstcw 4(%rsp)\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  ldmxcsr (%rsp)\n"
    "  fldcw 4(%rsp)\n"
    "  addq $8, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size hd_flow_swap, .-hd_flow_swap\n");
void hd_flow_swap(void** from, void* to) __asm__("hd_flow_swap");

HD_API void hd_flow_switch(struct hd_flow* from, struct hd_flow* to) {
  hd_flow_swap(&from->stack_pointer, to->stack_pointer);
}

HD_API void hd_flow_prepare(struct hd_flow* flow, char* stack, size_t bytes, void (*body)(void)) {
  // What the first switch pops: the modes, six registers, and the address to go to. Above it lies a return address of
  // zero, so that the stack is aligned as after a call.
  uint64_t* top = (uint64_t*)((uintptr_t)(stack + bytes) & ~(uintptr_t)15);
  uint64_t* frame = top - 9;
  for (int i = 0; i < 9; i++) frame[i] = 0;
  uint32_t modes[2] = {0, 0};
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes[0]), "=m"(modes[1]));
  frame[0] = modes[0] | (uint64_t)modes[1] << 32;
  frame[7] = (uint64_t)(uintptr_t)body;
  flow->stack_pointer = frame;
}

#else

HD_API void hd_flow_switch(struct hd_flow* from, struct hd_flow* to) { swapcontext(&from->registers, &to->registers); }

HD_API void hd_flow_prepare(struct hd_flow* flow, char* stack, size_t bytes, void (*body)(void)) {
  getcontext(&flow->registers);
  flow->registers.uc_stack.ss_sp = stack;
  flow->registers.uc_stack.ss_size = bytes;
  flow->registers.uc_link = NULL;
  makecontext(&flow->registers, body, 0);
}

#endif
