-- Text to on/off keying in Morse code: per-letter lengths, a scan for offsets, and one binary search per output unit.
-- Letters A..Z as (number of marks, bits with the first mark in the lowest bit, 1 = dash).
def marks : [26]i64 = [2,4,4,3,1,4,3,4,2,4,3,4,2,2,3,4,4,3,3,1,3,4,3,4,4,4]
def bits : [26]u8 = [2,1,5,1,0,4,3,0,0,14,5,2,3,1,7,6,11,2,0,1,4,8,6,9,13,3]

def units (c: u8) : i64 =
  if c >= 26 then 4
  else let (m, b) = (marks[i64.u8 c], bits[i64.u8 c])
       in 3 + (loop s = 0 for k < m do s + (if (b >> u8.i64 k) & 1 == 1 then 4 else 2)) - 1

def key (c: u8) (at: i64) : u8 =
  if c >= 26 then 0
  else let (m, b) = (marks[i64.u8 c], bits[i64.u8 c])
       in (loop (on, p) = (0u8, 0) for k < m do
             let l = if (b >> u8.i64 k) & 1 == 1 then 3 else 1
             in (if at >= p && at < p + l then 1 else on, p + l + 1)).0

def main [n] (text: [n]u8) : ([]u8, i64) =
  let cs = map (% 30) text
  let ends = scan (+) 0 (map units cs)
  let total = if n == 0 then 0 else ends[n - 1]
  let find (u: i64) = (loop (lo, hi) = (0, n - 1) while lo < hi do
                         let mid = (lo + hi) / 2
                         in if ends[mid] > u then (lo, mid) else (mid + 1, hi)).0
  let signal = tabulate total (\u ->
    let i = find u
    in key cs[i] (u - (if i == 0 then 0 else ends[i - 1])))
  in (signal, i64.sum (map i64.u8 signal))
