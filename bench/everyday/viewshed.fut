-- Viewshed of a tower on a height map: every cell walks its line of sight with an integer DDA until something is in the way.
def main [h][w] (oy0: i64) (ox0: i64) (tower: i64) (ground: [h][w]u16) =
  let (oy, ox) = (oy0 % h, ox0 % w)
  -- terrain: noise on a slope and two ridges
  let elev = tabulate_2d h w (\y x ->
    i64.u16 (ground[y, x] % 40) + i64.min 60 (i64.abs (y - x) / 8) + (if (x + 2 * y) % 257 < 12 then 30 else 0))
  let eye = elev[oy, ox] + i64.max 1 (tower % 200)
  let look y x =
    let (ddy, ddx) = (y - oy, x - ox)
    let n = i64.max (i64.abs ddy) (i64.abs ddx)
    let target = elev[y, x] + 2
    -- the sight line at step k has height eye + (target - eye) * k / n
    let (k, clear) =
      loop (k, clear) = (1, true) while clear && k < n do
        let yy = oy + (2 * ddy * k + n) / (2 * n)
        let xx = ox + (2 * ddx * k + n) / (2 * n)
        let blocked = elev[yy, xx] * n > eye * n + (target - eye) * k
        in (k + 1, not blocked)
    in (clear, i32.i64 k)
  let seen = tabulate_2d h w look
  let mask = map (map (\(c, _) -> u8.bool c)) seen
  let steps = i64.sum (flatten (map (map (\(_, k) -> i64.i32 k)) seen))
  -- visible area by distance ring
  let ring = flatten (tabulate_2d h w (\y x -> i64.max (i64.abs (y - oy)) (i64.abs (x - ox)) / 16))
  let area = reduce_by_index (replicate (i64.max h w / 16 + 1) 0i32) (+) 0 ring (map i32.u8 (flatten mask))
  -- lone cells are dropped
  let clean = tabulate_2d h w (\y x ->
    let at j i = if j < 0 || j >= h || i < 0 || i >= w then 0 else mask[j, i]
    let nb = at (y - 1) x + at (y + 1) x + at y (x - 1) + at y (x + 1)
    in if nb == 0 then 0 else mask[y, x])
  in (clean, area, steps)
