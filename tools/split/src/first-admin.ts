import type { DataDirectory } from './data-directory.ts'

/** Who may do everything in a new system. */
export interface FirstAdmin {
  readonly username: string
  readonly password: string
}

/** The line with which the one replica of auth that made the account says so. */
const said = /^auth#\d+ \| First admin: (\S+) with password (\S+)/gm

/**
 * The first admin: as told by the variables, else as auth said at the system's very first start.
 * @throws Error when nobody said it, or when two did and the account was made twice
 */
export async function firstAdminOf(
  data: DataDirectory,
  output: string,
  given: Readonly<Record<string, string>>,
): Promise<FirstAdmin> {
  const { ADMIN_USERNAME = 'admin', ADMIN_PASSWORD } = given
  if (ADMIN_PASSWORD !== undefined) return { username: ADMIN_USERNAME, password: ADMIN_PASSWORD }
  const [first, second] = [...output.matchAll(said)]
  if (second !== undefined) throw new Error('Two replicas of auth made a first admin')
  const password = first?.[2] ?? data.adminPassword
  if (password === undefined) throw new Error('No replica of auth made a first admin')
  await data.keepAdminPassword(password)
  return { username: ADMIN_USERNAME, password }
}
