import type { Preferences } from '@parley/contracts'
import { request } from '../api/request.ts'
import { sharedChatEndpoints } from '../api/shared-chat-endpoints.ts'
import { getSession, setUser } from '../session/index.ts'

let waiting: Partial<Preferences> = {}
let running: Promise<void> | null = null

/**
 * Saves preferences to the account. Changes made during a call are sent with the next one, so that an older choice never overwrites a
 * newer one; the session applies the last response. Throws ApiError when saving fails.
 */
export function savePreferences(changes: Partial<Preferences>): Promise<void> {
  waiting = { ...waiting, ...changes }
  running ??= saveAll().finally(() => {
    running = null
  })
  return running
}

async function saveAll(): Promise<void> {
  const owner = getSession().user?._id
  while (Object.keys(waiting).length > 0) {
    const preferences = waiting
    waiting = {}
    const { user } = await request(sharedChatEndpoints.updateProfile, { body: { preferences } }).catch(
      (error: unknown) => {
        waiting = {}
        throw error
      },
    )
    // Another user may have signed in meanwhile.
    if (getSession().user?._id !== owner) waiting = {}
    else if (Object.keys(waiting).length === 0) setUser(user)
  }
}
