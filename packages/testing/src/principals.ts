import { randomBytes } from 'node:crypto'
import type { Principal, Rights, UserPrincipal } from '@parley/contracts'

const random = (): string => randomBytes(8).toString('hex')
const plainRights: Rights = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true }

type UserParts = Partial<Omit<UserPrincipal, 'kind' | 'rights'>> & { readonly rights?: Partial<Rights> }

/** A signed-in, verified user without further rights; each call makes another one. */
export const userPrincipal = (parts: UserParts = {}): UserPrincipal => ({
  userId: `user-${random()}`,
  sessionId: `session-${random()}`,
  network: '4:192.0.2.1',
  requestId: `request-${random()}`,
  ...parts,
  kind: 'user',
  rights: { ...plainRights, ...parts.rights },
})

/** A signed-in admin. */
export const adminPrincipal = (parts: UserParts = {}): UserPrincipal =>
  userPrincipal({ ...parts, rights: { isAdmin: true, ...parts.rights } })

/** A guest; the network bucket is what tells guests apart. */
export const guestPrincipal = (parts: { network?: string; requestId?: string } = {}): Principal => ({
  network: '4:192.0.2.2',
  requestId: `request-${random()}`,
  ...parts,
  kind: 'guest',
})

/** Another service. */
export const servicePrincipal = (service: Extract<Principal, { kind: 'service' }>['service'] = 'chat'): Principal => ({
  kind: 'service',
  service,
  network: 'internal',
  requestId: `request-${random()}`,
})
