import type { Preferences } from '@parley/contracts'
import { request } from '../api/request.ts'
import { sharedChatEndpoints } from '../api/shared-chat-endpoints.ts'
import { getSession, setUser } from '../session/index.ts'

/** The changes of each user that wait for the call in flight to end, by user id. */
const savings = new Map<string, { waiting: Partial<Preferences>; ended: Promise<void> }>()

/**
 * Saves preferences to the account. Changes made during a call are sent with the next one, so that an older choice never overwrites a
 * newer one; the session applies the last response. Throws ApiError when saving fails.
 */
export function savePreferences(changes: Partial<Preferences>): Promise<void> {
  const owner = getSession().user?._id ?? ''
  const saving = savings.get(owner) ?? { waiting: {}, ended: Promise.resolve() }
  saving.waiting = { ...saving.waiting, ...changes }
  if (!savings.has(owner)) {
    savings.set(owner, saving)
    saving.ended = saveAll(owner, saving)
  }
  return saving.ended
}

async function saveAll(owner: string, saving: { waiting: Partial<Preferences> }): Promise<void> {
  const isSignedIn = () => getSession().user?._id === owner
  try {
    // Once another user has signed in, a call would change that account.
    while (Object.keys(saving.waiting).length > 0 && isSignedIn()) {
      const preferences = saving.waiting
      saving.waiting = {}
      const { user } = await request(sharedChatEndpoints.updateProfile, { body: { preferences } })
      if (Object.keys(saving.waiting).length === 0 && isSignedIn()) setUser(user)
    }
  } finally {
    savings.delete(owner)
  }
}
