-- Separating axis test on pairs of random convex polygons with integer corners; overlap flag and deepest axis per pair.
type corner = {x: i32, y: i32}

def project [k] (ax: corner) (ps: [k]corner) : (i32, i32) =
  let ts = map (\p -> ax.x * p.x + ax.y * p.y) ps
  in (i32.minimum ts, i32.maximum ts)

def edges [k] (ps: [k]corner) : [k]corner =
  map2 (\p q -> {x = p.y - q.y, y = q.x - p.x}) ps (rotate 1 ps)

def gap [k] (ps: [k]corner) (qs: [k]corner) (ax: corner) : i32 =
  let (a, b) = project ax ps
  let (c, d) = project ax qs
  in i32.max (c - b) (a - d)

-- A convex polygon inscribed in an octagon-like ring about a random centre.
def polygon (k: i64) (seed: i32) : [k]corner =
  let (cx, cy, r) = (seed & 255, seed >> 8 & 255, 20 + (seed >> 16 & 30))
  let at i =
    let t = 2 * f32.pi * (f32.i64 i + f32.i32 (seed >> 21 & 7) / 8) / f32.i64 k
    in {x = cx + i32.f32 (f32.round (f32.i32 r * f32.cos t)), y = cy + i32.f32 (f32.round (f32.i32 r * f32.sin t))}
  in tabulate k at

entry main [n] (k: i64) (a: [n]i32) (b: [n]i32) : ([n]bool, [n]i32, i64) =
  let one s t =
    let (ps, qs) = (polygon k s, polygon k t)
    let worst = i32.maximum (map (gap ps qs) (edges ps ++ edges qs))
    in (worst <= 0, worst)
  let (hit, depth) = unzip (map2 one a b)
  in (hit, depth, i64.sum (map i64.bool hit))
