-- Postfix programs of bytes run on stacks, one program a row, with modular arithmetic.
type op = #push i64 | #add | #sub | #mul | #dup | #swap | #over | #pick i64

def decode (c: u8) : op =
  if c < 110 then #push (i64.u8 c)
  else if c < 140 then #add
  else if c < 165 then #sub
  else if c < 190 then #mul
  else if c < 205 then #dup
  else if c < 220 then #swap
  else if c < 240 then #over
  else #pick (i64.u8 c & 7)

def depth : i64 = 32
def modulus : i64 = 1000003

def run [l] (code: [l]u8) : (i64, i64, i64) =
  let get (st: [depth]i64) i = if i >= 0 then st[i] else 1
  let (st, sp, faults) =
    loop (st, sp, faults) = (replicate depth 0, 0, 0) for i < l do
      let a = get st (sp - 2)
      let b = get st (sp - 1)
      -- what is dropped and what is pushed
      let (drop, n, x, y) =
        match decode code[i]
        case #push v -> (0, 1, v, 0)
        case #add -> (2, 1, a + b, 0)
        case #sub -> (2, 1, a - b + modulus, 0)
        case #mul -> (2, 1, a * b, 0)
        case #dup -> (1, 2, b, b)
        case #swap -> (2, 2, b, a)
        case #over -> (0, 1, a, 0)
        case #pick k -> (0, 1, get st (sp - 1 - k), 0)
      let base = i64.max 0 (sp - drop)
      let fault = sp < drop || base + n > depth
      in if base + n > depth then (st, sp - 1, faults + 1)
         else
           let st[base] = x % modulus
           let st = if n == 2 then st with [base + 1] = y % modulus else st
           in (st, base + n, faults + i64.bool fault)
  in (get st (sp - 1), sp, faults)

entry main [n][l] (code: [n][l]u8) : ([n]i64, i64, i64) =
  let (top, sp, faults) = unzip3 (map run code)
  in (top, i64.sum sp, i64.sum faults)
