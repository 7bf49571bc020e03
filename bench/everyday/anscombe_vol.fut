-- Photon count volume: hot voxel repair, Anscombe transform, 2x binning, 3-D smoothing, trilinear return, residual shrinkage, inverse.
def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def main [d][h][w] (lambda: f32) (raw: [d][h][w]u16) =
  let cnt = map (map (map (\c -> f32.u16 (c % 200)))) raw
  let repaired = tabulate_3d d h w (\z y x ->
    let c = cnt[z, y, x]
    let nb = [cnt[clampi d (z - 1), y, x], cnt[clampi d (z + 1), y, x], cnt[z, clampi h (y - 1), x],
              cnt[z, clampi h (y + 1), x], cnt[z, y, clampi w (x - 1)], cnt[z, y, clampi w (x + 1)]]
    let top = f32.maximum nb
    in if c > 1.5 * top + 10 then f32.sum nb / 6 else c)
  let vst = map (map (map (\c -> 2 * f32.sqrt (c + 0.375)))) repaired
  let (d2, h2, w2) = ((d + 1) / 2, (h + 1) / 2, (w + 1) / 2)
  let binned = tabulate_3d d2 h2 w2 (\z y x ->
    (loop s = 0 for k < 8 do
       s + vst[clampi d (2 * z + k / 4), clampi h (2 * y + (k / 2) % 2), clampi w (2 * x + k % 2)]) / 8)
  -- x wraps around (a rotating scanner), y and z repeat their border
  let bx = tabulate_3d d2 h2 w2 (\z y x -> 0.25 * binned[z, y, (x + w2 - 1) % w2] + 0.5 * binned[z, y, x] + 0.25 * binned[z, y, (x + 1) % w2])
  let by = tabulate_3d d2 h2 w2 (\z y x -> 0.25 * bx[z, clampi h2 (y - 1), x] + 0.5 * bx[z, y, x] + 0.25 * bx[z, clampi h2 (y + 1), x])
  let bz = tabulate_3d d2 h2 w2 (\z y x -> 0.25 * by[clampi d2 (z - 1), y, x] + 0.5 * by[z, y, x] + 0.25 * by[clampi d2 (z + 1), y, x])
  let back = tabulate_3d d h w (\z y x ->
    let near n i = let c = clampi n (i / 2) in (c, clampi n (if i % 2 == 0 then c - 1 else c + 1))
    let (z0, z1) = near d2 z
    let (y0, y1) = near h2 y
    let (x0, x1) = near w2 x
    let line a b = 0.75 * bz[a, b, x0] + 0.25 * bz[a, b, x1]
    let plane a = 0.75 * line a y0 + 0.25 * line a y1
    in 0.75 * plane z0 + 0.25 * plane z1)
  let shrink r = r * f32.max 0 (1 - lambda / (r * r + 0.01))
  let inv v = let t = v / 2 in f32.max 0 (t * t - 0.125)
  in map2 (map2 (map2 (\v b -> inv (b + shrink (v - b))))) vst back
