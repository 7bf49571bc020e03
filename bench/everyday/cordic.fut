-- CORDIC sine and cosine of binary angles in Q2.28 fixed point, and the worst error of the unit circle.
def angles : [16]i32 =
  [210828714, 124459457, 65760959, 33381290, 16755422, 8385879, 4193963, 2097109,
   1048571, 524287, 262144, 131072, 65536, 32768, 16384, 8192]

entry main [n] (turns: [n]i32) : ([n]i32, [n]i32, i64) =
  let one t =
    let z0 = i32.i64 ((i64.i32 (t & 0x3fffffff) * 421657428) >> 30)
    let (x, y, _) =
      loop (x, y, z) = (163008218i32, 0i32, z0) for i < 16 do
        let k = i32.i64 i
        in if z >= 0
           then (x - (y >> k), y + (x >> k), z - angles[i])
           else (x + (y >> k), y - (x >> k), z + angles[i])
    let quarter = (t >> 30) & 3
    in if quarter == 0 then (x, y)
       else if quarter == 1 then (-y, x)
       else if quarter == 2 then (-x, -y)
       else (y, -x)
  let (c, s) = unzip (map one turns)
  let off a b = i64.abs ((i64.i32 a * i64.i32 a + i64.i32 b * i64.i32 b) - (1 << 56)) >> 28
  in (c, s, i64.maximum (map2 off c s))
