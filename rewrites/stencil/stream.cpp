#include "rewrites/stencil/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

constexpr int64_t kWordBytes = 4;
// Of a root or the like, in plain operations.
constexpr int64_t kDear = 48;
// Registers of a thread beside the rows that it keeps.
constexpr int64_t kFewBeside = 30;

class Fit {
 public:
  Fit(const Pipeline& p, const Halos& halos, const StreamModel& model) : p_(p), halos_(halos), model_(model) {}

  Result<Stream> run() const {
    std::string why = why_no_stream();
    if (!why.empty()) return unsupported(why);
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int64_t step : model_.steps) {
      Stream s = with_step(step);
      if (step > 1 && (registers(s) > model_.most_registers || step * operations() > model_.most_operations)) continue;
      const int64_t bytes = s.shared_bytes(p_, halos_.group);
      least = std::min(least, bytes);
      if (bytes <= model_.most_scratch) return s;
    }
    return unsupported(fmt::format("a strip's rows take {} bytes, of at most {}", least, model_.most_scratch));
  }

 private:
  const std::vector<Halo>& halo(size_t k) const { return halos_.stages[k]; }
  const Halo& rows(size_t k) const { return halo(k)[halo(k).size() - 2]; }
  const Halo& columns(size_t k) const { return halo(k)[halo(k).size() - 1]; }
  size_t count() const { return halos_.group.stages.size(); }
  int64_t before(size_t k) const { return rows(k).left + rows(k).right; }

  std::string why_no_stream() const {
    if (halos_.tile_dims < 2) return "it has no rows to walk down";
    int64_t left = 0, right = 0;
    for (size_t k = 0; k < count(); ++k) {
      const Stage& s = p_.stage(halos_.group.stages[k]);
      const std::vector<Halo>& dims = halo(k);
      if (dims.size() < 2) return s.name + " has no rows and columns";
      // Threads beside an image, and rows before it, compute with zeros.
      if (s.only_where_needed) return s.name + " may be computed at points alone that somebody needs";
      for (size_t d = 0; d < dims.size(); ++d) {
        const bool is_walked = d + 2 >= dims.size();
        std::string why =
            is_walked ? why_not_walked(dims[d], halos_.tile_dims - (dims.size() - d)) : why_not_apart(dims[d]);
        if (!why.empty()) return fmt::format("{} {}", s.name, why);
      }
      if (before(k) < 0) return s.name + " has rows that nobody needs";
      if (before(k) > model_.most_rows_before)
        return fmt::format("{} needs {} rows before a segment's, of at most {}", s.name, before(k),
                           model_.most_rows_before);
      left = std::max(left, columns(k).left), right = std::max(right, columns(k).right);
    }
    for (size_t s : outputs(p_, halos_.group)) {
      if (!is_as_large_as_last(s))
        return p_.stage(s).name + " is stored, and not known to be as large as the last stage";
    }
    const double beside = static_cast<double>(left + right) / static_cast<double>(model_.threads);
    if (beside > model_.most_beside)
      return fmt::format("{:.0f} % of a strip's columns would be beside it", 100 * beside);
    return "";
  }

  // The strips and segments are those of the last stage.
  bool is_as_large_as_last(size_t s) const {
    if (s == halos_.group.stages.back()) return true;
    const std::vector<size_t>&own = p_.stage(s).extents, &of_last = p_.stage(halos_.group.stages.back()).extents;
    const std::vector<Halo>& halo = halos_.of(s);
    if (own.size() != halo.size() || of_last.size() != halos_.tile_dims) return false;
    for (size_t d = 0; d < halo.size(); ++d) {
      if (!halo[d].aligned || own[d] != of_last[halo[d].aligned->tile_dim]) return false;
    }
    return true;
  }

  static std::string why_not_walked(const Halo& h, size_t tile_dim) {
    if (h.wraps) return "goes on at the image's other end";
    if (!h.aligned || h.aligned->tile_dim != tile_dim) return "has rows and columns of another kind";
    if (h.aligned->scale != Ratio{} || h.shift != 0) return "is sampled at another rate";
    return "";
  }

  // A dimension of which a block has one point.
  std::string why_not_apart(const Halo& h) const {
    const bool is_one = h.aligned ? h.aligned->tile_dim + 2 < halos_.tile_dims && h.aligned->scale == Ratio{} &&
                                        h.left == 0 && h.right == 0 && h.shift == 0
                                  : h.fixed.size() == 1;
    return is_one && !h.wraps ? "" : "is read around in more than rows and columns";
  }

  int64_t operations() const {
    int64_t sum = 0;
    for (size_t s : halos_.group.stages) sum += p_.stage(s).alu_ops + kDear * p_.stage(s).sfu_ops;
    return sum;
  }

  // Whether whoever reads the stage reads its own column alone.
  bool is_read_in_columns(size_t k) const {
    const size_t producer = halos_.group.stages[k];
    for (size_t r : halos_.group.stages) {
      const Stage& reader = p_.stage(r);
      for (const Read& read : reader.reads) {
        if (!(read.source == Source{Source::Kind::Stage, producer})) continue;
        const Window& rows = read.windows[read.windows.size() - 2];
        const Window& columns = read.windows.back();
        if (rows.follows != reader.domain.size() - 2 || columns.follows != reader.domain.size() - 1) return false;
        if (rows.num != 1 || rows.den != 1 || columns.num != 1 || columns.den != 1) return false;
        if (columns.lo != 0 || columns.hi != 0) return false;
      }
    }
    return true;
  }

  Stream with_step(int64_t step) const {
    Stream s{model_.threads, step, 0, 0, model_.blocks, model_.least_segment, model_.registers, {}};
    s.stages.resize(count(), {Kept::Nowhere, 0, 0});
    for (size_t k = 0; k < count(); ++k) {
      s.left = std::max(s.left, columns(k).left);
      s.right = std::max(s.right, columns(k).right);
    }
    for (size_t k = count(); k-- > 0;) {
      StreamedStage& stage = s.stages[k];
      int64_t least_ahead = std::numeric_limits<int64_t>::max(), most_ahead = 0;
      for (size_t r = k + 1; r < count(); ++r) {
        const std::vector<size_t>& readers = p_.consumers(halos_.group.stages[k]);
        if (std::ranges::find(readers, halos_.group.stages[r]) == readers.end()) continue;
        least_ahead = std::min(least_ahead, s.stages[r].ahead);
        most_ahead = std::max(most_ahead, s.stages[r].ahead);
      }
      if (least_ahead > most_ahead) continue;  // nobody reads it here
      // What readers at different steps need is not where one thread's window is.
      const bool in_registers =
          least_ahead == most_ahead && is_read_in_columns(k) && words(k) * (step + before(k)) <= model_.most_registers;
      stage.kept = in_registers ? Kept::Registers : Kept::Shared;
      stage.ahead = in_registers ? most_ahead : most_ahead + 1;
      const int64_t needed = step * (1 + stage.ahead - least_ahead) + before(k);
      stage.rows = in_registers ? needed : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(needed)));
    }
    const bool shares = std::ranges::any_of(s.stages, [](const StreamedStage& k) { return k.kept == Kept::Shared; });
    if (!shares) s.registers = std::clamp(kFewBeside + registers(s), model_.few_registers, model_.registers) / 8 * 8;
    return s;
  }

  int64_t words(size_t k) const {
    int64_t sum = 0;
    for (int64_t bytes : p_.stage(halos_.group.stages[k]).element_bytes) sum += (bytes + kWordBytes - 1) / kWordBytes;
    return sum;
  }

  int64_t registers(const Stream& s) const {
    int64_t sum = 0;
    for (size_t k = 0; k < count(); ++k) sum += s.stages[k].kept == Kept::Registers ? s.stages[k].rows * words(k) : 0;
    return sum;
  }

  const Pipeline& p_;
  const Halos& halos_;
  const StreamModel& model_;
};

}  // namespace

