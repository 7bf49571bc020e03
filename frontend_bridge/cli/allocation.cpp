// The tool's operator new and delete are mimalloc's: most of what it allocates is small nodes that live short, in no order,
// and the C library took more than half of the time for programs of megabytes to join free pieces and split them again.
#include <mimalloc-new-delete.h>
