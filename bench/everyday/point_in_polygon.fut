-- Which points lie within a polygon.
def main [n][m] (px: [n]f32) (py: [n]f32) (vx: [m]f32) (vy: [m]f32) : [n]bool =
  map2 (\x y ->
    let cross i =
      let j = if i + 1 == m then 0 else i + 1
      in if (vy[i] > y) != (vy[j] > y) then x < (vx[j]-vx[i]) * (y-vy[i]) / (vy[j]-vy[i]) + vx[i] else false
    in reduce (!=) false (map cross (iota m))) px py
