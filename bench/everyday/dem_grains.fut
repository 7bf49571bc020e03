-- Granular discs in a box: cell lists by counting sort, spring and dashpot contacts, walls, gravity, a few time steps.
type v2 = (f32, f32)
def (+.) (a: v2) (b: v2) : v2 = (a.0 + b.0, a.1 + b.1)
def (-.) (a: v2) (b: v2) : v2 = (a.0 - b.0, a.1 - b.1)
def (*.) (s: f32) (a: v2) : v2 = (s * a.0, s * a.1)
def dot (a: v2) (b: v2) = a.0 * b.0 + a.1 * b.1

type grain = {p: v2, v: v2, r: f32}

def stiff : f32 = 200
def damp : f32 = 1.5

-- Force on a from b, where they overlap.
def contact (a: grain) (b: grain) : v2 =
  let d = a.p -. b.p
  let q = dot d d
  let reach = a.r + b.r
  in if q >= reach * reach || q < 1e-12 then (0, 0)
     else let dist = f32.sqrt q
          let n = (1 / dist) *. d
          let rel = dot (a.v -. b.v) n
          in (stiff * (reach - dist) - damp * rel) *. n

def wall (g: grain) : v2 =
  let push lo x v = let o = lo + g.r - x in if o > 0 then stiff * o - damp * v else 0
  in (push 0 g.p.0 g.v.0 - push (-1) (-g.p.0) (-g.v.0), push 0 g.p.1 g.v.1 - push (-1) (-g.p.1) (-g.v.1))

def cell (m: i64) (p: v2) : i64 =
  let c x = i64.max 0 (i64.min (m - 1) (i64.f32 (x * f32.i64 m)))
  in c p.1 * m + c p.0

def sort_cells [n] (m: i64) (gs: [n]grain) : ([n]grain, [m * m]i64, [m * m]i64) =
  let keys = map (\g -> cell m g.p) gs
  let bits = 64 - i64.i32 (i64.clz (m * m))
  let (_, order) =
    loop (keys', order) = (keys, iota n) for b < bits do
      let z = map (\x -> 1 - (x >> b & 1)) keys'
      let zs = scan (+) 0 z
      let nz = i64.sum z
      let dest = map3 (\i f s -> if f == 1 then s - 1 else nz + i - s) (iota n) z zs
      in (scatter (copy keys') dest keys', scatter (copy order) dest order)
  let counts = hist (+) 0 (m * m) keys (replicate n 1)
  let ends = scan (+) 0 counts
  in (map (\i -> gs[i]) order, map2 (-) ends counts, ends)

def step [n] (m: i64) (dt: f32) (gs: [n]grain) : [n]grain =
  let (gs, starts, ends) = sort_cells m gs
  let move g =
    let here = cell m g.p
    let (ci, cj) = (here / m, here % m)
    let f =
      loop f = wall g for q < 9 do
        let (i, j) = (ci + q / 3 - 1, cj + q % 3 - 1)
        in if i < 0 || j < 0 || i >= m || j >= m then f
           else loop f for k in starts[i * m + j]..<ends[i * m + j] do f +. contact g gs[k]
    let v = g.v +. (dt *. (f +. (0, -1)))
    in g with v = v with p = g.p +. (dt *. v)
  in map move gs

entry main [n] (steps: i32) (m: i64) (dt: f32) (px: [n]f32) (py: [n]f32) (size: [n]f32) : (f32, f32, f32, f32) =
  let make x y s = {p = (x, y), v = (0, 0), r = (0.2 + 0.25 * s) / f32.i64 m} : grain
  let gs = loop gs = map3 make px py size for _s < steps do step m dt gs
  let mean f = f32.sum (map f gs) / f32.i64 n
  in (mean (\g -> 0.5 * dot g.v g.v), mean (\g -> g.p.1), mean (\g -> g.p.0), mean (\g -> g.v.1))
