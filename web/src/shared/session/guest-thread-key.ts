import { parseStored, privatePrefix, readTab, writeTab } from './storage.ts'

/** Where this tab keeps a guest's chat. */
export const guestThreadKey = `${privatePrefix}guest-thread`

/** True while this tab keeps a guest's chat. */
export const hasGuestThread = (): boolean => readTab(guestThreadKey) !== null

/** Throws the kept chat away. */
export const discardGuestThread = (): void => writeTab(guestThreadKey, null)

/** True when the kept chat ends in an answer that was still being written. */
export function guestAnswerRuns(): boolean {
  const kept = parseStored(readTab(guestThreadKey)) as { generating?: unknown } | null
  return typeof kept?.generating === 'string'
}
