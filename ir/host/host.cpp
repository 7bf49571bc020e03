#include "ir/host/host.h"

namespace heddle::host {

Records::Records() = default;
Records::Records(const Records& other) = default;
Records::Records(Records&& other) noexcept = default;
Records& Records::operator=(const Records& other) = default;
Records& Records::operator=(Records&& other) noexcept = default;
Records::~Records() = default;

}  // namespace heddle::host
