// What most tests include, compiled once (cmake/precompiled.cmake).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/precompiled.h"
