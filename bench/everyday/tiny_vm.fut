-- One program of a small register machine run by many threads, each with its own four registers.
type op = #add i64 i64 | #xor i64 i64 | #mulc i64 i32 | #shr i64 i32 | #swap i64 i64 | #jodd i64 i64

def decode (w: i32) : op =
  let a = i64.i32 ((w >> 3) & 3)
  let b = i64.i32 ((w >> 5) & 3)
  let c = (w >> 8) & 0xff
  in match w & 7
     case 0 -> #add a b
     case 1 -> #xor a b
     case 2 -> #mulc a (2 * c + 1)
     case 3 -> #shr a (c & 7)
     case 4 -> #swap a b
     case 5 -> #jodd a (1 + i64.i32 (c & 3))
     case 6 -> #add a ((a + 1) & 3)
     case _ -> #xor a ((a + 3) & 3)

entry main [n] [p] (rounds: i32) (program: [p]i32) (input: [n]i32) : ([n][4]i32, [n]i32) =
  let code = map decode program
  let run x =
    loop (regs, taken) = ([x, x >> 7, 12345, 1], 0i32) for _r < rounds do
      let (regs, taken, _) =
        loop (r, t, pc) = (copy regs, taken, 0i64) while pc < p do
          match code[pc]
          case #add a b -> (r with [a] = r[a] + r[b], t, pc + 1)
          case #xor a b -> (r with [a] = r[a] ^ (r[b] >> 1), t, pc + 1)
          case #mulc a c -> (r with [a] = r[a] * c, t, pc + 1)
          case #shr a s -> (r with [a] = r[a] >> s, t, pc + 1)
          case #swap a b -> let (u, v) = (r[a], r[b]) in ((r with [a] = v) with [b] = u, t, pc + 1)
          case #jodd a d -> if r[a] & 1 == 1 then (r, t + 1, pc + 1 + d) else (r, t, pc + 1)
      in (regs, taken)
  in unzip (map run input)
