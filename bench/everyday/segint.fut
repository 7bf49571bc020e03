-- How many of the other set's segments each segment crosses, with integer coordinates, and the number of touching ones.
type pt = {x: i64, y: i64}
type seg = (pt, pt)

def orient (a: pt) (b: pt) (c: pt) : i64 =
  i64.sgn ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x))

def relation ((a, b): seg) ((c, d): seg) : #cross | #touch | #apart =
  let o1 = orient a b c
  let o2 = orient a b d
  let o3 = orient c d a
  let o4 = orient c d b
  let lo u v = i64.min u v
  let hi u v = i64.max u v
  let boxes = lo a.x b.x <= hi c.x d.x && lo c.x d.x <= hi a.x b.x && lo a.y b.y <= hi c.y d.y && lo c.y d.y <= hi a.y b.y
  in if o1 * o2 < 0 && o3 * o4 < 0 then #cross
     else if boxes && o1 * o2 <= 0 && o3 * o4 <= 0 then #touch
     else #apart

def seg_of (range: i32) (r: [4]i32) : seg =
  let u k = i64.i32 ((r[k] & 0x7fffffff) % range)
  let near k b = u k + i64.i32 ((r[b] & 0x7fffffff) % (range / 4)) - i64.i32 (range / 8)
  in ({x = u 0, y = u 1}, {x = near 0 2, y = near 1 3})

entry main [n] [m] (range: i32) (p: [n][4]i32) (q: [m][4]i32) : ([n]i32, i64, i64) =
  let ps = map (seg_of range) p
  let qs = map (seg_of range) q
  let tally s =
    reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0i32, 0i32)
      (map (\t -> match relation s t
                  case #cross -> (1, 0)
                  case #touch -> (0, 1)
                  case #apart -> (0, 0)) qs)
  let (cross, touch) = unzip (map tally ps)
  in (cross, i64.sum (map i64.i32 cross), i64.sum (map i64.i32 touch))
