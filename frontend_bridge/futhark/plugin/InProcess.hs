-- | heddle within this process, by the C interface of its library (heddle.h says what each function does). The library is found
-- when it is asked for, so that this program needs none to be built or to run.
module InProcess (runInProcess) where

import Control.Exception (IOException, bracket, try)
import Data.ByteString qualified as BS
import Data.ByteString.Unsafe qualified as BS
import Data.Text qualified as T
import Data.Text.Encoding qualified as T
import Data.Text.Encoding.Error qualified as T
import Foreign
import Foreign.C
import System.Posix.DynamicLinker

data Program

data Error

type Status = CInt

-- | What all functions that can fail take last: where to put their result and their error.
type Yields a = Ptr (Ptr a) -> Ptr (Ptr Error) -> IO Status

foreign import ccall safe "dynamic"
  callRead :: FunPtr (CInt -> CString -> CSize -> CString -> Yields Program) -> CInt -> CString -> CSize -> CString -> Yields Program

foreign import ccall safe "dynamic"
  callPass :: FunPtr (Ptr Program -> CString -> Ptr CString -> Yields Program) -> Ptr Program -> CString -> Ptr CString -> Yields Program

foreign import ccall safe "dynamic"
  callText :: FunPtr (Ptr Program -> Yields CChar) -> Ptr Program -> Yields CChar

foreign import ccall safe "dynamic"
  callMessage :: FunPtr (Ptr Error -> IO CString) -> Ptr Error -> IO CString

foreign import ccall safe "dynamic"
  callFree :: FunPtr (Ptr a -> IO ()) -> Ptr a -> IO ()

-- | With the library of that path: the text behind the pass, or why there is none.
runInProcess :: FilePath -> BS.ByteString -> IO (Either T.Text T.Text)
runInProcess path text = either couldNot id <$> try run
  where
    couldNot e = Left $ "heddle failed (" <> T.pack (show (e :: IOException)) <> ")"
    run = do
      library <- dlopen path [RTLD_NOW]
      let function name = dlsym library $ "heddle_" <> name
      readProgram <- callRead <$> function "program_read"
      pass <- callPass <$> function "program_pass"
      textOf <- callText <$> function "program_text"
      message <- callMessage <$> function "error_message"
      freeProgram <- callFree <$> function "program_free"
      freeText <- callFree <$> function "text_free"
      freeError <- callFree <$> function "error_free"
      let -- The result of one call, which is freed behind what is done with it.
          yielding :: (Ptr a -> IO ()) -> Yields a -> (Ptr a -> IO (Either T.Text b)) -> IO (Either T.Text b)
          yielding freeIt call use =
            with nullPtr $ \result -> with nullPtr $ \err -> do
              status <- call result err
              if status == 0
                then bracket (peek result) freeIt use
                else bracket (peek err) freeError $ \e -> Left . failed <$> (message e >>= decoded)
      BS.unsafeUseAsCStringLen text $ \(start, size) ->
        withCString "program" $ \name -> withCString "tile" $ \tile ->
          yielding freeProgram (readProgram seg start (fromIntegral size) name) $ \before ->
            yielding freeProgram (pass before tile nullPtr) $ \after ->
              yielding freeText (textOf after) $ fmap Right . decoded
    seg = 0
    decoded string = T.decodeUtf8With T.lenientDecode <$> BS.packCString string
    failed why = "heddle failed (" <> T.concat (take 1 $ T.lines why) <> ")"
