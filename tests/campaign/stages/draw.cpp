#include <algorithm>
#include <functional>

#include "tests/campaign/stages/pipeline.h"

namespace heddle::campaign {

namespace {

const std::vector<std::string> kTypes = {"u8", "i16", "i32", "i32", "f32", "f32", "f32", "f64"};
const std::vector<std::string> kNarrowTypes = {"u8", "i16"};
const std::vector<std::string> kPlainTypes = {"f32", "f32", "i32"};

class Draw {
 public:
  Draw(Random& random, const std::string& name) : random_(random) { p_.name = name; }

  Pipeline run() {
    types_ = random_.percent(25) ? kNarrowTypes : kTypes;
    p_.sizes = p_.rank = random_.percent(60) ? 2 : random_.percent(60) ? 1 : 3;
    p_.repeated = random_.percent(12);
    is_plain_ = p_.repeated && random_.percent(50);
    if (is_plain_) {
      types_ = kPlainTypes;
      if (random_.percent(70)) p_.sizes = p_.rank = 2;
    }
    has_unrelated_ = random_.percent(30);
    wraps_ = random_.percent(15);
    percent_results_ = random_.percent(20) ? 50 : 12;
    p_.layered = !p_.repeated && random_.percent(10);
    p_.computes_table = random_.percent(50);
    images();
    const int64_t count = is_plain_ ? 1 : p_.repeated ? random_.between(1, 3) : random_.between(2, 8);
    for (int64_t s = 0; s < count; ++s) stage(s == count - 1);
    results();
    return std::move(p_);
  }

 private:
  void images() {
    std::vector<Extent> all;
    for (int s = 0; s < p_.rank; ++s) all.push_back({s});
    if (random_.percent(25))
      all.insert(random_.percent(55) ? all.end() : all.begin(), {-1, 1, 1, 0, random_.between(2, 4)});
    p_.images.push_back({random_.pick(types_), all});
    if (has_unrelated_) {
      Image image{random_.pick(types_), with_other_sizes(all, [&] { return p_.sizes++; })};
      p_.images.push_back(image);
    }
    if (!random_.percent(40)) return;
    Image second{random_.pick(types_), all};
    if (random_.percent(40) && all.size() > 1)
      second.dims.erase(second.dims.begin() + random_.below(static_cast<int64_t>(all.size())));
    p_.images.push_back(second);
  }

  // Some of the dimensions, one at least.
  std::vector<Extent> with_other_sizes(std::vector<Extent> dims, const std::function<int()>& size) {
    std::vector<Extent*> wide;
    for (Extent& e : dims) {
      if (e.size >= 0) wide.push_back(&e);
    }
    if (wide.empty()) return dims;
    Extent* const one = random_.pick(wide);
    for (Extent* e : wide) {
      if (e == one || random_.percent(50)) *e = {size()};
    }
    return dims;
  }

  const std::vector<Extent>& dims(int stage) const {
    return stage < 0 ? p_.images[static_cast<size_t>(-1 - stage)].dims : p_.stages[static_cast<size_t>(stage)].dims;
  }

  // Mostly what was made last.
  int source() {
    const int made = static_cast<int>(p_.stages.size()), images = static_cast<int>(p_.images.size());
    if (made > 0 && random_.percent(60)) return made - 1;
    return static_cast<int>(random_.between(-images, made - 1));
  }

  void stage(bool is_last) {
    Stage s;
    const int mainly = p_.repeated ? -1 : source();
    s.dims = dims(mainly);
    if (!p_.repeated) resize(s.dims);
    if (!p_.repeated && has_unrelated_ && random_.percent(10))
      s.dims = with_other_sizes(s.dims, [&] { return static_cast<int>(random_.below(p_.sizes)); });
    const bool two = !p_.repeated && random_.percent(15);
    const int64_t most_terms = is_plain_ ? 2 : 3;
    for (int k = 0; k < (two ? 2 : 1); ++k) {
      s.types.push_back(p_.repeated && is_last ? p_.images[0].type : random_.pick(types_));
      std::vector<Term>& terms = s.terms.emplace_back();
      for (int64_t t = random_.between(1, most_terms); t > 0; --t) {
        // The first reads what the stage is as large as.
        const int from = (!p_.repeated || is_plain_) && terms.empty() ? mainly : source();
        if (!dims(from).empty()) terms.push_back(term(s, from));
      }
    }
    p_.stages.push_back(s);
  }

