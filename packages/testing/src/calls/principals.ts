import { randomBytes } from 'node:crypto'
import type { KeyPrincipal, Principal, Rights, UserPrincipal } from '@parley/contracts'

const random = (): string => randomBytes(8).toString('hex')
const plainRights: Rights = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true }

type UserParts = Partial<Omit<UserPrincipal, 'kind' | 'rights'>> & { readonly rights?: Partial<Rights> }

/** A signed-in, verified user without further rights; a new one per call. */
export const userPrincipal = (parts: UserParts = {}): UserPrincipal => ({
  userId: `user-${random()}`,
  sessionId: `session-${random()}`,
  network: '4:192.0.2.1',
  ...parts,
  kind: 'user',
  rights: { ...plainRights, ...parts.rights },
})

/** A signed-in admin. */
export const adminPrincipal = (parts: UserParts = {}): UserPrincipal =>
  userPrincipal({ ...parts, rights: { isAdmin: true, ...parts.rights } })

type KeyParts = Partial<Omit<KeyPrincipal, 'kind' | 'rights'>> & { readonly rights?: Partial<Rights> }

/** A program with an API key of tier 1; a new one per call. */
export const keyPrincipal = (parts: KeyParts = {}): KeyPrincipal => ({
  keyId: `key-${random()}`,
  userId: `user-${random()}`,
  tier: 1,
  customLimits: null,
  network: '4:192.0.2.3',
  ...parts,
  kind: 'key',
  rights: { ...plainRights, ...parts.rights },
})

/** A guest; guests are distinguished by network. */
export const guestPrincipal = (parts: { network?: string } = {}): Principal => ({
  network: '4:192.0.2.2',
  ...parts,
  kind: 'guest',
})

/** Another service. */
export const servicePrincipal = (service: Extract<Principal, { kind: 'service' }>['service'] = 'chat'): Principal => ({
  kind: 'service',
  service,
  network: 'internal',
})
