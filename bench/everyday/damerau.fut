-- Spell checking: optimal-string-alignment distance of each typed word to its candidate words, best candidate kept.
def osa [m] (a: [m]u8) (la: i64) (b: [m]u8) (lb: i64) : i32 =
  let w = m + 1
  let start = (tabulate w i32.i64, tabulate w i32.i64)
  let (_, last) =
    loop (prev2, prev) = start for i < la do
      let cur = replicate w (i32.i64 i + 1)
      let cur = loop cur for j < lb do
        let cost = i32.bool (a[i] != b[j])
        let d = i32.min (prev[j] + cost) (1 + i32.min prev[j + 1] cur[j])
        let d = if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]
                then i32.min d (prev2[j - 1] + 1) else d
        in cur with [j + 1] = d
      in (prev, cur)
  in last[lb]

def main [n][m][d] (typed: [n][m]u8) (dict: [d][m]u8) (cands: i64) : ([n]i32, [n]i64, [11]i32) =
  let letter c = 'a' + c % 4
  let len (w: [m]u8) = if m == 0 then 0 else i64.max 1 (m - i64.u8 (w[0] >> 3) % (m / 2 + 1))
  let words = map (map letter) dict
  let check (t: [m]u8) =
    let lt = len t
    let tl = map letter t
    let h = if m == 0 then 0 else i64.u8 t[0] * 131 + i64.u8 t[m - 1] * 31
    in loop (best, at) = (i32.i64 (2 * m), -1) for c < (if d == 0 then 0 else cands) do
         let k = (h + c * 17) % d
         let e = osa tl lt words[k] (len dict[k])
         in if e < best then (e, k) else (best, at)
  let (e, k) = unzip (map check typed)
  in (e, k, hist (+) 0 11 (map (\x -> i64.i32 (i32.min x 10)) e) (replicate n 1))