  void resize(std::vector<Extent>& dims) {
    const bool sampled = random_.percent(18), valid = random_.percent(12);
    const bool half = random_.percent(50);
    for (Extent& e : dims) {
      if (e.size < 0) continue;
      // Ratios are powers of two between a quarter and four.
      if (sampled && e.less == 0 && random_.percent(80)) {
        int64_t& shrinks = half ? e.num : e.den;
        int64_t& grows = half ? e.den : e.num;
        if (shrinks > 1)
          shrinks /= 2;
        else if (grows < 4)
          grows *= 2;
      } else if (valid && e.less < 6) {
        e.less += 2;
      }
    }
    auto is_image = [](const Extent& e) { return e.size >= 0; };
    if (dims.size() == 2 && std::ranges::all_of(dims, is_image) && random_.percent(6))
      dims.insert(dims.begin(), {-1, 1, 1, 0, random_.between(2, 4)});  // colours
    if (dims.size() > 1 && random_.percent(4))
      dims.erase(dims.begin() + random_.below(static_cast<int64_t>(dims.size())));
  }

  // ---- Reads. ----

  Read read_at(const Stage& s, int from, Border border, bool at_point) {
    Read r{from,
           from < 0 ? 0
                    : static_cast<int>(
                          random_.below(static_cast<int64_t>(p_.stages[static_cast<size_t>(from)].types.size()))),
           {}};
    for (const Extent& e : dims(from)) {
      Index i;
      for (size_t d = 0; d < s.dims.size(); ++d) {
        if (s.dims[d].size == e.size && (e.size >= 0 || s.dims[d].constant == e.constant))
          i.along = static_cast<int>(d);
      }
      if (e.size < 0) {
        if (i.along < 0 || random_.percent(20))
          i.along = -1, i.offset = random_.below(e.constant);
        else if (random_.percent(25))
          other_colour(i, e.constant);
      } else if (i.along < 0 || random_.percent(3)) {
        // Another dimension, or none.
        i.along = random_.percent(70) ? static_cast<int>(random_.below(static_cast<int64_t>(s.dims.size()))) : -1;
        i.border = random_.pick(std::vector<Border>{Border::Clamp, Border::Clamp, Border::ClampBelow, Border::Guard,
                                                    Border::Guard, Border::Wrap});
        if (i.along >= 0 && !at_point) i.offset = random_.between(-radius_, radius_);
        if (i.along >= 0 && random_.percent(15)) (random_.percent(50) ? i.num : i.den) = 2;
      } else {
        const Extent& own = s.dims[static_cast<size_t>(i.along)];
        const int64_t num = e.num * own.den, den = e.den * own.num;
        i.num = std::max<int64_t>(1, num / den), i.den = std::max<int64_t>(1, den / num);
        i.border = border;
        const bool same = e.num == own.num && e.den == own.den;
        // Where it is larger, no index is beyond it.
        if (same && e.less < own.less && random_.percent(70)) {
          i.border = Border::None;
          if (!at_point) i.offset = random_.between(0, own.less - e.less);
        } else if (same && e.less == own.less && at_point) {
          i.border = random_.percent(80) ? Border::None : border;
        } else {
          if (border == Border::Inside && !same) i.border = Border::Clamp;
          if (border == Border::None && random_.percent(97)) i.border = Border::Clamp;
          if (!at_point) i.offset = random_.between(-radius_, radius_);
          if (i.den > 1) i.offset_first = random_.percent(50);
          if (i.num > 1 && at_point) i.offset = random_.below(2);
        }
      }
      r.at.push_back(i);
    }
    return r;
  }

  // Of a few, not the point's own: the next but one, or counted from the end.
  void other_colour(Index& i, int64_t count) {
    if (random_.percent(25)) {
      i.num = -1, i.offset = count - 1;
      return;
    }
    i.border = random_.pick(
        std::vector<Border>{Border::Clamp, Border::ClampBelow, Border::MirrorTwice, Border::Guard, Border::Wrap});
    i.offset = random_.between(-2, 2);
  }

  Border border() {
    static const std::vector<Border> some = {Border::Clamp,       Border::Clamp,  Border::ClampBelow, Border::Guard,
                                             Border::Guard,       Border::Inside, Border::Inside,     Border::Mirror,
                                             Border::MirrorTwice, Border::None};
    if (random_.percent(wraps_ ? 80 : 4)) return random_.percent(50) ? Border::Wrap : Border::WrapByChoice;
    return random_.pick(some);
  }

  // A dimension of the array that goes along with one of the stage's; 0 if there is none.
  int window_dim(const Read& r) {
    for (int tries = 0; tries < 4; ++tries) {
      auto d = random_.below(static_cast<int64_t>(r.at.size()));
      const Index& i = r.at[static_cast<size_t>(d)];
      if (i.along >= 0 && i.border != Border::None) return static_cast<int>(d);
    }
    return -1;
  }

