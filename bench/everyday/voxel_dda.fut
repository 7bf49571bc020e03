-- Optical depth along rays through a voxel grid: Amanatides-Woo traversal with exact path lengths in each voxel crossed.
def main [n][r] (density: [n][n][n]u8) (rays: [r][4]f32) : ([r]f32, f32) =
  let size = f32.i64 n
  let trace (q: [4]f32) : f32 =
    -- from a point on the face x = 0 to a point on the face x = n
    let (oy, oz) = (size * q[0], size * q[1])
    let (dy, dz) = (size * q[2] - oy, size * q[3] - oz)
    let cell v = i64.max 0 (i64.min (n - 1) (i64.f32 v))
    let inv d = if f32.abs d < 1e-6 then 1e9 else 1 / f32.abs d
    let edge o d i = if d >= 0 then f32.i64 (i + 1) - o else o - f32.i64 i
    let len = f32.sqrt (size * size + dy * dy + dz * dz)
    let (ix, iy, iz) = (0i64, cell oy, cell oz)
    let (gx, gy, gz) = (inv size, inv dy, inv dz)
    let (tx, ty, tz) = (gx, gy * edge oy dy iy, gz * edge oz dz iz)
    let inside i = i >= 0 && i < n
    let (_, _, _, _, _, _, _, acc) =
      loop (ix, iy, iz, tx, ty, tz, t, acc) = (ix, iy, iz, tx, ty, tz, 0f32, 0f32)
      while inside ix && inside iy && inside iz && t < 1 do
        let tn = f32.min 1 (f32.min tx (f32.min ty tz))
        let acc = acc + (tn - t) * f32.u8 density[ix, iy, iz]
        in if tx <= ty && tx <= tz then (ix + 1, iy, iz, tx + gx, ty, tz, tn, acc)
           else if ty <= tz then (ix, if dy >= 0 then iy + 1 else iy - 1, iz, tx, ty + gy, tz, tn, acc)
           else (ix, iy, if dz >= 0 then iz + 1 else iz - 1, tx, ty, tz + gz, tn, acc)
    in f32.exp (-acc * len / (255 * size))
  let through = map trace rays
  in (through, f32.sum through / f32.i64 (i64.max 1 r))
