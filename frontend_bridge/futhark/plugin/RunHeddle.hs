-- | heddle on a program's text: by default a child process with limits of time and memory, so that no crash, hang or hunger in
-- it does harm. @HEDDLE@ names the program, @HEDDLE_SECONDS@ (60) and @HEDDLE_MEMORY@ in KiB (8 GiB) the limits.
-- @HEDDLE_LIBRARY@, a path of libheddle.so, has heddle run within this process instead.
module RunHeddle (runHeddle) where

import Data.Maybe (fromMaybe)
import Data.Text qualified as T
import Data.Text.Encoding qualified as T
import Futhark.Util (runProgramWithExitCode)
import InProcess (runInProcess)
import System.Environment (lookupEnv)
import System.Exit (ExitCode (..))

-- | The program's text behind the pass, or why there is none, in one line.
runHeddle :: T.Text -> IO (Either T.Text T.Text)
runHeddle text = do
  library <- lookupEnv "HEDDLE_LIBRARY"
  maybe runChild runInProcess library $ T.encodeUtf8 text
  where
    runChild input = do
      heddle <- option "heddle" "HEDDLE"
      seconds <- option "60" "HEDDLE_SECONDS"
      memory <- option "8388608" "HEDDLE_MEMORY"
      result <- runProgramWithExitCode "sh" ["-c", script, "sh", memory, seconds, heddle] input
      pure $ case result of
        Right (ExitSuccess, out, _) -> Right $ T.pack out
        Right (ExitFailure 124, _, _) -> failed $ "took more than " <> T.pack seconds <> " s"
        Right (ExitFailure n, _, _) | n < 0 -> failed $ "killed by signal " <> T.pack (show $ negate n)
        Right (ExitFailure n, _, err) -> failed $ "exit status " <> T.pack (show n) <> firstLine (T.pack err)
        Left e -> failed $ T.pack $ show e
    option other name = fromMaybe other <$> lookupEnv name
    failed why = Left $ "heddle failed (" <> why <> ")"
    firstLine = T.concat . map (": " <>) . take 1 . T.lines
    -- In the foreground, so that an interrupt reaches heddle, too.
    script = "ulimit -v \"$1\"; exec timeout --foreground --kill-after=1 \"$2\" \"$3\" pass tile"
