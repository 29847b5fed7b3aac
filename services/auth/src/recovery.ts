import { generatePassword } from './first-admin.ts'
import { usernameKey } from './names.ts'
import { createPasswordHasher } from './password-hasher.ts'
import type { AuthStores } from './store/index.ts'

/**
 * Gives a user a new password from the command line and ends every session of theirs; a gateway that runs learns of it within 30 s.
 * @returns the password, or undefined when there is no such user
 */
export async function resetPassword(
  { accounts }: Pick<AuthStores, 'accounts'>,
  username: string,
): Promise<string | undefined> {
  const password = generatePassword()
  const hash = await createPasswordHasher().hash(password)
  return (await accounts.resetPassword(usernameKey(username), hash)) ? password : undefined
}
