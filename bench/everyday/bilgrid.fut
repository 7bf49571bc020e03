-- The bilateral grid: pixels splatted into a coarse grid of place and intensity, the grid blurred along its three axes, sliced trilinearly; detail is amplified.
def s : i64 = 8
def levels : i64 = 18

def blur1 [n] (v: [n](f32, f32)): [n](f32, f32) =
  let at i = if i < 0 || i >= n then (0, 0) else v[i]
  let add (a: (f32, f32)) (b: (f32, f32)) = (a.0 + b.0, a.1 + b.1)
  let mul k (a: (f32, f32)) = (k * a.0, k * a.1)
  in tabulate n (\i -> mul 6 (at i) `add` mul 4 (at (i-1) `add` at (i+1)) `add` (at (i-2) `add` at (i+2)))

entry main [h][w] (gain: f32) (img: [h][w]u8): [h][w]f32 =
  let gh = (h - 1) / s + 2
  let gw = (w - 1) / s + 2
  let cell (y: i64) (x: i64) (v: u8) = (((y + s/2) / s) * gw + (x + s/2) / s) * levels + (i64.u8 v + 8) / 16
  let places = tabulate_2d h w (\y x -> cell y x img[y, x]) |> flatten
  let (sums, counts) =
    reduce_by_index (replicate (gh*gw*levels) (0i32, 0i32)) (\a b -> (a.0 + b.0, a.1 + b.1)) (0, 0)
                    places (map (\v -> (i32.u8 v, 1)) (flatten img)) |> unzip
  let grid = unflatten_3d (map2 (\a b -> (f32.i32 a, f32.i32 b)) sums counts)
  let grid = map (map blur1) grid
  let grid = map (\g -> transpose (map blur1 (transpose g))) grid
  let grid = transpose (map (\g -> transpose (map blur1 (transpose g))) (transpose grid))
  let slice y x =
    let v = f32.u8 img[y, x]
    let (fy, fx, fz) = (f32.i64 y / f32.i64 s, f32.i64 x / f32.i64 s, v / 16)
    let (iy, ix, iz) = (i64.f32 fy, i64.f32 fx, i64.f32 fz)
    let (ty, tx, tz) = (fy - f32.i64 iy, fx - f32.i64 ix, fz - f32.i64 iz)
    let (a, b) = loop (a, b) = (0, 1e-6) for k < 8 do
      let (dy, dx, dz) = (k / 4, k / 2 % 2, k % 2)
      let wt = (if dy == 1 then ty else 1 - ty) * (if dx == 1 then tx else 1 - tx) * (if dz == 1 then tz else 1 - tz)
      let g = grid[i64.min (gh-1) (iy+dy), i64.min (gw-1) (ix+dx), i64.min (levels-1) (iz+dz)]
      in (a + wt * g.0, b + wt * g.1)
    let base = a / b
    in f32.max 0 (f32.min 255 (base + gain * (v - base)))
  in tabulate_2d h w slice
