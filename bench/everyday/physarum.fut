-- Physarum slime-mould agents in fixed point: sense, turn, move, deposit on a trail map by histogram, diffuse and decay.
type agent = {x: i32, y: i32, a: i32}  -- 1/256 of a cell, 1/32 of a turn

def heading : [32](i32, i32) =
  tabulate 32 (\k -> let t = f64.pi * f64.i64 k / 16 + 0.01
                     in (i32.f64 (f64.round (256 * f64.cos t)), i32.f64 (f64.round (256 * f64.sin t))))

entry main [n] (h: i64) (w: i64) (steps: i32) (px: [n]u32) (py: [n]u32) (pa: [n]u8) : ([h][w]i32, i64) =
  let cell x y = (i64.i32 (y >> 8) % h, i64.i32 (x >> 8) % w)
  let fw = i32.i64 w * 256
  let fh = i32.i64 h * 256
  let init : [n]agent = map3 (\x y a -> {x = i32.u32 (x >> 1) % fw, y = i32.u32 (y >> 1) % fh, a = i32.u8 (a & 31)}) px py pa
  let (_, trail) =
    loop (ags, trail) = (init, replicate h (replicate w 0)) for t < steps do
      let sense (g: agent) da =
        let (c, s) = heading[(g.a + da) & 31]
        let (i, j) = cell (g.x + 5 * c) (g.y + 5 * s)
        in trail[i, j]
      let move i (g: agent) : agent =
        let l = sense g 4
        let c = sense g 0
        let r = sense g (-4)
        let coin = ((u32.i64 i ^ u32.i32 t) * 2654435761) >> 31 == 1
        let turn = if c >= l && c >= r then 0
                   else if c < l && c < r then (if coin then 2 else -2)
                   else if l > r then 2 else -2
        let (dx, dy) = heading[(g.a + turn) & 31]
        in {x = (g.x + dx) % fw, y = (g.y + dy) % fh, a = (g.a + turn) & 31}
      let ags = map2 move (iota n) ags
      let at = map (\(g: agent) -> cell g.x g.y) ags
      let drops = reduce_by_index_2d (replicate h (replicate w 0i32)) (+) 0 at (replicate n 1)
      let next = tabulate_2d h w (\i j ->
        let s = i32.sum (map (\d -> let (di, dj) = (d / 3 - 1, d % 3 - 1) in trail[(i + di) % h, (j + dj) % w]) (iota 9))
        in (s + 9 * trail[i, j]) / 20 + 100 * i32.min 8 drops[i, j])
      in (ags, next)
  in (trail, i64.sum (map i64.i32 (flatten trail)))
