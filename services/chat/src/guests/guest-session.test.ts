import { createHmac, hkdfSync } from 'node:crypto'
import { newId } from '@parley/kit'
import { describe, expect, it } from 'vitest'
import { createGuestSessions } from './guest-session.ts'

const [former, present] = ['the one secret that all services had', 'a secret that is only the one of chat']

/** As versions with one secret for all services signed a session. */
function tokenBefore(id: string): string {
  const key = Buffer.from(hkdfSync('sha256', former, '', 'parley guest session', 32))
  return `${id}.${createHmac('sha256', key).update(id).digest('base64url')}`
}

describe('the session of a guest', () => {
  it('signed with a former secret is accepted, and signed with the current one from then on', () => {
    const id = newId()
    const read = createGuestSessions([present, former], newId).read(tokenBefore(id))
    expect(read?.id).toBe(id)
    expect(createGuestSessions([present], newId).read(read?.token)).toEqual(read)
  })

  it('signed with a removed secret is not accepted', () => {
    expect(createGuestSessions([present], newId).read(tokenBefore(newId()))).toBeUndefined()
  })
})
