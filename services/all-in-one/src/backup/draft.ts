import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restoringFolder, rootMode } from '../data-dir.ts'
import { BackupError } from './manifest.ts'

/** The file in a draft with the number of the process that restores. */
const processFile = 'restore.pid'
/** Made by the file system itself in the root of a volume. */
const ofVolume = 'lost+found'

/**
 * Makes the folder in an empty or missing data directory in which a restore prepares the data: inside it, because it may be a separate volume, onto
 * which rename does not work. The draft of a restore that was killed is removed first; a PostgreSQL that still runs in it ends by itself within a
 * minute, as soon as it finds its folder missing.
 * @throws BackupError if the data directory is not empty or another process restores into it
 */
export async function makeDraft(root: string): Promise<string> {
  const draft = join(root, restoringFolder)
  await mkdir(root, { recursive: true, mode: rootMode() })
  const found = (await readdir(root)).filter((name) => name !== ofVolume).sort()
  if (found.length === 1 && found[0] === restoringFolder) await removeStale(draft)
  else if (found.length > 0)
    throw new BackupError(
      `${root} is not empty (it contains ${found.join(', ')}): set DATA_DIR to an empty or missing folder`,
    )
  await mkdir(draft, { mode: rootMode() })
  return draft
}

/** Names this process in its draft, so that no other one takes the draft for stale. */
export const claimDraft = (draft: string): Promise<void> => writeFile(join(draft, processFile), String(process.pid))

async function removeStale(draft: string): Promise<void> {
  const pid = Number(await readFile(join(draft, processFile), 'utf8').catch(() => ''))
  if (isAnotherProcess(pid))
    throw new BackupError(
      `${draft} belongs to process ${pid}, which is restoring into it. If that is another program, remove this folder`,
    )
  await rm(draft, { recursive: true, force: true, maxRetries: 5 })
}

/** Containers number their processes alike: what has this process's number is an earlier one. */
function isAnotherProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
