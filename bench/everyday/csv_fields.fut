-- Fields of quoted comma-separated text: three scans (quotes, fields, lines), then tables by line and by field.
type sym = #quote | #comma | #newline | #other u8

def read (c: u8) : sym =
  if c < 4 then #quote else if c < 40 then #comma else if c < 48 then #newline else #other c

entry main [n] (text: [n]u8) : (i64, i64, []i32, []u32, i64) =
  let syms = map read text
  let is_quote (s: sym) = match s case #quote -> true case _ -> false
  let inside = scan (!=) false (map is_quote syms)
  let mark (s: sym) q : (i64, i64) =
    if q then (0, 0) else match s case #comma -> (1, 0) case #newline -> (1, 1) case _ -> (0, 0)
  let ends = map2 mark syms inside
  let upto = scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) ends
  let (fields, lines) = if n > 0 then (upto[n - 1].0 + 1, upto[n - 1].1 + 1) else (0, 0)
  -- ends count for the field and the line that they end
  let field = map2 (\u e -> u.0 - e.0) upto ends
  let line = map2 (\u e -> u.1 - e.1) upto ends
  let weight (s: sym) : u32 = match s case #other c -> u32.u8 c * 2654435761 case _ -> 0
  let sums = reduce_by_index (replicate fields 0u32) (+) 0 field (map weight syms)
  let per_line = reduce_by_index (replicate lines 0i32) (+) 0 line (map (\e -> i32.i64 e.0) ends)
  let quoted = i64.sum (map i64.bool inside)
  in (fields, lines, per_line, sums, quoted)
