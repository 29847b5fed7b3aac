import type { DataDirectory } from './data-directory.ts'

/** The first admin of a new system. */
export interface FirstAdmin {
  readonly username: string
  readonly password: string
}

/** The output line of the replica of auth that created the account. */
const said = /^auth#\d+ \| First admin: (\S+) with password (\S+)/gm

/**
 * The first admin: from the variables, or else from auth's output at the system's very first start.
 * @throws Error if no replica printed it, or if two did, which means that the account was created twice
 */
export async function firstAdminOf(
  data: DataDirectory,
  output: string,
  given: Readonly<Record<string, string>>,
): Promise<FirstAdmin> {
  const { ADMIN_USERNAME = 'admin', ADMIN_PASSWORD } = given
  if (ADMIN_PASSWORD !== undefined) return { username: ADMIN_USERNAME, password: ADMIN_PASSWORD }
  const [first, second] = [...output.matchAll(said)]
  if (second !== undefined) throw new Error('Two replicas of auth created a first admin')
  const password = first?.[2] ?? data.adminPassword
  if (password === undefined) throw new Error('No replica of auth created a first admin')
  await data.keepAdminPassword(password)
  return { username: ADMIN_USERNAME, password }
}
