-- The wave equation in space, two fields in turn.
def main [d][h][w] (steps: i32) (c: f32) (a: [d][h][w]f32) (b: [d][h][w]f32) : [d][h][w]f32 =
  let (r, _) = loop (now, old) = (a, b) for _i < steps do
    let at z y x = if z < 0 || z >= d || y < 0 || y >= h || x < 0 || x >= w then 0 else now[z,y,x]
    in (tabulate_3d d h w (\z y x ->
          2*now[z,y,x] - old[z,y,x] + c * 0.1 * (at (z-1) y x + at (z+1) y x + at z (y-1) x + at z (y+1) x + at z y (x-1) + at z y (x+1) - 6*now[z,y,x])), now)
  in r
