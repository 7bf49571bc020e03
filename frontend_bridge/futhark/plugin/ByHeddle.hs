-- | heddle's own backends behind Futhark's pipeline up to the extraction of kernels: what @heddle cuda@ does, but that asserts have
-- their call stacks, which are in Futhark's data and not in the text that heddle reads else.
module ByHeddle (byHeddle, compileByHeddle) where

import Compile (extraction)
import Control.Monad (unless)
import Control.Monad.IO.Class (liftIO)
import Data.Maybe (fromMaybe)
import Data.Text.IO qualified as T
import Futhark.Compiler.CLI
import Futhark.Util.Pretty (prettyText)
import Places (withStacks)
import System.Environment (lookupEnv)
import System.Exit (ExitCode (..), exitWith)
import System.FilePath (takeFileName, (<.>), (</>))
import System.IO.Temp (withSystemTempDirectory)
import System.Process (rawSystem)

-- | Commands, and heddle's commands for them.
byHeddle :: [(String, String)]
byHeddle = [("heddle-cuda", "cuda"), ("heddle-cpu", "cpu")]

-- | @compileByHeddle command prog args@ takes the options of Futhark's commands. Warnings are Futhark's.
compileByHeddle :: String -> String -> [String] -> IO ()
compileByHeddle command =
  compilerMain () [] "Compile with heddle" "Generate code with heddle." extraction $ \_ () mode out prog ->
    liftIO . withSystemTempDirectory "futhark-heddle" $ \folder -> do
      heddle <- fromMaybe "heddle" <$> lookupEnv "HEDDLE"
      let file = folder </> takeFileName out <.> "fut_gpu"
      T.writeFile file . prettyText $ withStacks prog
      status <- rawSystem heddle [command, kind mode, "-w", file, "-o", out]
      unless (status == ExitSuccess) $ exitWith status
  where
    kind ToLibrary = "--library"
    kind ToExecutable = "--executable"
    kind ToServer = "--server"
