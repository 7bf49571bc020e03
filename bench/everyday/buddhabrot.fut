-- Orbits that escape, counted where they pass.
def main (n: i64) (size: i64) (limit: i64) : [size][size]i32 =
  let orbit i =
    let c = u32.i64 i * 2654435761
    in (f32.u32 (c >> 16) / 65536 * 3 - 2, f32.u32 (c & 65535) / 65536 * 3 - 1.5)
  let steps (cx, cy) = let (_, _, k) = loop (x, y, k) = (0f32, 0f32, 0i64) while k < limit && x*x + y*y < 4 do (x*x - y*y + cx, 2*x*y + cy, k + 1) in k
  let places = map (\i ->
    let (cx, cy) = orbit i
    let k = steps (cx, cy)
    let (out, _, _) = loop (out, x, y) = (replicate 16 (-1i64), 0, 0) for j < 16i64 do
      if k < limit && j < k then
        let nx = x*x - y*y + cx let ny = 2*x*y + cy
        let px = i64.f32 ((nx + 2) / 3 * f32.i64 size) let py = i64.f32 ((ny + 1.5) / 3 * f32.i64 size)
        in (out with [j] = if px >= 0 && px < size && py >= 0 && py < size then py*size + px else -1, nx, ny)
      else (out, x, y)
    in out) (iota n)
  in unflatten (reduce_by_index (replicate (size*size) 0) (+) 0 (flatten places) (replicate (n*16) 1))
