#include "rewrites/plan/for_device.h"

#include <algorithm>

#include "rewrites/plan/columns_first.h"
#include "rewrites/plan/lie_alike.h"
#include "rewrites/seg/bins_by_elements.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/branches_by_elements.h"
#include "rewrites/seg/by_threads.h"
#include "rewrites/seg/choose_elements.h"
#include "rewrites/seg/computed_in_reductions.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/few_scans.h"
#include "rewrites/seg/find_commutative.h"
#include "rewrites/seg/fold_of_map.h"
#include "rewrites/seg/histograms_apart.h"
#include "rewrites/seg/pack_bins.h"
#include "rewrites/seg/points_as_read.h"
#include "rewrites/seg/read_behind_branches.h"
#include "rewrites/seg/reduce_elements.h"
#include "rewrites/seg/reduce_or_fail.h"
#include "rewrites/seg/rows_by_threads.h"
#include "rewrites/seg/scalars_on_device.h"
#include "rewrites/seg/scan_columns.h"
#include "rewrites/seg/scan_of_rows.h"
#include "rewrites/seg/single_elements.h"
#include "rewrites/seg/small_loops.h"
#include "rewrites/seg/split_histogram.h"
#include "rewrites/seg/sum_updates.h"
#include "rewrites/seg/unread_results.h"
#include "rewrites/seg/updates_of_neutral.h"
#include "rewrites/seg/where_few_points.h"
#include "rewrites/seg/with_segments.h"

namespace heddle::lower {

namespace {

bool by_blocks(const seg::SegOp& op) {
  if (op.kind == seg::SegKind::Hist) return seg::has_bins_of_scalars(op);
  bool updates = std::ranges::any_of(op.types, [](const seg::Type& t) { return t.is_acc(); });
  return seg::of_scalars(op) && (op.kind == seg::SegKind::Red || !updates);
}

seg::Stms split_histograms(const seg::Stms& stms, NameSource& names) {
  seg::Stms all;
  for (const seg::StmPtr& s : stms) {
    seg::Stms parts = seg::split_histogram(*s, names).value_or(seg::Stms{s});
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

// A histogram by other operations, which go through all bins; nothing where it is best as it is.
std::optional<seg::Stms> histogram_by_others(const seg::Stm& s, NameSource& names) {
  const std::vector<seg::HistOp>& hists = std::get<seg::SegOp>(s.exp).hists;
  const bool choose = std::ranges::all_of(hists, [](const seg::HistOp& h) { return seg::chooses(h.op); });
  if (auto packed = seg::pack_bins(s, names)) return choose ? *packed : split_histograms(*packed, names);
  if (auto chosen = seg::choose_elements(s, names)) return chosen;
  return seg::split_histogram(s, names);
}

seg::Stms histogram_of_scalars(const seg::Stm& s, NameSource& names) {
  seg::Stms all;
  for (const seg::StmPtr& part : seg::histograms_apart(s, names).value_or(seg::just(s))) {
    const auto others = histogram_by_others(*part, names);
    const seg::Stms made = others ? seg::where_few_points(*part, *others, names) : seg::Stms{part};
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

seg::Stms histogram_for_blocks(const seg::Stm& s, NameSource& names) {
  const std::optional<seg::Stms> elements = seg::bins_by_elements(s, names);
  if (!elements) return histogram_of_scalars(s, names);
  seg::Stms all;
  for (const seg::StmPtr& part : *elements) {
    const seg::Stms made =
        std::holds_alternative<seg::SegOp>(part->exp) ? histogram_of_scalars(*part, names) : seg::Stms{part};
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

}  // namespace

seg::Program for_device(const seg::Program& given, Device device, NameSource& names) {
  auto for_threads = [&] {
    return seg::small_loops(seg::single_elements(seg::rows_by_threads(given, names), names), names);
  };
  auto for_blocks = [&] {
    Result<seg::Program> found = seg::find_commutative(given);
    if (!found) throw Refused{found.error()};
    const seg::Program elements = seg::branches_by_elements(*found, names);
    const Result<seg::Program> summed =
        seg::updates_of_neutral(seg::sum_updates(seg::few_scans(elements, names), names));
    if (!summed) throw Refused{summed.error()};
    return seg::points_as_read(seg::fold_of_map(seg::reduce_elements(*summed, names), names), names);
  };
  const seg::Program program =
      device == Device::Threads ? seg::computed_in_reductions(for_threads(), names) : for_blocks();
  const seg::NameSet unread = device == Device::Threads ? seg::unread_results(program) : seg::NameSet{};
  auto replaced = seg::expand_host_stms(program, [&](const seg::Stm& s) {
    const auto* op = std::get_if<seg::SegOp>(&s.exp);
    if (!op || op->kind == seg::SegKind::Map) return seg::just(s);
    if (device == Device::Blocks) {
      if (auto columns = seg::scan_columns(s, names)) return *columns;
    }
    if (device == Device::Threads) {
      if (op->kind == seg::SegKind::Scan && by_blocks(*op)) return seg::just(s);  // scan_by_chunks.h
      if (auto rows = seg::scan_of_rows(s, names, seg::kProcessorLevels, &unread)) return *rows;
      return seg::by_threads(s, names, seg::kProcessorLevels, &unread);
    }
    if (!by_blocks(*op)) return seg::by_threads(s, names);
    if (op->kind == seg::SegKind::Hist) return histogram_for_blocks(s, names);
    auto with_segments = [&](const seg::Stm& r) { return seg::with_segments(r, names).value_or(seg::just(r)); };
    seg::StmExpander<decltype(with_segments)> expander(with_segments, false);
    return expander.stms(seg::reduce_or_fail(s, names).value_or(seg::just(s)));
  });
  if (!replaced) throw Refused{replaced.error()};
  if (device == Device::Threads) return std::move(*replaced);
  return columns_first(lie_alike(seg::scalars_on_device(seg::read_behind_branches(*replaced, names), names), names),
                       names);
}

}  // namespace heddle::lower
