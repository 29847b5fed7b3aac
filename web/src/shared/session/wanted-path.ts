import { safePath } from '@parley/contracts/safe-path'
import { readTab, writeTab } from './storage.ts'

const key = 'wantedPath'

/** Remembers where a visitor wanted to go, for this tab and until they signed in. Without storage people land on the chat. */
export const rememberWantedPath = (path: string): void => writeTab(key, path)

/** Where to go after signing in; `/` unless a safe path was remembered. */
export const wantedPath = (): string => safePath(readTab(key))

/** Forgets the remembered path. */
export const forgetWantedPath = (): void => writeTab(key, null)
