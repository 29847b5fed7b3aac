import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that a test can fill. */
export interface SmallDisk {
  readonly folder: string
  /** Uses up its free space. */
  fill(): void
  /** Frees the space again. */
  empty(): void
  close(): void
}

/** Mounts a separate disk of 160 MB; undefined without root. */
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
          // A chunk of this size does not fit; smaller ones may.
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
