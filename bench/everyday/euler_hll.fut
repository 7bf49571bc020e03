-- The compressible Euler equations in a channel, finite volumes with HLL fluxes: records as states, reflecting walls above and below, periodic along it.
type state = {r: f32, u: f32, v: f32, e: f32}   -- density, momenta, energy
def gamma: f32 = 1.4

def lift2 (f: f32 -> f32 -> f32) (a: state) (b: state): state = {r = f a.r b.r, u = f a.u b.u, v = f a.v b.v, e = f a.e b.e}
def lift (f: f32 -> f32) (a: state): state = {r = f a.r, u = f a.u, v = f a.v, e = f a.e}
def swap (a: state): state = a with u = a.v with v = a.u
def pressure (a: state) = (gamma - 1) * (a.e - 0.5 * (a.u*a.u + a.v*a.v) / a.r)

def flux_x (a: state): state =
  let p = pressure a
  let q = a.u / a.r
  in {r = a.u, u = a.u*q + p, v = a.v*q, e = (a.e + p)*q}

def hll (l: state) (r: state): state =
  let speed (a: state) = (a.u / a.r, f32.sqrt (gamma * pressure a / a.r))
  let (ul, cl) = speed l
  let (ur, cr) = speed r
  let sl = f32.min 0 (f32.min (ul - cl) (ur - cr))
  let sr = f32.max 0 (f32.max (ul + cl) (ur + cr))
  let (fl, fr) = (flux_x l, flux_x r)
  let mix (a: f32) (b: f32) (d: f32) = (sr*a - sl*b + sl*sr*d) / (sr - sl)
  let d = lift2 (-) r l
  in {r = mix fl.r fr.r d.r, u = mix fl.u fr.u d.u, v = mix fl.v fr.v d.v, e = mix fl.e fr.e d.e}

entry main [h][w] (steps: i64) (k: f32) (a: [h][w]f32) (b: [h][w]f32): ([h][w]f32, [h][w]f32, f32) =
  let start = map2 (map2 (\p q -> {r = 1 + 0.3*p, u = 0.2*(p - 0.5), v = 0.2*(q - 0.5), e = 2.5 + 0.5*q})) a b
  let final =
    loop g = start for _i < steps do
      let at y x : state =
        let x = if x < 0 then x + w else if x >= w then x - w else x
        in if y < 0 then (let s = g[0, x] in s with v = -s.v)
           else if y >= h then (let s = g[h-1, x] in s with v = -s.v)
           else g[y, x]
      in tabulate_2d h w (\y x ->
           let c = at y x
           let dx = lift2 (-) (hll c (at y (x+1))) (hll (at y (x-1)) c)
           let s = swap c
           let dy = swap (lift2 (-) (hll s (swap (at (y+1) x))) (hll (swap (at (y-1) x)) s))
           in lift2 (-) c (lift (k*) (lift2 (+) dx dy)))
  in (map (map (.r)) final, map (map pressure) final, f32.maximum (flatten (map (map (.e)) final)))
