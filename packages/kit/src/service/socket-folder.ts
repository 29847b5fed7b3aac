import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What macOS, the strictest system, allows for a socket's whole path, less the longest name of a socket in the folder. */
const mostBytes = 104 - 24

/**
 * The folder for the Unix sockets of one thing, named by `key`; made when it is missing, and closed to other users. It is below the folder for temporary
 * files, since a data folder may have too long a path for sockets, or be on a file system without them.
 * @param owner whose programs listen there; this process's user by default
 * @returns undefined where there can be none, or another user has made a folder of that name: TCP is left then
 */
export function openSocketFolder(
  key: string,
  owner?: { readonly uid: number; readonly gid: number },
): string | undefined {
  const uid = owner?.uid ?? process.getuid?.()
  const folder = join(tmpdir(), `parley-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`)
  if (process.platform === 'win32' || uid === undefined || Buffer.byteLength(folder) > mostBytes) return undefined
  try {
    mkdirSync(folder, { mode: 0o700 })
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() && found.uid === uid && (found.mode & 0o777) === 0o700 ? folder : undefined
}
