import { randomBytes } from 'node:crypto'
import type { AuthServiceConfig } from '../config.ts'
import type { AuthParts } from '../parts.ts'
import { newAccount } from '../sessions/registration.ts'

/** The super admin made at the first start; the password only when it was generated, and only this once. */
export interface FirstAdmin {
  readonly username: string
  readonly password?: string
}

/** 96 random bits that are easily typed. */
export const generatePassword = (): string => randomBytes(12).toString('base64url')

/** Makes the super admin unless there is one; undefined then. */
export async function ensureFirstAdmin(parts: AuthParts, config: AuthServiceConfig): Promise<FirstAdmin | undefined> {
  const { accounts } = parts.stores
  if (await accounts.hasSuperAdmin()) return undefined
  const { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: given } = config
  const password = given ?? generatePassword()
  const account = newAccount(parts, { username, email })
  const made = await accounts.createSuperAdmin({ ...account, passwordHash: await parts.hasher.hash(password) })
  if (!made) return undefined
  return given === undefined ? { username, password } : { username }
}
