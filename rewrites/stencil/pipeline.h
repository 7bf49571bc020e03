// A pipeline of stages as the models look at it: what each stage reads and how dear it is, without any code.
//
//   blurx(y, x) = img(y, x-1) + img(y, x) + img(y, x+1)            img --(0, -1..1)--> blurx --(-1..1, 0)--> blury
//   blury(y, x) = blurx(y-1, x) + blurx(y, x) + blurx(y+1, x)
//
// Words as in the papers: a stage computes one image, or several of the same shape, point by point; a group is a set of
// stages that becomes one kernel; a window is what a point reads of an image along one of its dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/support/error.h"

namespace heddle::stencil {

struct Interval {
  int64_t first = 0, last = -1;  // both within it; empty if last < first

  int64_t size() const { return last < first ? 0 : last - first + 1; }
  bool operator==(const Interval&) const = default;
};

// What stands for an element beyond the image's border; n is the image's extent.
enum class Border {
  None,     // none is read
  Clamp,    // the element at the border
  Mirror,   // -1 is 0, -2 is 1; n is n-1, n+1 is n-2
  Wrap,     // -1 is n-1, n is 0
  Constant  // a value that is the same everywhere
};

// The indices floor((num * x + o) / den) for o = lo..hi, where x is the index of the consumer's point in dimension
// `follows`. Where the window follows none, they are lo..hi themselves, for all points: an element, a table, a whole
// row.
struct Window {
  std::optional<size_t> follows = {};
  int64_t lo = 0, hi = 0;
  int64_t num = 1, den = 1;
  Border border = Border::None;
};

// What is read: a stage's result, or an image that exists before.
struct Source {
  enum class Kind { Stage, Input } kind = Kind::Stage;
  size_t number = 0;

  bool operator==(const Source&) const = default;
};

struct Read {
  Source source;
  std::vector<Window> windows;  // one for each dimension of the source
};

enum class StageKind {
  Point,  // reads one element of each image
  Local,  // reads windows
  Global  // reads whole images: a reduction, a histogram
};

struct Image {
  std::string name;
  std::vector<Interval> domain;
  int64_t element_bytes = 4;
};

struct Stage {
  std::string name;
  StageKind kind = StageKind::Point;
  std::vector<Interval> domain;  // where it is computed; sizes that are not known are estimates
  std::vector<size_t> extents =
      {};  // by dimension: equal numbers for equal extents, whatever the sizes; or none is known
  std::vector<int64_t> element_bytes = {4};  // of each of its results
  int64_t alu_ops = 1, sfu_ops = 0;          // at a point: plain operations; exponentials, roots and the like
  int64_t registers = 16;                    // of a thread that computes it alone
  std::optional<double> point_ns = {};  // measured time of a point in one thread; else estimated from the operations
  bool live_out = false;                // a result of the pipeline, or read by what is no stage
  bool needed_as_a_whole = false;       // by another stage, too, before that one's first point
  bool alone = false;                   // to be a kernel of its own, which others run beside
  bool has_borders = false;             // what a point computes depends on how near it is to one
  bool only_where_needed = false;       // may it be computed: elsewhere it might fail, or read what does not exist
  std::vector<Read> reads = {};
};

// All that a stage reads of another.
struct Edge {
  size_t producer, consumer;
  std::vector<const Read*> reads;  // of the consumer
};

// Stages in an order in which they can run, and the images from which they begin.
class Pipeline {
 public:
  // Refuses stages out of order and windows that do not fit the dimensions.
  static Result<Pipeline> of(std::vector<Image> inputs, std::vector<Stage> stages);

  const std::vector<Image>& inputs() const { return inputs_; }
  const std::vector<Stage>& stages() const { return stages_; }
  const Stage& stage(size_t s) const { return stages_[s]; }
  size_t size() const { return stages_.size(); }

  // Ordered by consumer, then producer.
  std::vector<Edge> edges() const;
  // What reads the stage, and which stages it reads; each once, in order.
  const std::vector<size_t>& consumers(size_t s) const { return consumers_[s]; }
  const std::vector<size_t>& producers(size_t s) const { return producers_[s]; }
  // The images that a stage reads, each once: what counts as its inputs.
  std::vector<Source> sources(size_t s) const;
  const std::vector<Interval>& domain(const Source& source) const;
  const std::string& name(const Source& source) const;

 private:
  Pipeline() = default;
  std::vector<Image> inputs_;
  std::vector<Stage> stages_;
  std::vector<std::vector<size_t>> consumers_, producers_;
};

// No more than kManyPoints, which products of unknown sizes reach: so that they can still be multiplied by bytes.
constexpr int64_t kManyPoints = int64_t{1} << 50;
int64_t points(const std::vector<Interval>& domain);
int64_t bytes_per_point(const Stage& s);
// How many elements a point reads by one access, and by all of a stage.
int64_t loads(const Read& r);
int64_t loads(const Stage& s);

}  // namespace heddle::stencil
