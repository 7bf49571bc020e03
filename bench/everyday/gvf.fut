-- Gradient vector flow of a batch of images: edge maps, then two fields diffused where edges are weak (mirrored borders), until the mean change is small; normalised arrows and the sweeps' rest.
def ends [n] 't (r: [n]t): [n+2]t = [head r] ++ r ++ [last r] :> [n+2]t
def pad_mirror [h][w] 't (a: [h][w]t): [h+2][w+2]t = ends (map ends a)

entry main [n][h][w] (limit: i32) (mu: f32) (imgs: [n][h][w]u8): ([n][h][w]f32, [n][h][w]f32, [n]f32) =
  let one (img: [h][w]u8) =
    let p = pad_mirror (map (map (\v -> f32.u8 v / 255)) img)
    let soft = tabulate_2d h w (\y x -> (p[y, x+1] + p[y+1, x] + p[y+2, x+1] + p[y+1, x+2] + 4*p[y+1, x+1]) / 8)
    let grad (a: [h][w]f32) y x =
      let m = i64.max 0 (x-1) let q = i64.min (w-1) (x+1) let s = i64.max 0 (y-1) let t = i64.min (h-1) (y+1)
      in ((a[y, q] - a[y, m]) / 2, (a[t, x] - a[s, x]) / 2)
    let edge = tabulate_2d h w (\y x -> let (a, b) = grad soft y x in f32.sqrt (a*a + b*b + 1e-6))
    let f = tabulate_2d h w (grad edge)
    let sweep (uv: [h][w](f32, f32)) =
      let p = pad_mirror uv
      in tabulate_2d h w (\y x ->
           let (u, v) = uv[y, x]
           let (fx, fy) = f[y, x]
           let b = fx*fx + fy*fy
           let (nu, nv) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) [p[y, x+1], p[y+2, x+1], p[y+1, x], p[y+1, x+2]]
           in (u + mu*(nu - 4*u) - b*(u - fx), v + mu*(nv - 4*v) - b*(v - fy)))
    let uv = loop uv = f for _i < limit do sweep uv
    let after = sweep uv
    let rest = f32.sum (flatten (map2 (map2 (\(a, b) (c, d) -> f32.abs (a - c) + f32.abs (b - d))) uv after)) / f32.i64 (h*w)
    let unit = map (map (\(a, b) -> let m = f32.sqrt (a*a + b*b + 1e-4) in (a/m, b/m))) after
    in (map (map (.0)) unit, map (map (.1)) unit, rest)
  in unzip3 (map one imgs)
