import { safePath } from '@parley/contracts/safe-path'

const key = 'wantedPath'

/** Remembers where a visitor wanted to go, for this tab and until they signed in. */
export function rememberWantedPath(path: string): void {
  try {
    sessionStorage.setItem(key, path)
  } catch {
    // Without storage people land on the chat.
  }
}

/** Where to go after signing in; `/` unless a safe path was remembered. */
export function wantedPath(): string {
  try {
    return safePath(sessionStorage.getItem(key))
  } catch {
    return '/'
  }
}

/** Forgets the remembered path. */
export function forgetWantedPath(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}
