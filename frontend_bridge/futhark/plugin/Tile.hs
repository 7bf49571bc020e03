-- | heddle's pass, from Futhark's program to Futhark's program.
module Tile (Tiled (..), tile) where

import Data.Char (isDigit)
import Data.Map.Strict qualified as M
import Data.Text qualified as T
import Futhark.IR.GPU
import Futhark.IR.Parse (parseGPU)
import Places (withPlaces, withoutPlaces)
import RunHeddle (runHeddle)

data Tiled
  = Untouched
  | -- | Why there is nothing to take.
    Failed T.Text
  | -- | The functions that are tiled, the program with them, and a tag that no name in it exceeds.
    Tiled [T.Text] (Prog GPU) Int

-- | Only functions that heddle has changed are taken from its text; of those, the host's places of asserts are put back.
tile :: Prog GPU -> IO Tiled
tile prog = do
  let (numbered, places) = withoutPlaces prog
  answer <- runHeddle $ prettyText numbered
  pure $ case answer of
    Left why -> Failed why
    Right text -> case parseGPU "heddle" text of
      Left why -> Failed $ "heddle wrote what futhark cannot read: " <> T.intercalate ", " (take 1 $ T.lines why)
      Right after
        | M.keys (byName after) /= M.keys (byName numbered) -> Failed "heddle wrote another program"
        | null changed -> Untouched
        | otherwise -> Tiled (map nameToText $ M.keys changed) (prog {progFuns = map changedOr $ progFuns prog}) (largestTag text)
        where
          changed =
            M.fromList
              [ (funDefName f', withPlaces places f')
                | (f, f') <- M.elems $ M.intersectionWith (,) (byName numbered) (byName after),
                  -- As text, since what is not a number does not equal itself.
                  prettyText f /= prettyText f'
              ]
          changedOr f = M.findWithDefault f (funDefName f) changed
  where
    byName p = M.fromList [(funDefName f, f) | f <- progFuns p]

-- | Of the names in a program's text: @x_17@. Other numbers behind underscores do no harm.
largestTag :: T.Text -> Int
largestTag = maximum . (0 :) . map number . drop 1 . T.splitOn "_"
  where
    number = T.foldl' (\n d -> n * 10 + fromEnum d - fromEnum '0') 0 . T.take 15 . T.takeWhile isDigit
