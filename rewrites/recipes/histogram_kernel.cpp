#include "rewrites/recipes/histogram_kernel.h"

#include <algorithm>

#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;

std::optional<Expr> filled_with(const Name& array, const HostScope& host) {
  const seg::Exp* made = host.facts.array_definition(array);
  const auto* replicate = made ? std::get_if<seg::Replicate>(made) : nullptr;
  if (!replicate || replicate->value.is_var()) return std::nullopt;
  return nest::constant(replicate->value.value());
}

Expr HistogramKernel::product(const std::vector<Expr>& sizes) {
  Expr n = i64(1);
  for (const Expr& s : sizes) n = nest::mul(n, s);
  return n;
}

HistogramKernel::HistogramKernel(const seg::SegOp& op, const HostScope& host, NameSource& names, bool fresh)
    : op_(op), names_(names), kernel_(host, names), body_(kernel_) {
  for (const seg::SegDim& d : op.space.dims) sizes_.push_back(kernel_.host_operand(d.size));
  segments_.assign(sizes_.begin(), sizes_.end() - 1);
  for (const seg::HistOp& h : op.hists) {
    Hist hist{h, {}, h.shape.size(), {}, {}};
    for (const seg::Shape* shape : {&h.shape, &h.op_shape}) {
      for (const seg::SubExp& size : *shape) hist.dims.push_back(kernel_.host_operand(size));
    }
    for (const Name& dest : h.dests) {
      hist.whole.push_back(fresh ? result(dest, hist.dims) : kernel_.host_array(dest, true));
      hist.filled_with.push_back(lower::filled_with(dest, host));
    }
    hists_.push_back(std::move(hist));
  }
}

ArrayValue HistogramKernel::result(const Name& dest, const std::vector<Expr>& dims) {
  FreshResult place{kernel_.host().types.at(dest).elem, segments_, {}};
  place.shape.insert(place.shape.end(), dims.begin(), dims.end());
  for (size_t d = 0; d < place.shape.size(); ++d) place.perm.push_back(static_cast<int>(d));
  results_.push_back(std::move(place));
  return kernel_.result_array(static_cast<int>(results_.size()) - 1, results_.back());
}

bool HistogramKernel::has_rows() const {
  return std::ranges::any_of(hists_, [](const Hist& h) { return h.dims.size() > h.rank; });
}

Expr HistogramKernel::num_segments() const { return host(product(segments_)); }

Expr HistogramKernel::num_bins() const {
  Expr n = i64(0);
  for (const Hist& h : hists_) n = nest::add(n, host(product(h.dims)));
  return n;
}

Expr HistogramKernel::bytes_of_bins() const {
  Expr bytes = i64(0);
  for (const Hist& h : hists_) {
    int64_t bin = 0;
    for (const ArrayValue& a : h.whole) bin += prim::size_bytes(a.elem);
    bytes = nest::add(bytes, nest::max(i64(0), nest::mul(host(product(h.dims)), i64(bin))));
  }
  return bytes;
}

Indices HistogramKernel::segment_indices(const Expr& segment) {
  Indices at;
  Expr rest = segment;
  for (size_t d = segments_.size(); d-- > 0;) {
    at.insert(at.begin(), d == 0 ? rest : body_.bind(nest::mod(rest, segments_[d])));
    if (d > 0) rest = body_.bind(nest::div(rest, segments_[d]));
  }
  return at;
}

HistogramKernel::Element HistogramKernel::element(const Indices& segment, const Expr& j) {
  Indices index = segment;
  index.push_back(j);
  body_.define_point(op_.space, sizes_, index);
  body_.stms(op_.body->stms);
  auto returned = [&](size_t k) { return body_.value(std::get<seg::Returns>(op_.body->results[k]).value); };
  size_t next = 0, value = 0;
  for (const Hist& h : hists_) value += h.rank;
  Element element;
  for (const Hist& h : hists_) {
    Update& u = element.emplace_back();
    for (size_t d = 0; d < h.rank; ++d) u.bin.push_back(std::get<Expr>(returned(next++)));
    for (size_t k = 0; k < h.whole.size(); ++k) u.values.push_back(returned(value++));
  }
  return element;
}

AccValue HistogramKernel::bins(const Hist& h, std::vector<ArrayValue> arrays, bool atomic,
                               const std::optional<ArrayValue>& locks) {
  const size_t rank = arrays[0].dims.size();
  return {std::move(arrays), rank, h.op.op, false, atomic, locks};
}

void HistogramKernel::update(const AccValue& bins, const Indices& prefix, const Update& update,
                             const std::function<void(const Emit&)>& for_each) {
  for_each([&](const Indices& i) {
    Indices at = prefix;
    at.insert(at.end(), update.bin.begin(), update.bin.end());
    at.insert(at.end(), i.begin(), i.end());
    std::vector<KernelValue> values;
    for (const KernelValue& v : update.values) {
      const auto* scalar = std::get_if<Expr>(&v);
      values.emplace_back(scalar ? *scalar : body_.read(std::get<ArrayValue>(v), i));
    }
    body_.update_acc(bins, at, values);
  });
}

}  // namespace heddle::lower
