import type { Parley } from './parley.ts'
import type { Target } from './processes/load-process.ts'
import { register } from './register.ts'

let callers = 0

/** A program with the API key of a user who has credits: registers the user, grants credits on top of the plan's, and creates an API key. */
export async function newApiCaller(parley: Parley, credits: number) {
  callers += 1
  const { id: userId, token } = await register(parley, `program${callers}`)
  if (credits > 0) await parley.call('POST', `/admin/users/${userId}/credits`, { amount: credits })
  const made = await parley.callAs<{ key: { id: string }; secret: string }>(token, 'POST', '/user/keys', {
    label: 'Bench',
  })
  const headers = { authorization: `Bearer ${made.secret}` }
  const body = { model: 'v3', messages: [{ role: 'user', content: 'Say a few words.' }] }
  return {
    ...{ userId, token, keyId: made.key.id, headers },
    /** A completion of /v1. @param more additional headers */
    target: (isStream: boolean, more: Readonly<Record<string, string>> = {}): Target => ({
      ...{ url: `${parley.url}/api/v1/chat/completions`, headers: { ...headers, ...more } },
      body: { ...body, stream: isStream },
    }),
  }
}
