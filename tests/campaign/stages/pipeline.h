// A pipeline of stages drawn at random: what each of them computes of which elements, before anybody has written it down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/campaign/random.h"

namespace heddle::campaign {

// Of a dimension: n * num / den - less, where n is one of the images' sizes, or a constant.
struct Extent {
  int size = 0;  // its number; -1: `constant`
  int64_t num = 1, den = 1, less = 0;
  int64_t constant = 0;
};

// What is read where an index lies beyond the array.
enum class Border {
  None,          // the program fails
  Clamp,         // max 0 (min (n - 1) i)
  ClampBelow,    // min (n - 1) (max 0 i)
  Mirror,        // without the border itself, where n is large enough
  MirrorTwice,   // with it
  Guard,         // a constant
  Inside,        // the element at the point, unless the whole window is inside
  Wrap,          // i % n
  WrapByChoice,  // i + n, i - n
};

// An index of an element that is read: own index * num / den + offset, or (own index * num + offset) / den.
struct Index {
  int along = -1;  // number of the own dimension; -1: the offset alone
  int64_t num = 1, den = 1, offset = 0;
  bool offset_first = false;
  Border border = Border::None;
};

struct Read {
  int stage = -1;  // its number; below 0: image -1 - stage
  int result = 0;  // number of the stage's result
  std::vector<Index> at;
};

struct Term {
  enum class Kind {
    Sum,        // of weighted reads
    Least,      // of reads
    Loop,       // sum over a window in dimension `along` of the first read, with weights
    Filter,     // the same with weights from the table
    Table,      // the table's element where the first read says
    Choice,     // if first < second then third else fourth read
    MovedFrom,  // the second read, one further along `along` if the first is above a number
    Whole,      // what a reduction of a whole stage gives
  } kind = Kind::Sum;
  std::vector<Read> reads;
  int64_t weight = 1;  // in quarters where it is a float
  int along = 0;
  char op = '+';  // with what stands before: + - m(ax)
};

struct Stage {
  std::vector<std::string> types;  // of its results
  std::vector<Extent> dims;
  std::vector<std::vector<Term>> terms;  // by result
};

// A reduction of a whole result of a stage, of which no stage knows.
struct Fold {
  enum class Kind { Sum, Greatest, Both } kind = Kind::Greatest;  // the first and the last of integers alone
  size_t stage = 0, result = 0;
  int64_t weight = 1;
  bool from_image = false;  // of the differences from image 0, which is as large, of the same type
  int64_t limit = 0;        // of a step that is repeated: it is the last unless the reduction yields more
};

struct Image {
  std::string type;
  std::vector<Extent> dims;
};

struct Pipeline {
  std::string name;
  int sizes = 2;  // how many
  int rank = 2;   // the first of them are those of image 0; others have nothing to do with them
  std::vector<Image> images;
  std::vector<Stage> stages;
  std::vector<size_t> results;  // stages
  bool computes_table = false;
  bool layered =
      false;  // at the end, layers of the last stage, of which each is made of the one below and put in place
  bool repeated = false;    // all of it, as often as an argument says, image 0 becoming the last stage
  std::vector<Fold> folds;  // results, too; where it is repeated, steps end with the first of them
};

Pipeline draw_pipeline(Random& random, const std::string& name);
// Gives it some.
void draw_folds(Random& random, Pipeline& p);
std::vector<int64_t> draw_sizes(Random& random, const Pipeline& p);

// As a Futhark program's entry point; programs begin with the prelude.
std::string_view prelude();
std::string text(const Pipeline& p);

// Pipelines that have something less.
std::vector<Pipeline> smaller(const Pipeline& p);

}  // namespace heddle::campaign
