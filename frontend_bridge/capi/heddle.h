/* heddle in another program: reads the IR text of a functional array program, runs passes on it, plans its kernels, and
 * yields text again. docs/embedding.md walks through it.
 *
 * Values. A program or plan is never changed once it is there: what a pass makes of a program is another program, and
 *   where a function fails, everything is as it was, and nothing is left to free but the error.
 * Errors. Each function that can fail returns a heddle_status, HEDDLE_OK alone being success. It then has written its
 *   result where the last but one argument points; else that is left NULL, and the last argument, unless it is NULL,
 *   points to an error that says more. No input makes a function end the process, throw, or print.
 * Memory. What a function yields belongs to the caller, who hands it to the heddle_..._free of its type, once, from
 *   whichever thread; all of these take NULL. Texts end with NUL and are given back by heddle_text_free, never by
 *   free(). Texts that are handed in are read during the call only. What is made of a program or plan does not need
 *   that any more, so the order of freeing does not matter. A const char * that is returned belongs to what it was
 *   asked of, or, where it was asked of nothing, to the library.
 * Threads. There is no global state. Any functions may run at the same time in any threads, on the same programs and
 *   plans too, but for freeing what another one still uses. A call does its work in a thread of its own, with a stack
 *   for deeply nested programs and all signals blocked, and returns when that has ended. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

#ifdef __cplusplus
/* So that every int may be handed in as one, though not every int names something. */
#define HEDDLE_INT : int
extern "C" {
#else
#define HEDDLE_INT
#endif

/* As MAJOR.MINOR.PATCH. Within a major version (while that is 0: a minor one) what is here stays as it is. */
HEDDLE_API const char* heddle_version(void);

/* ---- Errors. ---- */

/* The first ones are the exit codes of the command line tool. */
typedef enum heddle_status HEDDLE_INT {
  HEDDLE_OK = 0,
  HEDDLE_INPUT = 1,         /* what was handed in is wrong */
  HEDDLE_UNSUPPORTED = 3,   /* heddle cannot do this yet */
  HEDDLE_INTERNAL = 4,      /* heddle is broken */
  HEDDLE_OUT_OF_MEMORY = 5, /* or the system gives no more threads */
} heddle_status;

typedef struct heddle_error heddle_error;

HEDDLE_API heddle_status heddle_error_status(const heddle_error* error);
/* One or more lines, without a newline at the end. */
HEDDLE_API const char* heddle_error_message(const heddle_error* error);
/* In the text that was read, from 1; 0 where unknown. Columns count characters of UTF-8. */
HEDDLE_API int heddle_error_line(const heddle_error* error);
HEDDLE_API int heddle_error_column(const heddle_error* error);
HEDDLE_API void heddle_error_free(heddle_error* error);

HEDDLE_API void heddle_text_free(char* text);

/* ---- Programs. ---- */

typedef enum heddle_form HEDDLE_INT {
  /* What is computed: Futhark's IR, as `futhark dev` prints it before or after extraction of kernels (.fut_soacs,
   * .fut_gpu). */
  HEDDLE_SEG = 0,
  HEDDLE_NEST = 1, /* how one kernel computes it (.nest) */
  HEDDLE_HOST = 2, /* when kernels run, and where arrays lie (.host) */
} heddle_form;

typedef struct heddle_program heddle_program;

/* Reads and verifies. `name` is what messages call the text. */
HEDDLE_API heddle_status heddle_program_read(heddle_form form, const char* text, size_t length, const char* name,
                                             heddle_program** program, heddle_error** error);
HEDDLE_API heddle_form heddle_program_form(const heddle_program* program);
/* The text, which reads back as the same program. */
HEDDLE_API heddle_status heddle_program_text(const heddle_program* program, char** text, heddle_error** error);
HEDDLE_API void heddle_program_free(heddle_program* program);

/* ---- Passes. ---- */

/* All of them, as JSON: an array of objects with the pass' name, the form it runs on (seg, nest or host), description,
 * why_here (why it stands where it stands in the order) and parameters, of which each has a name, a kind, a
 * description, and whether it may be left out (optional). */
HEDDLE_API heddle_status heddle_passes(char** json, heddle_error** error);

/* Runs the pass of that name, which is also that of `heddle pass`, and verifies what it makes. `arguments`:
 * "PARAMETER=VALUE" for each of its parameters, then NULL; may be NULL where there are none. */
HEDDLE_API heddle_status heddle_program_pass(const heddle_program* program, const char* pass,
                                             const char* const* arguments, heddle_program** after,
                                             heddle_error** error);

/* ---- Plans: which kernels compute a program, and how they are launched. ---- */

typedef enum heddle_target HEDDLE_INT {
  HEDDLE_CPU = 0,  /* the threads of a kernel are independent */
  HEDDLE_CUDA = 1, /* those of a block work together */
} heddle_target;

typedef struct heddle_plan heddle_plan;

/* Of a program in the form HEDDLE_SEG after extraction of kernels; all passes that belong before run first. */
HEDDLE_API heddle_status heddle_program_plan(const heddle_program* program, heddle_target target, heddle_plan** plan,
                                             heddle_error** error);
/* What computes the program, as JSON: an object with
 *   functions    of each its name and its operations, in the order in which they stand in the program
 *   dropped      versions of the program that were left out: function, line, reason
 * An operation has
 *   op           what it is, as explanations write it
 *   recipe       how it is computed
 *   results      of each: name, and either elem, shape and order (its dimensions as they lie in memory, slowest first),
 *                or updates, the array whose memory it takes over
 *   temporaries  memory that its launches share: elem, elems
 *   launches     that compute it, one after the other
 *   ways         others to compute it, in order of preference: name, guard (it is open where this holds; empty:
 *                always), launches, temporaries, constants that are open until sizes are known, those that are fixed,
 *                with their values, and copies_before, how many operands are copied into another order first
 * A launch has
 *   kernel       its number and its name
 *   blocks, threads_per_block, shared_bytes
 *   scalars      of each: name, type, value
 *   buffers      of each: name, elem, and one of: array (of the host program), result or temporary (their numbers),
 *                scratch (so many elements of undefined content), mailbox (so many words of 64 bits, zero before and
 *                after)
 *   divisors     from which a struct hd_divisor each is made
 *   checks       what must hold before the launch; where it does not, the program fails
 * Numbers are written as expressions over names of the host program, in the language of HEDDLE_NEST: those that are
 * known are digits. The value of a scalar may also be `stride ARRAY DIMENSION`, or `address ARRAY`, which is where it
 * begins in memory, in elements, or a number that is as much behind a multiple of 16; other expressions then have the
 * scalar's own name. */
HEDDLE_API heddle_status heddle_plan_json(const heddle_plan* plan, char** json, heddle_error** error);
/* What each operation was recognized as, how it is computed and why, as `heddle explain --json` prints it. */
HEDDLE_API heddle_status heddle_plan_explanation(const heddle_plan* plan, char** json, heddle_error** error);
/* What the host does: a program in the form HEDDLE_HOST. */
HEDDLE_API heddle_status heddle_plan_host(const heddle_plan* plan, heddle_program** host, heddle_error** error);
HEDDLE_API void heddle_plan_free(heddle_plan* plan);

/* Kernels are numbered from 0, as in the plan's JSON. */
HEDDLE_API size_t heddle_plan_num_kernels(const heddle_plan* plan);
/* The kernel in the form HEDDLE_NEST. */
HEDDLE_API heddle_status heddle_plan_kernel(const heddle_plan* plan, size_t number, heddle_program** kernel,
                                            heddle_error** error);
/* Its text, CUDA C++ behind heddle_kernel_prelude(). Its parameters are a pointer to a struct hd_failure_record in the
 * device's memory, the scalars, the buffers, and a struct hd_divisor for each of the divisors, in the order of the
 * plan's JSON. Constants that are open are macros for whoever compiles it to define. */
HEDDLE_API heddle_status heddle_plan_kernel_text(const heddle_plan* plan, size_t number, char** text,
                                                 heddle_error** error);
/* What stands before each kernel's text. */
HEDDLE_API const char* heddle_kernel_prelude(void);

#ifdef __cplusplus
}
#endif

#endif
