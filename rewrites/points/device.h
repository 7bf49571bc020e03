// What runs the kernels.
#pragma once

namespace heddle::lower {

enum class Device {
  Threads,  // a few that work by themselves, each with a cache: a processor
  Blocks,   // of threads that also work together, so many that neighbours should access neighbours in memory: a GPU
};

}  // namespace heddle::lower
