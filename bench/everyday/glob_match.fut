-- Words matched against a pattern of letters, '?' and '*', the states of the match kept as a row of flags.
type sign = #letter u8 | #any | #star

def sign (c: u8) : sign =
  match c % 7
  case 5 -> #any
  case 6 -> #star
  case l -> #letter l

entry main [n] [m] [p] (pattern: [p]u8) (words: [n][m]u8) : ([n]bool, i64) =
  let signs = map sign pattern
  let through (flags: [p + 1]bool) =
    loop flags = copy flags for j < p do
      match signs[j]
      case #star -> flags with [j + 1] = flags[j + 1] || flags[j]
      case _ -> flags
  let step c (flags: [p + 1]bool) =
    through (tabulate (p + 1) (\j ->
      if j == 0 then false else
      match signs[j - 1]
      case #letter l -> flags[j - 1] && l == c % 5
      case #any -> flags[j - 1]
      case #star -> flags[j]))
  let start = through (tabulate (p + 1) (== 0))
  let fits word = (loop flags = start for c in word do step c flags)[p]
  let found = map fits words
  in (found, i64.sum (map i64.bool found))
