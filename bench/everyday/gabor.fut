-- A bank of Gabor filters of 11x11 over an image with mirrored border: energy per orientation, its mean, and the normalised strongest response.
def radius: i64 = 5
def side: i64 = 2 * radius + 1

def mirror (n: i64) (i: i64): i64 =
  if i < 0 then -1 - i else if i < n then i else 2 * n - 1 - i

def kernel (theta: f32) (lambda: f32): ([side][side]f32, [side][side]f32) =
  let value (part: f32 -> f32) (i: i64) (j: i64): f32 =
    let (y, x) = (f32.i64 (i - radius), f32.i64 (j - radius))
    let u = x * f32.cos theta + y * f32.sin theta
    let v = y * f32.cos theta - x * f32.sin theta
    in f32.exp (-(u * u + 0.25 * v * v) / 8) * part (2 * f32.pi * u / lambda)
  in (tabulate_2d side side (value f32.cos), tabulate_2d side side (value f32.sin))

def pad [h][w] (img: [h][w]f32): [h + 2 * radius][w + 2 * radius]f32 =
  tabulate_2d (h + 2 * radius) (w + 2 * radius) (\y x -> img[mirror h (y - radius), mirror w (x - radius)])

entry main [h][w] (orientations: i64) (lambda: f32) (image: [h][w]f32): ([h][w]f32, [orientations]f32) =
  let average [h][w] (a: [h][w]f32) = f32.f64 (f64.sum (map f64.f32 (flatten a)) / f64.i64 (h * w))
  let mean = average image
  let padded = pad (map (map (\p -> p - mean)) image)
  let bank = tabulate orientations (\o -> kernel (f32.pi * f32.i64 o / f32.i64 orientations) lambda)
  let energy =
    map (\(re, im) ->
           tabulate_2d h w (\y x ->
             let patch = padded[y:y + side, x:x + side] :> [side][side]f32
             let dot k = f32.sum (map2 (\a b -> f32.sum (map2 (*) a b)) k patch)
             let (a, b) = (dot re, dot im)
             in f32.sqrt (a * a + b * b)))
        bank
  let means = map average energy
  let strongest = tabulate_2d h w (\y x -> f32.maximum (map2 (\e m -> e[y, x] / m) energy means))
  in (strongest, means)
