import { createPasswordHasher, newId, type Secrets, systemClock } from '@parley/kit'
import { usernameKey } from '../names.ts'
import { newPassword } from '../passwords/password-change.ts'
import { deriveKeys } from '../secrets.ts'
import { makeKey, resealSigningKeys } from '../sessions/access-tokens.ts'
import type { AuthStores } from '../store/index.ts'
import type { NextKey } from '../store/sessions/signing-key-store.ts'
import { generatePassword } from './first-admin.ts'

/**
 * Sets a new password for a user from the command line and ends all their sessions. A running auth relays its event, signals the
 * change to every replica, and the user is notified by mail.
 * @returns the password, or undefined when there is no such user
 */
export async function resetPassword(
  { accounts, passwords }: Pick<AuthStores, 'accounts' | 'passwords'>,
  username: string,
): Promise<string | undefined> {
  const key = usernameKey(username)
  const found = await accounts.withPassword({ usernameKey: key })
  if (found === undefined) return undefined
  const password = generatePassword()
  const set = await newPassword({ hasher: createPasswordHasher(), newId, now: systemClock }, found.account.id, password)
  return (await passwords.replace(found.account.id, set)) ? password : undefined
}

/**
 * Has another key sign access tokens, a minute from now. The present one verifies until its last token has expired.
 * @param secrets AUTH_SECRETS
 */
export const rotateKeys = ({ signingKeys }: Pick<AuthStores, 'signingKeys'>, secrets: Secrets): Promise<NextKey> =>
  signingKeys.rotate(() => makeKey(deriveKeys(secrets).sealing, newId()))

/** Reseals stored secrets with the first of the secrets, after which the others may be withdrawn. @param secrets AUTH_SECRETS */
export const resealStores = ({ signingKeys }: Pick<AuthStores, 'signingKeys'>, secrets: Secrets): Promise<void> =>
  resealSigningKeys(signingKeys, deriveKeys(secrets).sealing)

/** The operator's message about a rotation. */
export const presentRotation = ({ kid, signsFrom, isNew }: NextKey): string =>
  `${isNew ? 'A new key is' : 'A key was already'} published: ${kid}. It signs from ${signsFrom.toISOString()} on; the one before it verifies for 20 minutes more.`
