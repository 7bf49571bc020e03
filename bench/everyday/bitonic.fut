-- A bitonic sort of a power of two numbers.
def main [n] (k: i64) (xs: [n]f32) : [n]f32 =
  loop (xs: [n]f32) for i < k do
    loop (xs: [n]f32) for j < i + 1 do
      let d = 1i64 << (i - j)
      in map (\t ->
           let p = t ^ d
           let up = (t >> (i + 1)) & 1 == 0
           let a = xs[t] let b = xs[p]
           in if (t < p) == up then f32.min a b else f32.max a b) (iota n)
