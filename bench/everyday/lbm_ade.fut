-- Lattice Boltzmann (D2Q5) for advection and diffusion of a tracer in a cellular flow, two relaxation times.
type cell = {c: f32, e: f32, w: f32, n: f32, s: f32}

def equilibrium (rho: f32) (ux: f32) (uy: f32) : cell =
  {c = rho / 3,
   e = rho / 6 * (1 + 3 * ux), w = rho / 6 * (1 - 3 * ux),
   n = rho / 6 * (1 + 3 * uy), s = rho / 6 * (1 - 3 * uy)}

def density (f: cell) : f32 = f.c + f.e + f.w + f.n + f.s

def collide (om: f32) (ux: f32) (uy: f32) (f: cell) : cell =
  let q = equilibrium (density f) ux uy
  let relax a b a' b' =
    let sym = 0.5 * (a + b - a' - b')
    let anti = 0.5 * (a - b - a' + b')
    in (a - sym - om * anti, b - sym + om * anti)
  let (e, w) = relax f.e f.w q.e q.w
  let (n, s) = relax f.n f.s q.n q.s
  in {c = density f - e - w - n - s, e, w, n, s}

entry main [h][w] (steps: i64) (om: f32) (rho0: [h][w]f32) : [h][w]f32 =
  let pi2 = 2 * f32.pi
  let vel y x =
    let (a, b) = (pi2 * f32.i64 x / f32.i64 w, pi2 * f32.i64 y / f32.i64 h)
    in (0.1 * f32.sin a * f32.cos b, -0.1 * f32.cos a * f32.sin b)
  let us = tabulate_2d h w vel
  let start = map2 (map2 (\r (ux, uy) -> equilibrium r ux uy)) rho0 us
  let f = loop f = start for _t < steps do
            let g = map2 (map2 (\(ux, uy) c -> collide om ux uy c)) us f
            in tabulate_2d h w (\y x ->
                 let l = if x == 0 then w - 1 else x - 1
                 let r = if x == w - 1 then 0 else x + 1
                 let u = if y == 0 then h - 1 else y - 1
                 let d = if y == h - 1 then 0 else y + 1
                 in {c = g[y, x].c, e = g[y, l].e, w = g[y, r].w, n = g[u, x].n, s = g[d, x].s})
  in map (map density) f
