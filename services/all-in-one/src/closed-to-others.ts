import { chmod, stat } from 'node:fs/promises'
import type { Logger } from '@parley/kit'

const permissions = 0o777
const octal = (mode: number): string => (mode & permissions).toString(8)

/**
 * Takes the rights of other users of this machine from a file or folder, and says so when they had any. What is not there is passed over, as is
 * a system without such rights (Windows). Resolves also when they cannot be taken, such as from a volume that belongs to another user: the log
 * then says what to do.
 * @param most the rights that may stay, such as 0o700
 */
export async function closeToOthers(path: string, most: number, log: Logger): Promise<void> {
  if (process.platform === 'win32') return
  const mode = await modeOf(path)
  if (mode === undefined || (mode & permissions & ~most) === 0) return
  const was = `${path} was open to other users of this machine (mode ${octal(mode)})`
  try {
    await chmod(path, mode & ~(permissions & ~most))
    log.warn(`${was}: it is closed to them now (mode ${octal(mode & most)})`)
  } catch (error) {
    log.warn(
      { err: error },
      `${was} and could not be closed: give it to the user that Parley runs as, or run chmod ${octal(most)} on it`,
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
