-- | Places of asserts on the way through text. They are in Futhark's own data, with the call stack; its text has the innermost
-- only, which its reader then drops. What a message is made of survives, so the number of an assert goes as a last piece of
-- its message, wherever passes copy or move that to:
--
-- > assert(c, {"Index [", i : i64, "] out of bounds"}, "prog.fut:3:1-5")
--
-- is handed on as
--
-- > assert(c, {"Index [", i : i64, "] out of bounds", "heddle@17"}, "unknown location")
--
-- heddle's own backends write what stands for the location below "Backtrace:", so for them the whole stack stands there.
module Places (withoutPlaces, withPlaces, withStacks, Places) where

import Control.Monad.Identity (runIdentity)
import Control.Monad.State.Strict (State, runState, state)
import Data.IntMap.Strict qualified as IM
import Data.Text qualified as T
import Futhark.IR.GPU
import Futhark.Util.Loc (Loc (..), Pos (..), SrcLoc (..))
import Text.Read (readMaybe)

type Place = (SrcLoc, [SrcLoc])

-- | By the numbers of the asserts.
type Places = IM.IntMap Place

withoutPlaces :: Prog GPU -> (Prog GPU, Places)
withoutPlaces prog = runState onProg mempty
  where
    onProg = do
      consts <- mapM (onStm number) $ progConsts prog
      funs <- mapM (onFun number) $ progFuns prog
      pure prog {progConsts = consts, progFuns = funs}

    number :: ErrorMsg SubExp -> Place -> State Places (ErrorMsg SubExp, Place)
    number (ErrorMsg parts) place = state $ \places ->
      let n = IM.size places
       in ((ErrorMsg $ parts <> [ErrorString $ prefix <> prettyText n], mempty), IM.insert n place places)

-- | What has no number is not the host's.
withPlaces :: Places -> FunDef GPU -> FunDef GPU
withPlaces places = runIdentity . onFun (\msg place -> pure $ back msg place)
  where
    back (ErrorMsg parts) place
      | not $ null parts,
        ErrorString text <- last parts,
        Just n <- readMaybe . T.unpack =<< T.stripPrefix prefix text,
        Just place' <- IM.lookup n places =
          (ErrorMsg $ init parts, place')
      | otherwise = (ErrorMsg parts, place)

-- | As text has it, the location of each assert is its call stack, a line each, as Futhark would print it.
withStacks :: Prog GPU -> Prog GPU
withStacks prog =
  runIdentity $ do
    consts <- mapM (onStm stack) $ progConsts prog
    funs <- mapM (onFun stack) $ progFuns prog
    pure prog {progConsts = consts, progFuns = funs}
  where
    stack msg (loc, locs) = pure (msg, (foldl below loc $ zip [1 :: Int ..] locs, []))
    -- A location is text and a position in a file: the lines above become part of the file's name.
    below above (n, SrcLoc (Loc (Pos file line column offset) (Pos _ line' column' offset'))) =
      let lines' = locStr above <> "\n   #" <> show n <> (if n > 9 then "" else " ") <> " " <> file
       in SrcLoc $ Loc (Pos lines' line column offset) (Pos lines' line' column' offset')
    below above _ = above

prefix :: T.Text
prefix = "heddle@"

type OnAssert m = ErrorMsg SubExp -> Place -> m (ErrorMsg SubExp, Place)

onFun :: (Monad m) => OnAssert m -> FunDef GPU -> m (FunDef GPU)
onFun f fun = do
  body <- onBody f $ funDefBody fun
  pure fun {funDefBody = body}

onBody :: (Monad m) => OnAssert m -> Body GPU -> m (Body GPU)
onBody f (Body dec stms res) = Body dec <$> mapM (onStm f) stms <*> pure res

onLambda :: (Monad m) => OnAssert m -> Lambda GPU -> m (Lambda GPU)
onLambda f (Lambda params ret body) = Lambda params ret <$> onBody f body

onStm :: (Monad m) => OnAssert m -> Stm GPU -> m (Stm GPU)
onStm f (Let pat aux e) = Let pat aux <$> onExp e
  where
    onExp (BasicOp (Assert c msg place)) = do
      (msg', place') <- f msg place
      pure $ BasicOp $ Assert c msg' place'
    onExp other = mapExpM (identityMapper @GPU) {mapOnBody = const $ onBody f, mapOnOp = onOp} other

    onOp (SegOp op) = SegOp <$> mapSegOpM inSegOp op
    onOp (OtherOp op) = OtherOp <$> mapSOACM identitySOACMapper {mapOnSOACLambda = onLambda f} op
    onOp (GPUBody ts body) = GPUBody ts <$> onBody f body
    onOp (SizeOp op) = pure $ SizeOp op

    inSegOp = identitySegOpMapper {mapOnSegOpLambda = onLambda f, mapOnSegOpBody = onKernel}
    onKernel (KernelBody dec stms res) = KernelBody dec <$> mapM (onStm f) stms <*> pure res
