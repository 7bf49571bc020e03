-- A CT volume: median of the seven-point cross, 3-D Sobel (27 points), histogram and maximum of the gradient, then a normalised edge volume.
def network: [13](i64, i64) =
  [(0, 5), (0, 3), (1, 6), (2, 4), (0, 1), (3, 5), (2, 6), (2, 3), (3, 6), (4, 5), (1, 4), (1, 3), (3, 4)]

def median7 (a: *[7]u8): u8 =
  (loop a for k < 13 do
     let (i, j) = network[k]
     let (x, y) = (copy a[i], copy a[j])
     in a with [i] = u8.min x y with [j] = u8.max x y)[3]

type index = { z: i64, y: i64, x: i64 }

def at [d][h][w] (v: [d][h][w]u8) (i: index): u8 =
  v[i64.max 0 (i64.min (d - 1) i.z), i64.max 0 (i64.min (h - 1) i.y), i64.max 0 (i64.min (w - 1) i.x)]

def gradient [d][h][w] (v: [d][h][w]u8) (i: index): i32 =
  let smooth (k: i64) = i32.i64 (2 - i64.abs k)
  let step (acc: (i32, i32, i32)) (a: i64) (b: i64) (c: i64) =
    let p = i32.u8 (at v { z = i.z + a, y = i.y + b, x = i.x + c })
    in ( acc.0 + i32.i64 a * smooth b * smooth c * p
       , acc.1 + smooth a * i32.i64 b * smooth c * p
       , acc.2 + smooth a * smooth b * i32.i64 c * p )
  let (gz, gy, gx) =
    loop acc = (0, 0, 0) for a in -1i64...1 do
      loop acc for b in -1i64...1 do
        loop acc for c in -1i64...1 do step acc a b c
  in i32.abs gz + i32.abs gy + i32.abs gx

entry main [d][h][w] (volume: [d][h][w]u8): ([d][h][w]f32, [64]i32) =
  let clean =
    tabulate_3d d h w (\z y x ->
      let p a b c = at volume { z = z + a, y = y + b, x = x + c }
      in median7 [p 0 0 0, p 1 0 0, p (-1) 0 0, p 0 1 0, p 0 (-1) 0, p 0 0 1, p 0 0 (-1)])
  let g = tabulate_3d d h w (\z y x -> gradient clean { z, y, x })
  let flat = flatten_3d g
  let bins = map (\x -> i64.i32 (i32.min 63 (x / 128))) flat
  let histogram = reduce_by_index (replicate 64 0) (+) 0 bins (map (const 1) flat)
  let scale = 1 / f32.i32 (i32.max 1 (i32.maximum flat))
  in (map (map (map (\x -> f32.sqrt (f32.i32 x * scale)))) g, histogram)
