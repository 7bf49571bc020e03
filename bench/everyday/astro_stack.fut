-- Stacking of astronomical exposures: dark and flat corrected, hot pixels replaced, frames shifted by their offsets, a mean with winsorised outliers in three rounds, and the noise.
entry main [k][h][w] (sigmas: f32) (shifts: [k][2]u8) (lights: [k][h][w]i32) (dark: [h][w]i32) (flat: [h][w]f32): ([h][w]f32, [h][w]f32, i64) =
  let counts x = f32.i32 (x & 0xffff)
  let hot = map (map (\x -> (x & 0xffff) > 65000)) dark
  let mean2 (a: [h][w]f32) = f32.sum (map f32.sum a) / f32.i64 (h*w)
  let gain = let f = map (map (+ 0.5)) flat
             let m = mean2 f
             in map (map (m /)) f
  let offset = map (map (\x -> 0.01 * counts x)) dark
  let calibrate (l: [h][w]i32): [h][w]f32 =
    let c = map3 (map3 (\x d g -> (counts x - d) * g)) l offset gain
    let cl n i = i64.max 0 (i64.min (n-1) i)
    let mend y x = if !hot[y, x] then c[y, x] else
      let a = c[cl h (y-1), x] let b = c[cl h (y+1), x] let d = c[y, cl w (x-1)] let e = c[y, cl w (x+1)]
      let lo = f32.min (f32.min a b) (f32.min d e)
      let hi = f32.max (f32.max a b) (f32.max d e)
      in (a + b + d + e - lo - hi) / 2
    in tabulate_2d h w mend
  let frames = map calibrate lights
  let stack y x =
    let vals = map2 (\(f: [h][w]f32) (s: [2]u8) ->
                       f[(y + i64.u8 s[0] % 9) % h, (x + i64.u8 s[1] % 9) % w]) frames shifts
    let stats (v: [k]f32) =
      let m = f32.sum v / f32.i64 k
      let var = f32.sum (map (\a -> (a - m) * (a - m)) v) / f32.i64 k
      in (m, f32.sqrt var)
    let (m, s, _) =
      loop (m, s, v) = (let (m, s) = stats vals in (m, s, vals)) for _i < 3i32 do
        let v = map (\a -> f32.max (m - sigmas*s) (f32.min (m + sigmas*s) a)) v
        let (m, s) = stats v
        in (m, s, v)
    in (m, s / f32.sqrt (f32.i64 k))
  let res = tabulate_2d h w stack
  in (map (map (.0)) res, map (map (.1)) res, i64.sum (map i64.bool (flatten hot)))
