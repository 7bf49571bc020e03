-- | @futhark-heddle@: Futhark's own compiler with a pass of heddle's within it. What it does with the GPU backends stands in
-- "Compile", with heddle's own in "ByHeddle"; all else is Futhark's.
module Main (main) where

import ByHeddle (byHeddle, compileByHeddle)
import Compile (backends, compile)
import Control.Exception (AsyncException, Handler (..), SomeException, catches, throwIO)
import Futhark.CLI.Main qualified as Futhark
import GHC.IO.Encoding (setLocaleEncoding)
import System.Environment (getArgs, getProgName, withArgs)
import System.Exit (ExitCode)
import System.IO (hSetEncoding, stderr, stdout, utf8)

main :: IO ()
main = do
  args <- getArgs
  case args of
    command : rest | Just backend <- lookup command byHeddle -> do
      prog <- start
      compileByHeddle backend (unwords [prog, command]) rest
    command : rest | Just backend <- lookup command backends -> do
      prog <- start
      compile backend (unwords [prog, command]) rest
        `catches` [ Handler $ \e -> throwIO (e :: ExitCode),
                    Handler $ \e -> throwIO (e :: AsyncException),
                    -- Futhark is broken, or cannot do this: it says so itself, its warnings being said already.
                    Handler $ \e -> const (withArgs (command : "-w" : rest) Futhark.main) (e :: SomeException)
                  ]
    _ -> Futhark.main
  where
    start = do
      mapM_ (`hSetEncoding` utf8) [stdout, stderr]
      setLocaleEncoding utf8
      getProgName
