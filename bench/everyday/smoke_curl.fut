-- Smoke as particles: carried by the curl of a gridded stream function (bilinear, midpoint steps), splatted with bilinear weights to a density map, tone-mapped.
def wrap01 (a: f32) = a - f32.floor a

def cell (g: i64) (a: f32): (i64, i64, f32) =
  let s = wrap01 a * f32.i64 g
  let i = i64.min (g-1) (i64.f32 s)
  in (i, (i + 1) % g, s - f32.i64 i)

def lookup [g] 'a (field: [g][g](f32, f32)) (x: f32, y: f32): (f32, f32) =
  let (x0, x1, a) = cell g x
  let (y0, y1, b) = cell g y
  let mix t p q = p + t*(q - p)
  let go f = mix b (mix a (f field[y0,x0]) (f field[y0,x1])) (mix a (f field[y1,x0]) (f field[y1,x1]))
  in (go (.0), go (.1))

entry main [n][g] (size: i64) (steps: i64) (dt: f32) (psi: [g][g]f32) (xs: [n]f32) (ys: [n]f32): ([size][size]f32, [n]f32, [n]f32) =
  let velocity = tabulate_2d g g (\y x ->
    (psi[(y+1) % g, x] - psi[(y+g-1) % g, x], psi[y, (x+g-1) % g] - psi[y, (x+1) % g]))
  let move (p: (f32, f32)) =
    loop p for _i < steps do
      let v = lookup velocity p
      let m = lookup velocity (p.0 + 0.5*dt*v.0, p.1 + 0.5*dt*v.1)
      in (p.0 + dt*m.0, p.1 + dt*m.1)
  let moved = map2 (\x y -> move (x, y)) xs ys
  let splats = map (\(x, y) ->
    let (x0, x1, a) = cell size x
    let (y0, y1, b) = cell size y
    in [(y0*size + x0, (1-a)*(1-b)), (y0*size + x1, a*(1-b)), (y1*size + x0, (1-a)*b), (y1*size + x1, a*b)]) moved
  let (is, ws) = unzip (flatten splats)
  let density = reduce_by_index (replicate (size*size) 0) (+) 0 is ws
  let (px, py) = unzip moved
  in (unflatten (map (\d -> 1 - f32.exp (-0.5*d)) density), px, py)
