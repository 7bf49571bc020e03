-- | Futhark's pipeline for GPUs with heddle's pass within it, behind the extraction of kernels. Programs in which heddle finds
-- nothing to do go on as the values they were; so do all for which anything on the way of the others fails.
module Compile (backends, compile, extraction) where

import Control.Category ((>>>))
import Control.Exception (AsyncException, SomeException, fromException, throwIO, try)
import Control.Monad.Except (throwError)
import Control.Monad.IO.Class (liftIO)
import Cuda13 (compileCUDA)
import Data.Text qualified as T
import Data.Text.IO qualified as T
import Futhark.Actions
import Futhark.Analysis.Alias (aliasAnalysis)
import Futhark.Compiler.CLI
import Futhark.IR.GPU (GPU)
import Futhark.IR.GPUMem (GPUMem)
import Futhark.IR.SOACS (SOACS)
import Futhark.IR.TypeCheck (checkProg)
import Futhark.MonadFreshNames
import Futhark.Optimise.ArrayLayout
import Futhark.Optimise.ArrayShortCircuiting qualified as ArrayShortCircuiting
import Futhark.Optimise.CSE
import Futhark.Optimise.DoubleBuffer
import Futhark.Optimise.EntryPointMem
import Futhark.Optimise.GenRedOpt
import Futhark.Optimise.HistAccs
import Futhark.Optimise.MemoryBlockMerging qualified as MemoryBlockMerging
import Futhark.Optimise.MergeGPUBodies
import Futhark.Optimise.ReduceDeviceSyncs
import Futhark.Optimise.Sink
import Futhark.Optimise.TileLoops
import Futhark.Optimise.Unstream
import Futhark.Pass.ExpandAllocations
import Futhark.Pass.ExplicitAllocations.GPU qualified as GPU
import Futhark.Pass.ExtractKernels
import Futhark.Pass.LiftAllocations
import Futhark.Pass.LowerAllocations
import Futhark.Pass.Simplify
import Futhark.Passes (standardPipeline)
import Futhark.Util.Log (logMsg)
import System.Exit (ExitCode)
import System.IO (stderr)
import Tile (Tiled (..), tile)

-- | What a command makes of a program at the end: a name for it, and the action.
data Backend = Backend String (FutharkConfig -> CompilerMode -> FilePath -> Action GPUMem)

backends :: [(String, Backend)]
backends =
  [ ("cuda", Backend "CUDA" compileCUDA),
    ("opencl", Backend "OpenCL" compileOpenCLAction),
    ("hip", Backend "HIP" compileHIPAction)
  ]

extraction :: Pipeline SOACS GPU
extraction = standardPipeline >>> onePass extractKernels >>> onePass simplifyGPU

-- | What Futhark does behind that, in its order. Its tiling of loops leaves kernels alone that are block-level code already.
behindExtraction :: Pipeline GPU GPUMem
behindExtraction =
  passes
    [ optimiseGenRed,
      simplifyGPU,
      tileLoops,
      simplifyGPU,
      histAccsGPU,
      unstreamGPU,
      performCSE True,
      simplifyGPU,
      sinkGPU,
      reduceDeviceSyncs,
      simplifyGPU,
      performCSE True,
      mergeGPUBodies,
      simplifyGPU,
      sinkGPU,
      optimiseArrayLayoutGPU,
      simplifyGPU,
      performCSE True
    ]
    >>> onePass GPU.explicitAllocations
    >>> passes
      [ simplifyGPUMem,
        performCSE False,
        simplifyGPUMem,
        entryPointMemGPU,
        doubleBufferGPU,
        simplifyGPUMem,
        performCSE False,
        liftAllocationsGPUMem,
        simplifyGPUMem,
        ArrayShortCircuiting.optimiseGPUMem,
        simplifyGPUMem,
        performCSE False,
        simplifyGPUMem,
        lowerAllocationsGPUMem,
        performCSE False,
        simplifyGPUMem,
        MemoryBlockMerging.optimise,
        simplifyGPUMem,
        expandAllocations,
        simplifyGPUMem
      ]

-- | @compile backend prog args@ is Futhark's command of that backend.
compile :: Backend -> String -> [String] -> IO ()
compile (Backend name backend) =
  compilerMain () [] ("Compile " <> name) ("Generate " <> name <> " code.") extraction $ \config () mode out prog -> do
    let finish pipeline p = runPipeline pipeline (pipelineConfig config) p >>= actionProcedure (backend config mode out)
    tiled <- liftIO $ tile prog
    case tiled of
      Untouched -> finish behindExtraction prog
      Failed why -> warn why >> finish behindExtraction prog
      Tiled functions prog' tag -> do
        logMsg $ "heddle: tiled " <> T.intercalate ", " functions
        names <- getNameSource
        -- Laziness has passes of the tiled program fail anywhere behind this, and what is wrong with the tiled program must not
        -- be what its user is told.
        result <- liftIO . try . flip runFutharkM (fst $ futharkVerbose config) $ do
          putNameSource $ names <> newNameSource (tag + 1)
          either (internalErrorS' . show) pure . checkProg $ aliasAnalysis prog'
          finish (onePass simplifyGPU >>> behindExtraction) prog'
        case result of
          Right (Right ()) -> pure ()
          Right (Left (InternalError why _ _)) -> rejected why >> finish behindExtraction prog
          Right (Left e) -> throwError e -- of the C compiler, say
          Left e
            | Just exit <- fromException e -> liftIO $ throwIO (exit :: ExitCode)
            | Just async <- fromException e -> liftIO $ throwIO (async :: AsyncException)
            | otherwise -> rejected (T.pack $ show (e :: SomeException)) >> finish behindExtraction prog
  where
    internalErrorS' why = throwError $ InternalError (T.pack why) "" CompilerBug
    rejected why = warn $ "futhark does not take what heddle wrote: " <> firstLine why
    firstLine = T.concat . take 1 . filter (not . T.null) . T.lines

warn :: T.Text -> FutharkM ()
warn why = liftIO . T.hPutStrLn stderr $ "futhark-heddle: warning: " <> why <> "; compiling as futhark does"

-- | As the part of Futhark's pipeline that went before has it.
pipelineConfig :: FutharkConfig -> PipelineConfig
pipelineConfig config =
  PipelineConfig
    { pipelineVerbose = fst (futharkVerbose config) > NotVerbose,
      pipelineValidate = futharkTypeCheck config
    }
