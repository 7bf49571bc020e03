// Which statements of a body of host code are the stages of a pipeline, which of them makes which array, who else reads these, and the pipeline as
// the models see it.
//
//   let {blurred} = segmap(thread)(y < h, x < w) { ..img[y, x-1].. }        stage 0, which reads the image img
//   let {a} = blurred                                                       is made by stage 0, too
//   let {sharp} = segmap(thread)(y < h, x < w) { ..a[y+1, x].. }            stage 1, which reads stage 0
#pragma once

#include <unordered_set>

#include "rewrites/plan/fuse_stages.h"

namespace heddle::lower {

// Looks at the codes and plans as they are when it is asked; whoever decides about stages changes them, and says here what else became of a stage.
class PipelineOfBody {
 public:
  PipelineOfBody(const seg::Body& body, const StageCodes& codes, const graph::Graph& graph, const HostScope& host,
                 const PlannedProgram& planned, NameSource& names)
      : body_(body), codes_(codes), graph_(graph), host_(host), planned_(planned), names_(names) {}

  // Numbers the stages and describes them anew, by what their codes are now and what was decided of them. Until then all below has the numbers and the
  // pipeline that were before. False where there are no stages, or none that are a pipeline: then the pipeline stays the one before.
  bool describe();

  // ---- What was decided of stages; it counts when they are described anew. ----

  // Those who read it compute it: it is a stage no more, and its statement reads nothing.
  void leave_out(const seg::Stm* stage) { dissolved_.insert(stage); }
  void take_back(const seg::Stm* stage) { dissolved_.erase(stage); }
  // It is to be a kernel of its own.
  void have_alone(const seg::Stm* stage) { alone_.insert(stage); }

  // ---- The stages, as they were last described. ----

  const stencil::Pipeline& pipeline() const { return *pipeline_; }
  size_t size() const { return stages_.size(); }
  const seg::StmPtr& stm(size_t s) const { return body_.stms[stages_[s].at]; }
  const StageCode& code(size_t s) const { return *stages_[s].code; }
  std::vector<const StageCode*> codes_of(const stencil::Group& group) const;
  std::vector<const StageCode*> all_codes() const;
  // The stage that makes the array, by whatever name; what a stage's points are folded to it makes, too.
  std::optional<size_t> maker(const Name& array) const;

  // ---- Who reads and overwrites what. ----

  // Whether what is not of the group uses the stage's result before the group's kernel runs. Stages read what their code reads, and not what their
  // plans so far do.
  bool is_needed_before(size_t s, const stencil::Group& group) const;
  // Whether the arrays that the group reads are at its last statement as they were at the others.
  bool sources_stay(const stencil::Group& group) const;
  // What others than the group's stages read, by the names that the stages give, too.
  seg::NameSet read_outside(const stencil::Group& group) const;

 private:
  struct Member {
    const StageCode* code;
    size_t at;  // number of its statement
  };

  void number_stages();
  stencil::Stage described(size_t s, bool is_read_elsewhere);
  stencil::Source image(const StageCode& code, const Name& array);
  bool is_read_as_a_whole(size_t s) const;
  bool gives_other_name(const seg::Stm& s) const;
  std::vector<bool> read_elsewhere() const;
  void add_reads(size_t s, seg::NameSet& read) const;

  const seg::Body& body_;
  const StageCodes& codes_;
  const graph::Graph& graph_;
  const HostScope& host_;
  const PlannedProgram& planned_;
  NameSource& names_;
  std::vector<Member> stages_;
  std::unordered_map<Name, size_t> maker_;
  seg::NameSet folded_;  // of these the ones that a stage's points are folded to, which are no images of them
  std::vector<stencil::Image> images_;
  std::vector<nest::Expr> extents_;  // of stages, each once
  std::optional<stencil::Pipeline> pipeline_;
  std::unordered_set<const seg::Stm*> dissolved_;
  std::unordered_set<const seg::Stm*> alone_;  // to be kernels of their own
};

}  // namespace heddle::lower
