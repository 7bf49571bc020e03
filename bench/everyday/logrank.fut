-- Stratified log-rank test: at-risk tables per stratum and arm from histograms and suffix sums.
entry main [n] (strata: i64) (bins: i64) (time: [n]f32) (code: [n]u16) : (f32, f32, [strata]f32) =
  let slot = map2 (\t c ->
      let s = i64.u16 (c >> 4) % strata
      let arm = i64.u16 (c & 1)
      let b = i64.min (bins - 1) (i64.f32 (t * t * f32.i64 bins))
      in (s * 2 + arm) * bins + b) time code
  let event = map (\c -> if (c >> 1) & 7 < 5 then 1 else 0i32) code
  let (leave, dead) = reduce_by_index (replicate (strata * 2 * bins) (0i32, 0i32))
                        (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) slot (map (\e -> (1, e)) event)
                      |> unzip
  let leave = unflatten_3d leave
  let dead = unflatten_3d dead
  let risk = map (map (\r -> reverse (scan (+) 0 (reverse r)))) leave
  let per_stratum (y: [2][bins]i32) (d: [2][bins]i32) : (f32, f32) =
    map4 (\y0 y1 d0 d1 ->
      let yt = f32.i32 (y0 + y1)
      let dt = f32.i32 (d0 + d1)
      in if y0 + y1 < 2 then (0, 0)
         else let p = f32.i32 y0 / yt
              in (f32.i32 d0 - dt * p, dt * p * (1 - p) * (yt - dt) / (yt - 1)))
      y[0] y[1] d[0] d[1]
    |> reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
  let (u, v) = unzip (map2 per_stratum risk dead)
  let su = f32.sum u
  let sv = f32.sum v
  in (su, if sv > 0 then su * su / sv else 0, map2 (\u v -> if v > 1e-6 then u / f32.sqrt v else 0) u v)
