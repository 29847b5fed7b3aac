import type { Preferences } from '@parley/contracts'
import { request } from '../api/request.ts'
import { sharedChatEndpoints } from '../api/shared-chat-endpoints.ts'
import { getSession, setUser } from '../session/index.ts'

let waiting: Partial<Preferences> = {}
let running: Promise<void> | null = null

/**
 * Keeps preferences on the account. What is changed while a call runs goes with the next one, so that an older choice never comes after a
 * newer one; the session takes over what the server answers last. Throws ApiError when it could not be kept.
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
    // Somebody else may sit here by now.
    if (getSession().user?._id !== owner) waiting = {}
    else if (Object.keys(waiting).length === 0) setUser(user)
  }
}
