import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that a test may fill. */
export interface SmallDisk {
  readonly folder: string
  /** Takes all that is left of it. */
  fill(): void
  /** Gives back what was taken. */
  empty(): void
  close(): void
}

/** A disk of 160 MB of its own, which takes the rights of root; undefined without them. */
export function mountSmallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=0755', 'tmpfs', folder])
  if (mount.status !== 0) {
    remove()
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (let size = 1 << 20; size >= 1 << 12; size >>= 1) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch {
          // No room for a piece of this size: smaller ones may fit.
        }
      }
    },
    empty: () => rmSync(filler),
    close() {
      spawnSync('umount', ['--lazy', folder])
      remove()
    },
  }
}
