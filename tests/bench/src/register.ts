import type { Parley } from './parley.ts'

/** A new, signed-in user. */
export interface Registered {
  readonly id: string
  readonly token: string
}

/** Registers a user. @throws Error when the name is taken */
export async function register(parley: Parley, username: string): Promise<Registered> {
  const account = { username, email: `${username}@parley.test`, password: 'a long password of a reader' }
  const { token, user } = await parley.callAs<{ token: string; user: { _id: string } }>(
    undefined,
    'POST',
    '/auth/register',
    account,
  )
  return { id: user._id, token }
}
