-- Decodes a form-encoded text: %XX escapes and '+', then splits it at '&' and '=' and gives offset, length and hash of every key.
def alphabet : []u8 = "abcdef0123456789%%%+&=xyz"

def hex (c: u8) : i32 =
  if c >= '0' && c <= '9' then i32.u8 (c - '0')
  else if c >= 'a' && c <= 'f' then i32.u8 (c - 'a') + 10
  else if c >= 'A' && c <= 'F' then i32.u8 (c - 'A') + 10
  else -1

def exclusive [n] (xs: [n]i64) : [n]i64 = map2 (-) (scan (+) 0 xs) xs

def filter_positions [n] (keep: [n]bool) : []i64 =
  let at = scan (+) 0 (map i64.bool keep)
  let size = if n == 0 then 0 else at[n - 1]
  in scatter (replicate size 0) (map2 (\k a -> if k then a - 1 else -1) keep at) (iota n)

entry main [n] (raw: [n]u8) : ([]u8, []i64, []i64, []u32) =
  let text = map (\c -> alphabet[i64.u8 c % 25]) raw
  let escape i = i + 2 < n && i >= 0 && text[i] == '%' && hex text[i + 1] >= 0 && hex text[i + 2] >= 0
  let starts = tabulate n escape
  let gone i = (i >= 1 && starts[i - 1]) || (i >= 2 && starts[i - 2])
  let keep = tabulate n (\i -> !(gone i))
  -- (byte, was it a separator in the undecoded text)
  let decoded =
    tabulate n (\i ->
      let c = text[i]
      in if starts[i] then (u8.i32 (16 * hex text[i + 1] + hex text[i + 2]), false)
         else if c == '+' then (' ', false)
         else (c, c == '&' || c == '='))
  let at = filter_positions keep
  let (bytes, sep) = unzip (map (\i -> decoded[i]) at)
  let cuts = filter_positions sep
  let k = length cuts
  let begins = map (\i -> if i == 0 then 0 else cuts[i - 1] + 1) (iota (k + 1))
  let ends = map (\i -> if i == k then length bytes else cuts[i]) (iota (k + 1))
  let hashes =
    map2 (\a b -> loop h = 2166136261u32 for i in a..<b do (h ^ u32.u8 bytes[i]) * 16777619) begins ends
  in (bytes, begins, map2 (-) ends begins, hashes)
