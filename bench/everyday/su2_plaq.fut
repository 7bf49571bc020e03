-- SU(2) lattice gauge field in three dimensions: links as unit quaternions, APE smearing by staples, plaquettes and 2x2 Wilson loops at the end.
module su2 = {
  type t = {a: f32, b: f32, c: f32, d: f32}
  def zero : t = {a = 0, b = 0, c = 0, d = 0}
  def (+) (p: t) (q: t) : t = {a = p.a + q.a, b = p.b + q.b, c = p.c + q.c, d = p.d + q.d}
  def (*) (p: t) (q: t) : t =
    {a = p.a f32.* q.a f32.- p.b f32.* q.b f32.- p.c f32.* q.c f32.- p.d f32.* q.d,
     b = p.a f32.* q.b f32.+ p.b f32.* q.a f32.+ p.c f32.* q.d f32.- p.d f32.* q.c,
     c = p.a f32.* q.c f32.- p.b f32.* q.d f32.+ p.c f32.* q.a f32.+ p.d f32.* q.b,
     d = p.a f32.* q.d f32.+ p.b f32.* q.c f32.- p.c f32.* q.b f32.+ p.d f32.* q.a}
  def dagger (p: t) : t = {a = p.a, b = -p.b, c = -p.c, d = -p.d}
  def scale (s: f32) (p: t) : t = {a = s f32.* p.a, b = s f32.* p.b, c = s f32.* p.c, d = s f32.* p.d}
  def unit (p: t) : t =
    let n = p.a f32.* p.a f32.+ p.b f32.* p.b f32.+ p.c f32.* p.c f32.+ p.d f32.* p.d
    in scale (1 f32./ f32.sqrt n) p
}

type site = (i64, i64, i64)

def move (n: i64) (mu: i64) (by: i64) ((x, y, z): site) : site =
  let go i = (i + by + n) % n
  in if mu == 0 then (go x, y, z) else if mu == 1 then (x, go y, z) else (x, y, go z)

def link [n] (u: [3][n][n][n]su2.t) (mu: i64) ((x, y, z): site) : su2.t = u[mu, x, y, z]

def staple [n] (u: [3][n][n][n]su2.t) (mu: i64) (nu: i64) (s: site) : su2.t =
  let up = su2.(link u nu s * link u mu (move n nu 1 s) * dagger (link u nu (move n mu 1 s)))
  let t = move n nu (-1) s
  let down = su2.(dagger (link u nu t) * link u mu t * link u nu (move n mu 1 t))
  in su2.(up + down)

def smear [n] (alpha: f32) (u: [3][n][n][n]su2.t) : [3][n][n][n]su2.t =
  let new mu s =
    let sum = loop acc = su2.zero for nu < 3 do if nu == mu then acc else su2.(acc + staple u mu nu s)
    in su2.(unit (scale (1 f32.- alpha) (link u mu s) + scale (alpha f32./ 4) sum))
  in tabulate 3 (\mu -> tabulate_3d n n n (\x y z -> new mu (x, y, z)))

-- Product of links along a straight line.
def line [n] (u: [3][n][n][n]su2.t) (len: i64) (mu: i64) (s: site) : su2.t =
  let (p, _) =
    loop (p, s) = (link u mu s, move n mu 1 s) for _i < len - 1 do
      (su2.(p * link u mu s), move n mu 1 s)
  in p

def wilson [n] (u: [3][n][n][n]su2.t) (r: i64) (mu: i64) (nu: i64) (s: site) : f32 =
  let a = line u r mu s
  let b = line u r nu (move n mu r s)
  let c = line u r mu (move n nu r s)
  let d = line u r nu s
  in (su2.(a * b * dagger c * dagger d)).a

def mean_loop [n] (u: [3][n][n][n]su2.t) (r: i64) (mu: i64) (nu: i64) : f32 =
  let per_line = tabulate_2d n n (\x y -> f32.sum (tabulate n (\z -> wilson u r mu nu (x, y, z))))
  in f32.sum (map f32.sum per_line) / f32.i64 (n * n * n)

entry main [n] (rounds: i64) (alpha: f32) (start: [3][n][n][n][4]f32) : ([n][n][n]f32, [3]f32, [3]f32, [rounds]f32) =
  let u0 =
    map (map (map (map (\r -> su2.unit {a = 0.8 + r[0], b = r[1] - 0.5, c = r[2] - 0.5, d = r[3] - 0.5})))) start
  let (u, history) =
    loop (u, out) = (u0, replicate rounds 0f32) for i < rounds do
      let u = smear alpha u
      in (u, out with [i] = mean_loop u 1 0 1)
  let local_mean =
    tabulate_3d n n n (\x y z ->
      let s = (x, y, z)
      in (wilson u 1 0 1 s + wilson u 1 0 2 s + wilson u 1 1 2 s) / 3)
  let planes f = [f 0 1, f 0 2, f 1 2]
  in (local_mean, planes (\mu nu -> mean_loop u 1 mu nu), planes (\mu nu -> mean_loop u 2 mu nu), history)
