-- Consistent-overhead byte stuffing of a buffer: forward and backward scans locate zeros, bytes and code bytes are scattered.
def main [n] (raw: [n]u8) (zeros: u8) : ([]u8, i64) =
  let m = n + 1
  let data = tabulate m (\i -> if i < n && raw[i] >= zeros then raw[i] else 0)
  let start = scan i64.max 0 (tabulate m (\i -> if i > 0 && data[i - 1] == 0 then i else 0))
  let stop = reverse (scan i64.min m (reverse (tabulate m (\i -> if data[i] == 0 then i else m))))
  let lead = map2 (\i s -> (i - s) % 254 == 0) (iota m) start
  let size = map2 (\d l -> i64.bool (d != 0) + i64.bool l) data lead
  let ends = scan (+) 0 size
  let total = ends[m - 1]
  let codes = map2 (\i e -> u8.i64 (1 + i64.min 254 (e - i))) (iota m) stop
  let at_code = map3 (\e s l -> if l then e - s else -1) ends size lead
  let at_byte = map2 (\e d -> if d != 0 then e - 1 else -1) ends data
  let out = scatter (replicate total 0) at_code codes
  let out = scatter out at_byte data
  in (out, total - n)
