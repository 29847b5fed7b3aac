import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>

/** Mounts a separate disk of 160 MB, which a test can fill; undefined without root. */
export function mountSmallDisk() {
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
    /** Uses up its free space. */
    fill(): void {
      for (let size = 1 << 20; size >= 1 << 12; size >>= 1) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch {
          // A chunk of this size does not fit; smaller ones may.
        }
      }
    },
    /** Frees the space again. */
    empty: () => rmSync(filler),
    close(): void {
      spawnSync('umount', ['--lazy', folder])
      remove()
    },
  }
}
