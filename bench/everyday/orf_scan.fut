-- Open reading frames: per sequence the longest start-to-stop stretch in six frames, its frame, and codon counts.
def letter (complement: bool) (b: u8) : i32 =
  let x = i32.u8 (b & 3)
  in if complement then 3 - x else x

def codon [m] (xs: [m]u8) (rev: bool) (p: i64) : i32 =
  let get k = let q = p + k
              in if rev then letter true xs[m - 1 - q] else letter false xs[q]
  in get 0 * 16 + get 1 * 4 + get 2

def is_start (c: i32) = c == 14          -- A T G with A=0 C=1 G=2 T=3
def is_stop (c: i32) = c == 48 || c == 50 || c == 56

def frame [m] (xs: [m]u8) (f: i64) : i32 =
  let (rev, off) = (f >= 3, f % 3)
  let n = (m - off) / 3
  let (best, _) =
    loop (best, from) = (0, -1) for k < n do
      let c = codon xs rev (off + 3 * k)
      in if is_stop c
         then (if from >= 0 then i32.max best (i32.i64 k - from) else best, -1)
         else (best, if is_start c && from < 0 then i32.i64 k else from)
  in best

entry main [n][m] (seqs: [n][m]u8) : ([n]i32, [n]i64, [64]i64) =
  let choose (a, i) (b, j) = if b > a || (b == a && j < i) then (b, j) else (a, i)
  let longest = map (\xs -> reduce choose (-1, 6) (map (\f -> (frame xs f, f)) (iota 6))) seqs
  let usage =
    seqs
    |> map (\xs -> tabulate (m / 3) (\k -> i64.i32 (codon xs false (3 * k))))
    |> flatten
    |> (\cs -> hist (+) 0 64 cs (map (const 1) cs))
  in (map (.0) longest, map (.1) longest, usage)
