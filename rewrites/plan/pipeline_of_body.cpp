#include "rewrites/plan/pipeline_of_body.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "rewrites/plan/arrays_used.h"
#include "rewrites/plan/estimate.h"
#include "rewrites/plan/join_reductions.h"
#include "rewrites/plan/only_where_needed.h"

namespace heddle::lower {

bool PipelineOfBody::describe() {
  number_stages();
  if (stages_.empty()) return false;
  images_.clear();
  std::vector<bool> live_out = read_elsewhere();
  std::vector<stencil::Stage> stages;
  for (size_t s = 0; s < stages_.size(); ++s) stages.push_back(described(s, live_out[s]));
  auto pipeline = stencil::Pipeline::of(images_, std::move(stages));
  if (!pipeline) return false;
  pipeline_.emplace(std::move(*pipeline));
  return true;
}

void PipelineOfBody::number_stages() {
  stages_.clear();
  maker_.clear();
  folded_.clear();
  for (size_t at = 0; at < body_.stms.size(); ++at) {
    auto it = codes_.find(body_.stms[at].get());
    if (it == codes_.end() || dissolved_.contains(it->first)) continue;
    for (const Name& array : it->second.arrays) maker_.insert_or_assign(array, stages_.size());
    for (const StageFold& f : it->second.folds) {
      for (const seg::PatElem& p : f.reduction->pat) {
        maker_.insert_or_assign(p.name, stages_.size());
        folded_.insert(p.name);
      }
    }
    stages_.push_back({&it->second, at});
  }
  // Those of a stage that stands in a reduction's place may have other names before it.
  for (const seg::StmPtr& s : body_.stms) {
    const Name* array = same_array(*s);
    auto maker = array ? maker_.find(*array) : maker_.end();
    if (maker == maker_.end()) continue;
    maker_.insert_or_assign(s->pat[0].name, size_t{maker->second});
    if (folded_.contains(*array)) folded_.insert(s->pat[0].name);
  }
}

stencil::Stage PipelineOfBody::described(size_t s, bool is_read_elsewhere) {
  const StageCode& code = *stages_[s].code;
  stencil::Stage stage = for_models(code);
  for (const recognize::Index& i : code.indices) {
    stage.domain.push_back({0, estimate(i.extent, host_.facts) - 1});
    stage.extents.push_back(number_of(i.extent, extents_));
  }
  stage.alone = alone_.contains(stm(s).get());
  stage.live_out = is_read_elsewhere || !code.folds.empty();
  stage.only_where_needed = only_where_needed(code, host_, names_);
  stage.needed_as_a_whole = is_read_as_a_whole(s) || decides_about_stages(code, stages_[s].at, body_, codes_);
  auto read = [&](stencil::Source source, const std::vector<stencil::Window>& windows) {
    stage.reads.push_back({source, windows});
    bool point = std::ranges::all_of(windows, [](const stencil::Window& w) { return w.lo == w.hi; });
    if (!point) stage.kind = stencil::StageKind::Local;
  };
  for (const recognize::WindowedRead& r : code.reads) {
    auto producer = maker_.find(r.buffer);
    if (producer == maker_.end() || folded_.contains(r.buffer)) {
      read(image(code, r.buffer), r.windows);
    } else {
      read({stencil::Source::Kind::Stage, producer->second}, r.windows);
    }
  }
  // What is read elsewhere than around the point counts as one element that is the same for all points.
  for (size_t b = 0; b < code.launch.buffer_args.size(); ++b) {
    const nest::Buffer& buffer = code.launch.kernel.buffers[b];
    bool known = std::ranges::find(code.reads, buffer.name, &recognize::WindowedRead::buffer) != code.reads.end();
    if (std::holds_alternative<HostArray>(code.launch.buffer_args[b]) && !known && !maker_.contains(buffer.name))
      read(image(code, buffer.name), std::vector<stencil::Window>(buffer.dims.size()));
  }
  return stage;
}

// The image from which the stage reads.
stencil::Source PipelineOfBody::image(const StageCode& code, const Name& array) {
  auto known = std::ranges::find(images_, array.text(), &stencil::Image::name);
  auto number = static_cast<size_t>(known - images_.begin());
  if (known == images_.end()) {
    const nest::Buffer& buffer = nest::buffer_named(code.launch.kernel.buffers, array);
    stencil::Image described{array.text(), {}, prim::size_bytes(buffer.elem)};
    for (const nest::Expr& extent : buffer.dims) described.domain.push_back({0, estimate(extent, host_.facts) - 1});
    images_.push_back(std::move(described));
  }
  return {stencil::Source::Kind::Input, number};
}

bool PipelineOfBody::is_read_as_a_whole(size_t s) const {
  return std::ranges::any_of(stages_, [&](const Member& m) {
    return std::ranges::any_of(m.code->elsewhere, [&](const recognize::OtherRead& r) { return maker(r.buffer) == s; });
  });
}

std::vector<const StageCode*> PipelineOfBody::codes_of(const stencil::Group& group) const {
  std::vector<const StageCode*> codes;
  for (size_t s : group.stages) codes.push_back(stages_[s].code);
  return codes;
}

std::vector<const StageCode*> PipelineOfBody::all_codes() const {
  std::vector<const StageCode*> codes;
  for (const Member& m : stages_) codes.push_back(m.code);
  return codes;
}

std::optional<size_t> PipelineOfBody::maker(const Name& array) const {
  auto it = maker_.find(array);
  return it == maker_.end() ? std::nullopt : std::optional(it->second);
}

// ---- Who reads and overwrites what. ----

// Who reads a stage's result by its other name counts, and not who gives it.
bool PipelineOfBody::gives_other_name(const seg::Stm& s) const {
  return !s.pat.empty() && maker_.contains(s.pat[0].name) && same_array(s);
}

void PipelineOfBody::add_reads(size_t s, seg::NameSet& read) const {
  for (const BufferArg& a : stages_[s].code->launch.buffer_args) {
    if (const auto* host = std::get_if<HostArray>(&a)) read.insert(host->name);
  }
}

// Whether what is no stage of this body reads a stage's result.
std::vector<bool> PipelineOfBody::read_elsewhere() const {
  std::vector<const seg::Stm*> own(dissolved_.begin(), dissolved_.end());
  for (size_t s = 0; s < stages_.size(); ++s) own.push_back(stm(s).get());
  seg::NameSet used = arrays_used(body_, planned_, [&](const seg::Stm& s) {
    return gives_other_name(s) || std::ranges::find(own, &s) != own.end();
  });
  for (const Member& m : stages_) {
    for (const recognize::OtherRead& r : m.code->elsewhere) used.insert(r.buffer);
  }
  std::vector<bool> found(stages_.size(), false);
  for (const Name& n : used) {
    if (std::optional<size_t> s = maker(n)) found[*s] = true;
  }
  return found;
}

bool PipelineOfBody::is_needed_before(size_t s, const stencil::Group& group) const {
  const size_t first = stages_[s].at + 1, last = std::max(first, stages_[group.stages.back()].at);
  const auto begin = body_.stms.begin();
  seg::NameSet used =
      arrays_used({begin + static_cast<long>(first), begin + static_cast<long>(last)}, planned_,
                  [&](const seg::Stm& between) { return gives_other_name(between) || codes_.contains(&between); });
  for (size_t other = 0; other < stages_.size(); ++other) {
    if (!group.contains(other) && stages_[other].at >= first && stages_[other].at < last) add_reads(other, used);
  }
  return std::ranges::any_of(used, [&](const Name& n) { return maker(n) == s; });
}

bool PipelineOfBody::sources_stay(const stencil::Group& group) const {
  seg::NameSet read;
  for (size_t s : group.stages) add_reads(s, read);
  const auto begin = body_.stms.begin() + static_cast<long>(stages_[group.stages.front()].at),
             end = body_.stms.begin() + static_cast<long>(stages_[group.stages.back()].at);
  return !overwrite_any({begin, end}, read, graph_);
}

seg::NameSet PipelineOfBody::read_outside(const stencil::Group& group) const {
  auto is_member = [&](const seg::Stm& s) {
    return std::ranges::any_of(group.stages, [&](size_t member) { return stm(member).get() == &s; });
  };
  seg::NameSet read = arrays_used(body_, planned_, [&](const seg::Stm& s) {
    return gives_other_name(s) || dissolved_.contains(&s) || is_member(s);
  });
  for (size_t at = body_.stms.size(); at-- > 0;) {
    const seg::Stm& s = *body_.stms[at];
    if (gives_other_name(s) && read.contains(s.pat[0].name)) read.insert(*same_array(s));
  }
  for (size_t s = 0; s < stages_.size(); ++s) {
    if (!group.contains(s)) add_reads(s, read);
  }
  return read;
}

}  // namespace heddle::lower
