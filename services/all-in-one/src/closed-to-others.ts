import { chmod, stat } from 'node:fs/promises'
import type { Logger } from '@parley/kit'

const permissions = 0o777
const octal = (mode: number): string => (mode & permissions).toString(8)

/**
 * Removes the permissions of other users of this machine on a file or folder, and logs a warning if there were any. Does nothing for a missing path
 * and on Windows. Does not reject if the permissions cannot be changed, as on a volume owned by another user: the log then has advice.
 * @param most the mode to restrict to, such as 0o700
 */
export async function closeToOthers(path: string, most: number, log: Logger): Promise<void> {
  if (process.platform === 'win32') return
  const mode = await modeOf(path)
  if (mode === undefined || (mode & permissions & ~most) === 0) return
  const was = `${path} was open to other users of this machine (mode ${octal(mode)})`
  try {
    await chmod(path, mode & ~(permissions & ~most))
    log.warn(`${was}: now restricted to mode ${octal(mode & most)}`)
  } catch (error) {
    log.warn(
      { err: error },
      `${was} and could not be restricted: make the user that runs Parley its owner, or run chmod ${octal(most)} on it`,
    )
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
