import { parseStored, privatePrefix } from './storage.ts'

/** Where this tab keeps a guest's chat. */
export const guestThreadKey = `${privatePrefix}guest-thread`

/** True while this tab keeps a guest's chat. */
export function hasGuestThread(): boolean {
  try {
    return sessionStorage.getItem(guestThreadKey) !== null
  } catch {
    return false
  }
}

/** Throws the kept chat away. */
export function discardGuestThread(): void {
  try {
    sessionStorage.removeItem(guestThreadKey)
  } catch {
    // Nothing was kept.
  }
}

/** True when the kept chat ends in an answer that was still being written. */
export function guestAnswerRuns(): boolean {
  try {
    const kept = parseStored(sessionStorage.getItem(guestThreadKey)) as { generating?: unknown } | null
    return typeof kept?.generating === 'string'
  } catch {
    return false
  }
}
