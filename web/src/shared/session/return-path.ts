import { safePath } from '@parley/contracts/safe-path'
import { readTab, writeTab } from './storage.ts'

const key = 'wantedPath'

/** Remembers the requested page across sign-in, for this tab. Without storage users land on the chat. */
export const rememberReturnPath = (path: string): void => writeTab(key, path)

/** The page to open after sign-in; `/` unless a safe path was remembered. */
export const returnPath = (): string => safePath(readTab(key))

/** Forgets the remembered path. */
export const forgetReturnPath = (): void => writeTab(key, null)
