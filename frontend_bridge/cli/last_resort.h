// What nobody else handles.
#pragma once

#include <functional>

namespace heddle::cli {

// The exit code of `action`. Whatever it throws is reported; so is output that standard output does not take.
int last_resort(const std::function<int()>& action);

}  // namespace heddle::cli