  Term term(const Stage& s, int from) {
    Term t;
    t.weight = random_.between(1, 5);
    t.op = random_.pick(std::vector<char>{'+', '+', '-', 'm'});
    radius_ = random_.percent(70) ? 1 : 3;
    const Border b = border();
    auto windows = [&](int64_t count) {
      for (int64_t k = 0; k < count; ++k) t.reads.push_back(read_at(s, from, b, false));
    };
    const int64_t kind = is_plain_ ? random_.between(10, 64) : random_.below(100);
    if (kind < 25) {
      t.reads.push_back(read_at(s, from, b, true));
    } else if (kind < 55) {
      windows(random_.between(2, is_plain_ ? 3 : 5));
    } else if (kind < 65) {
      t.kind = Term::Kind::Least;
      windows(random_.between(2, 4));
    } else if (kind < 78) {
      t.reads.push_back(read_at(s, from, b, true));
      t.along = window_dim(t.reads[0]);
      if (t.along >= 0) t.kind = random_.percent(50) ? Term::Kind::Loop : Term::Kind::Filter;
    } else if (kind < 84) {
      t.kind = Term::Kind::Table;
      t.reads.push_back(read_at(s, from, b, random_.percent(50)));
    } else if (kind < 91) {
      t.kind = Term::Kind::Choice;
      t.reads = {read_at(s, source(), b, true), read_at(s, from, b, random_.percent(50)), read_at(s, from, b, false),
                 read_at(s, from, border(), false)};
    } else if (kind < 97) {
      t.reads = {read_at(s, source(), b, true), read_at(s, from, b, true)};
      t.along = window_dim(t.reads[1]);
      if (t.along >= 0) t.kind = Term::Kind::MovedFrom;
    } else {
      t.reads.push_back(read_at(s, from, b, true));
      if (from >= 0 && !p_.repeated) t.kind = Term::Kind::Whole;
    }
    return t;
  }

  void results() {
    for (size_t s = 0; s + 1 < p_.stages.size(); ++s) {
      if (!p_.repeated && random_.percent(percent_results_)) p_.results.push_back(s);
    }
    p_.results.push_back(p_.stages.size() - 1);
  }

  Random& random_;
  Pipeline p_;
  std::vector<std::string> types_;  // of images and results
  int64_t radius_ = 1;
  bool is_plain_ = false;  // steps of one stage, of little arithmetic
  bool has_unrelated_ = false;
  bool wraps_ = false;  // images are tori, mostly
  int64_t percent_results_ = 12;
};

}  // namespace

Pipeline draw_pipeline(Random& random, const std::string& name) { return Draw(random, name).run(); }

void draw_folds(Random& random, Pipeline& p) {
  const int64_t count = p.repeated ? 1 : random.between(0, 3);
  for (int64_t k = 0; k < count; ++k) {
    Fold f;
    // Most of the last stage, of which the others are what it is made of.
    f.stage = random.percent(60) ? p.stages.size() - 1
                                 : static_cast<size_t>(random.below(static_cast<int64_t>(p.stages.size())));
    const Stage& stage = p.stages[f.stage];
    f.result = static_cast<size_t>(random.below(static_cast<int64_t>(stage.types.size())));
    const bool is_float = stage.types[f.result][0] == 'f';
    if (!is_float) f.kind = random.pick(std::vector<Fold::Kind>{Fold::Kind::Sum, f.kind, Fold::Kind::Both});
    f.weight = random.between(1, 5);
    f.from_image = p.repeated && f.stage + 1 == p.stages.size() && random.percent(60);
    f.limit = random.pick(std::vector<int64_t>{-9'999'999, 3, 40, 400, 4000});
    p.folds.push_back(f);
  }
}

// Of an image with rows: few columns, or few rows, and many of the others.
void make_narrow(Random& random, std::vector<int64_t>& sizes, int rank) {
  int64_t &rows = sizes[static_cast<size_t>(rank) - 2], &columns = sizes[static_cast<size_t>(rank) - 1];
  const int64_t how = random.below(100);
  if (how < 15) {
    columns = random.between(1, 40);
    rows = random.between(17, rank == 3 ? 71 : 131);
  } else if (how < 25) {
    rows = random.between(1, 7);
    columns = random.between(31, 271);
  }
}

std::vector<int64_t> draw_sizes(Random& random, const Pipeline& p) {
  static const std::vector<int64_t> tiny = {1, 1, 2, 3, 4, 5, 6}, small = {7, 11, 13, 16, 17, 19, 23, 24, 29},
                                    large = {31, 37, 48, 53, 64, 71};
  const int64_t how = random.below(100);
  std::vector<int64_t> sizes;
  for (int s = 0; s < p.sizes; ++s) {
    // Those that are nobody else's are now and then as large as another, or of another kind.
    if (s >= p.rank && random.percent(20)) {
      sizes.push_back(random.pick(sizes));
      continue;
    }
    // The first of three sizes stays small, since all have.
    const bool is_tiny = how < 15 || (p.rank == 3 && s == 0) || (s >= p.rank && random.percent(20));
    sizes.push_back(random.pick(is_tiny ? tiny : how < (p.rank == 3 ? 95 : 75) ? small : large));
  }
  if (p.rank == 1) sizes[0] *= random.between(1, 9);
  if (p.rank > 1) make_narrow(random, sizes, p.rank);
  return sizes;
}

}  // namespace heddle::campaign