int64_t Stream::most_ahead() const { return std::ranges::max(stages, {}, &StreamedStage::ahead).ahead; }

int64_t Stream::segment(int64_t rows, int64_t columns, int64_t others) const {
  const int64_t strips = ceil_div(std::max<int64_t>(columns, 1), this->columns()) * std::max<int64_t>(others, 1);
  return ceil_div(std::max(ceil_div(rows * strips, blocks), least_segment), step) * step;
}

int64_t Stream::shared_bytes(const Pipeline& p, const Group& g) const {
  int64_t bytes = 0;
  for (size_t k = 0; k < stages.size(); ++k) {
    if (stages[k].kept == Kept::Shared) bytes += stages[k].rows * threads * bytes_per_point(p.stage(g.stages[k]));
  }
  return bytes;
}

Result<Stream> fit_stream(const Pipeline& p, const Halos& halos, const StreamModel& model) {
  return Fit(p, halos, model).run();
}

Tile tile_of(const Stream& s, const std::vector<Interval>& points) {
  const size_t dims = points.size();
  int64_t others = 1;
  for (size_t d = 0; d + 2 < dims; ++d) others *= points[d].size();
  Tile tile(dims, 1);
  tile[dims - 2] = s.segment(points[dims - 2].size(), points[dims - 1].size(), others);
  tile[dims - 1] = s.columns();
  return tile;
}

std::string text(const Pipeline& p, const Group& g, const Stream& s) {
  std::string kept;
  for (size_t k = 0; k < s.stages.size(); ++k) {
    const StreamedStage& stage = s.stages[k];
    if (stage.kept == Kept::Nowhere) continue;
    kept += fmt::format("{}{} {} rows{}, {} ahead", kept.empty() ? "" : "; ", p.stage(g.stages[k]).name, stage.rows,
                        stage.kept == Kept::Shared ? " shared" : "", stage.ahead * s.step);
  }
  return fmt::format("strips of {} columns, {} rows a step: {}; {} bytes shared", s.columns(), s.step, kept,
                     s.shared_bytes(p, g));
}

}  // namespace heddle::stencil
