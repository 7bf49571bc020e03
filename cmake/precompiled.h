// What most sources of heddle include, compiled once (precompiled.cmake).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/nest/traverse.h"
#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"
