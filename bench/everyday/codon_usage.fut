-- Codon usage of a long strand in its three frames, the stops found, and the translated first frame.
def amino : [64]u8 = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF"

entry main [n] (dna: [n]u8) : ([3][64]i32, [3]i32, []u8) =
  let codon i = i64.u8 ((dna[i] & 3) << 4 | (dna[i + 1] & 3) << 2 | (dna[i + 2] & 3))
  let m = (n - 2) / 3
  let frame f =
    hist (+) 0i32 64 (tabulate m (\i -> codon (f + 3 * i))) (replicate m 1)
  let usage = map frame (iota 3)
  let stops u = i32.sum (map2 (\a c -> if a == '*' then c else 0) amino u)
  in (usage, map stops usage, tabulate (n / 3) (\i -> amino[codon (3 * i)]))
