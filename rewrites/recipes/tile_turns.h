// How a team of threads, a block or a warp, shares the points of a box, which is a part of an image and lies behind constants.
//
//   by_points(18 x 66)                                    each thread takes every 256th point
//     for piece in 5 { let at = piece*256 + thread; if at < 1188 { S(at / 66, at % 66) } }
//
//   by_strips(20 x 66, strips of 5 rows)                  each thread takes points below each other, so that what these
//     for piece in 2 {                                    read in common stays in its registers
//       let at = piece*256 + thread
//       if at < 264 { S(i -> (at / 66 * 5 + i, at % 66)) }     where S has the loops over i in 5
//     }
#pragma once

#include <functional>

#include "ir/nest/nest.h"

namespace heddle::lower {

struct TeamOfThreads {
  Name thread;                             // number of a thread in its team
  int64_t threads;                         // in a team
  nest::Scope scope = nest::Scope::Block;  // of its barriers
};

// Points of a box, by dimension, counted from its first point.
using Digits = std::vector<nest::Expr>;

nest::Stmt by_points(const std::vector<int64_t>& box, const TeamOfThreads& team,
                     const std::function<nest::Block(const Digits&)>& point, NameSource& names);

// As a strip's, over which of them it is.
using StripDigits = std::function<Digits(const nest::Expr& row)>;

struct Strips {
  size_t along = 0;  // dimension
  int64_t rows = 1;  // points of a strip
};

// The strips with which the slowest thread has least to do, of at most so many rows. They never lie along the last dimension that
// is not narrow, so that neighbours in memory stay neighbours among threads. A box whose extent is no multiple of the rows must
// be made larger. `points_of_row`: what a strip has in each row; with more of them a row is dearer, and what a strip costs beside its rows is not.
Strips strips_for(const std::vector<int64_t>& box, int64_t threads, int64_t most_rows, int64_t points_of_row = 1);

nest::Stmt by_strips(const std::vector<int64_t>& box, const Strips& strips, const TeamOfThreads& team,
                     const std::function<nest::Block(const StripDigits&)>& strip, NameSource& names);

}  // namespace heddle::lower
