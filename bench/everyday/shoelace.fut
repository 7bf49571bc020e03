-- Areas, perimeters (in city blocks) and orientation of closed polygons with integer corners.
def area2 [k] (p: [k][2]i32) : i64 =
  let q = rotate 1 p
  in i64.sum (map2 (\a b -> i64.i32 a[0] * i64.i32 b[1] - i64.i32 a[1] * i64.i32 b[0]) p q)

def blocks [k] (p: [k][2]i32) : i64 =
  let q = rotate (-1) p
  in i64.sum (map2 (\a b -> i64.i32 (i32.abs (a[0] - b[0]) + i32.abs (a[1] - b[1]))) p q)

entry main [n] [k] (corners: [n][k][2]i32) : ([n]i64, [n]i64, i64) =
  let small = map (map (map (>> 12))) corners
  let areas = map area2 small
  in (map i64.abs areas, map blocks small, i64.sum (map (\a -> i64.bool (a > 0)) areas))
