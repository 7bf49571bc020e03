-- Internal rates of return of irregular dated cash flows, accounts of different lengths stored as CSR, safeguarded Newton.
def main [a][z] (lens: [a]u8) (days: [z]u16) (amounts: [z]f32) : ([a]f32, [a]f32) =
  let cnt = map (\l -> 2 + i64.u8 l % 30) lens
  let offs = map2 (-) (scan (+) 0 cnt) cnt
  let years = map (\d -> f32.u16 d / 65536 * 6 + 0.05) days
  let solve (start: i64) (c: i64) =
    let o = i64.min z start
    let hi = i64.min z (o + c)
    let total = loop s = 0f32 for i in o..<hi do s + amounts[i]
    let paid = 0.8 * total
    let f r = loop (v, dv) = (-paid, 0f32) for i in o..<hi do
                let t = years[i]
                let q = amounts[i] * (1 + r) ** (-t)
                in (v + q, dv - t * q / (1 + r))
    in if total <= 0 then (0, 0)
       else let (r, _) =
              loop (r, it) = (0f32, 0) while it < 25i32 && f32.abs (f r).0 > 1e-5 * paid do
                let (v, dv) = f r
                in (f32.max (-0.9) (f32.min (r + 1) (r - v / dv)), it + 1)
            in (r, -(f r).1 / paid)
  in unzip (map2 solve offs cnt)
