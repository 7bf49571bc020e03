// Pipelines of the papers, as they drew them.
#pragma once

#include "rewrites/stencil/group.h"

namespace heddle::stencil::examples {

// The pipeline, which must be one.
Pipeline pipeline(std::vector<Image> inputs, std::vector<Stage> stages);

Source input(size_t number = 0);
Source stage(size_t number);

// A window -radius..radius around the reader's point in each dimension.
Read around(Source source, const std::vector<int64_t>& radii, Border border = Border::Clamp);
// The reader's own point of an image of two dimensions.
Read same(Source source);

std::vector<Interval> size(int64_t rows, int64_t columns);
Stage point(std::string name, std::vector<Read> reads, int64_t alu_ops = 2);
Stage local(std::string name, std::vector<Read> reads, int64_t alu_ops = 2);

// Flextended Tiles, section 2, for n points.
Pipeline three_levels(int64_t n);

// Unsharp mask as PolyMage has it: blurx, blury, sharpen, masked; blury reads along rows of blurx.
Pipeline unsharp_of_polymage();

// Of Qiao's thesis, on images of 2048x2048.
Pipeline harris();   // dx dy sx sxy sy gx gxy gy hc
Pipeline sobel();    // dx dy mag
Pipeline unsharp();  // blur and three points, all of which read the image
Pipeline enhance();  // gauss and two points, one after the other
Pipeline night();    // atrous0 (3x3), atrous1 (5x5), scoto; of 1920x1200

// The same stages in another order in which they can run, as the numbers say: any numbers will do.
Pipeline reordered(const Pipeline& p, const std::vector<size_t>& choices);

}  // namespace heddle::stencil::examples
