import { parseStored, privatePrefix, readLocal, readTab, writeTab } from './storage.ts'

/** Storage key of a guest's chat in this tab. */
export const guestThreadKey = `${privatePrefix}guest-thread`

/** True if this tab stores a guest's chat. */
export const hasGuestThread = (): boolean => readTab(guestThreadKey) !== null

/** True if this browser stores a draft of a new chat, which survives signing in; as the chat's composer stores it. */
export const hasDraft = (): boolean => Boolean(readLocal(`${privatePrefix}draft:new`))

/** Discards the stored chat. */
export const discardGuestThread = (): void => writeTab(guestThreadKey, null)

/** True if the stored chat ends in an unfinished answer. */
export function guestAnswerRuns(): boolean {
  const kept = parseStored(readTab(guestThreadKey)) as { generating?: unknown } | null
  return typeof kept?.generating === 'string'
}
