-- Random walks on the cubic lattice with a whole-number generator: end-to-end distances, returns to the origin, first passage out of a box, histograms.
type walker = {x: i32, y: i32, z: i32, rng: u32, back: i32, out: i32, far: i32}

def next (s: u32) : u32 =
  let s = s ^ (s << 13)
  let s = s ^ (s >> 17)
  in s ^ (s << 5)

def step (box: i32) (t: i32) (w: walker) : walker =
  let rng = next w.rng
  let dir = (rng >> 8) % 6
  let d = if dir & 1 == 0 then 1 else -1i32
  let (x, y, z) =
    if dir < 2 then (w.x + d, w.y, w.z) else if dir < 4 then (w.x, w.y + d, w.z) else (w.x, w.y, w.z + d)
  let reach = i32.max (i32.abs x) (i32.max (i32.abs y) (i32.abs z))
  in {x, y, z, rng,
      back = if x == 0 && y == 0 && z == 0 then w.back + 1 else w.back,
      out = if w.out < 0 && reach > box then t else w.out,
      far = i32.max w.far reach}

entry main [n] (steps: i32) (box: i32) (seeds: [n]i32) : ([]i32, []i32, i64, f64, [3]i64) =
  let walks =
    map (\s ->
           let start = {x = 0, y = 0, z = 0, rng = (u32.i32 s * 2654435769) | 1, back = 0, out = -1, far = 0}
           in loop w = start for t < steps do step box t w)
        seeds
  let count k f = reduce_by_index (replicate k 0i32) (+) 0 (map f walks) (replicate n 1)
  let reach = count 64 (\w -> i64.i32 (i32.min 63 w.far))
  let passage = count 32 (\w -> if w.out < 0 then 31 else i64.i32 (31 * w.out / steps))
  let returns = i64.sum (map (\w -> i64.i32 w.back) walks)
  let square = f64.sum (map (\w -> f64.i32 (w.x * w.x + w.y * w.y + w.z * w.z)) walks)
  let mean f = i64.sum (map (\w -> i64.i32 (f w)) walks)
  in (reach, passage, returns, square / f64.i64 n, [mean (.x), mean (.y), mean (.z)])
