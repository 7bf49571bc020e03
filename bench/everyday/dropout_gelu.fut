-- A layer's bias, GELU and dropout by hashed places.
def hash (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  in x ^ (x >> 16)
def main [n][d] (seed: u32) (b: [d]f32) (xs: [n][d]f32) : [n][d]f32 =
  map2 (\i r -> map3 (\j x b ->
    let v = x + b
    let g = 0.5 * v * (1 + f32.tanh (0.79788456 * (v + 0.044715 * v*v*v)))
    in if hash (seed ^ u32.i64 (i*d + j)) % 10 == 0 then 0 else g / 0.9) (iota d) r b) (iota n) xs
