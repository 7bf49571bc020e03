// What is asked of the library for any bytes.
#ifndef HEDDLE_TESTS_CAPI_FUZZ_TARGET_H
#define HEDDLE_TESTS_CAPI_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

// Reads them as a text of each form; of what that is, runs a pass and plans, and reads what is printed. Errors are
// well; that heddle is
// broken, or that what it prints does not read back, ends the process, with the text that it was about on stderr.
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length);

#endif
