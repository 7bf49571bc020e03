def rotl (x: u32) (k: u32) = (x << k) | (x >> (32-k))
def quarter (s: *[16]u32) (a: i64) (b: i64) (c: i64) (d: i64) : *[16]u32 =
  let s = s with [a] = s[a] + s[b] let s = s with [d] = rotl (s[d] ^ s[a]) 16
  let s = s with [c] = s[c] + s[d] let s = s with [b] = rotl (s[b] ^ s[c]) 12
  let s = s with [a] = s[a] + s[b] let s = s with [d] = rotl (s[d] ^ s[a]) 8
  let s = s with [c] = s[c] + s[d] let s = s with [b] = rotl (s[b] ^ s[c]) 7
  in s
entry main (n: i64) (key: [8]u32) : [n][16]u32 =
  tabulate n (\i ->
    let s0 = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] ++ key ++ [u32.i64 i, 0, 1, 2] :> [16]u32
    let s = loop s = copy s0 for _r < 10i32 do
      let s = quarter (quarter (quarter (quarter s 0 4 8 12) 1 5 9 13) 2 6 10 14) 3 7 11 15
      in quarter (quarter (quarter (quarter s 0 5 10 15) 1 6 11 12) 2 7 8 13) 3 4 9 14
    in map2 (+) s s0)
