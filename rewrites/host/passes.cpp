#include "rewrites/host/passes.h"

#include <array>

#include "rewrites/host/alternate_buffers.h"
#include "rewrites/host/bring_together.h"
#include "rewrites/host/compute_where_made.h"
#include "rewrites/host/copy_once.h"
#include "rewrites/host/for_host.h"
#include "rewrites/host/free_early.h"
#include "rewrites/host/keep_in_result.h"
#include "rewrites/host/keep_together.h"
#include "rewrites/host/loops_by_kernel.h"
#include "rewrites/host/make_in_branch.h"
#include "rewrites/host/make_in_window.h"
#include "rewrites/host/make_late.h"
#include "rewrites/host/read_late.h"
#include "rewrites/host/read_original.h"
#include "rewrites/host/remove_dead.h"
#include "rewrites/host/reuse_memory.h"
#include "rewrites/host/share_kernels.h"
#include "rewrites/host/side_by_side.h"
#include "rewrites/host/store_over_input.h"
#include "rewrites/host/take_over.h"
#include "rewrites/host/update_in_kernel.h"
#include "rewrites/host/wait_less.h"

namespace heddle::host {

namespace {

constexpr std::array kPasses = {
    Pass{"copy-once", "copies what was copied and rearranged from where it came",
         "before those that leave out the copy that nobody reads then", copy_once},
    Pass{"read-original", "reads arrays where they are instead of copies that nobody changes",
         "behind the one that has copies made of what was copied, while every array lives to the end of its block",
         read_original},
    Pass{"remove-dead",
         "leaves out scalars and arrays that nobody needs, and what is written to memory that nobody reads",
         "before those that follow, so that nothing dead keeps an array alive", remove_dead},
    Pass{"update-in-kernel",
         "has a kernel store into an array what is computed from its elements, instead of copying it there behind",
         "while each kernel is launched once and every array lives to the end of its block", update_in_kernel},
    Pass{
        "keep-in-result",
        "has threads keep arrays in the rows of the result that they are copied to, instead of in memory for their own",
        "while each kernel is launched once; a processor's threads have their own memory in lines of its cache",
        keep_in_result, true},
    Pass{"loops-by-kernel", "has one thread of the device run loops whose steps would each wait for an element",
         "before the next, which then has kernels read what such a loop begins with and yields", loops_by_kernel, true},
    Pass{"read-late", "has the host read single elements late, and kernels that come before read them themselves",
         "while each kernel is launched once and every array lives to the end of its block", read_late, true},
    Pass{"compute-where-made", "has the thread that stores an element compute what a kernel of one thread makes of it",
         "behind the one that makes such kernels, while it is seen which arrays are new", compute_where_made, true},
    Pass{"keep-together", "has an array be the one of which it would get all parts, each to where it was",
         "before the next, which makes single parts where they are copied to", keep_together},
    Pass{"make-in-window", "makes an array in the window of a larger one that it is copied to",
         "behind those that ask which arrays are new, while every array lives to the end of its block", make_in_window},
    Pass{"make-in-branch", "makes and fills arrays in the branch that alone mentions them",
         "before the next, which asks which arrays end in a block, while every array lives to the end of its block",
         make_in_branch},
    Pass{"store-over-input",
         "has a kernel store a result over an array that ends there, or an argument that the function may overwrite",
         "behind those that ask which arrays are new, while each kernel is launched once", store_over_input},
    Pass{"wait-less", "has threads keep what their last steps have stored, and read at a time what several steps need",
         "behind all that ask what loops copy, before the next, which compares kernels", wait_less, true},
    Pass{"bring-together", "moves kernels to others that they may run at the same time as",
         "behind all that change what kernels do, while every array lives to the end of its block", bring_together,
         true, true},
    Pass{"share-kernels",
         "launches one kernel wherever several are the same but for names, and drops those that nothing launches",
         "behind all that change kernels", share_kernels},
    Pass{"free-early", "frees arrays behind the last statement that mentions them",
         "while each is still freed at the end of its block", free_early},
    Pass{"take-over", "gives an array's name to who would share it, where the array ends there",
         "needs the frees that come directly behind a share", take_over},
    Pass{"alternate-buffers",
         "lets loops whose arrays are made anew in each iteration alternate between two blocks of memory",
         "before the next, which would otherwise give the loop's memory to other arrays", alternate_buffers},
    Pass{"for-host", "puts single elements that only the host reads where it does so without a copy",
         "before the next, which would give them the memory of others, and behind those that have kernels read them",
         for_host, true},
    Pass{"make-late", "makes and fills arrays in front of the first statement that mentions them",
         "behind all that ask where an array is made, before the next, which then finds others that have ended",
         make_late},
    Pass{"reuse-memory", "gives the memory of an array that ends to the next one of the same size",
         "when it is known how long each array lives", reuse_memory},
    Pass{"side-by-side", "says which kernels may run at the same time as those before them",
         "last, when it is known which arrays have the same memory", side_by_side, true, true},
};

}  // namespace

std::span<const Pass> passes() { return kPasses; }

Result<Program> run_passes(Program program, const BuildOptions& target, const PassWatcher& watch) {
  for (const Pass& pass : passes()) {
    if ((pass.for_device && !target.compiles) || (pass.for_side_by_side && !target.side_by_side)) continue;
    program = pass.run(std::move(program));
    if (!watch) continue;
    if (std::optional<Error> error = watch(pass, program)) return *error;
  }
  return program;
}

}  // namespace heddle::host
