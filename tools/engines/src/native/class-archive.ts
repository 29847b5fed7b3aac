import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineName, NativeEngine } from './native-engine.ts'
import { provision } from './provision.ts'

const file = 'classes.jsa'

/**
 * Java's flag to load a server's classes from an archive, which saves two fifths of the CPU time of a start of Kafka. The archive is created once, by a
 * first start; Java ignores one of another version.
 * @param home the folder of the server's program
 * @param start starts the server on a data folder with further flags
 */
export async function classArchive(
  name: EngineName,
  home: string,
  start: (folder: string, flags: readonly string[]) => Promise<NativeEngine>,
): Promise<readonly string[]> {
  try {
    const place = await provision(`${name}-classes`, [home], async (draft) => {
      const folder = join(draft, 'data')
      const server = await start(folder, [`-XX:ArchiveClassesAtExit=${join(draft, file)}`])
      await server.kill('SIGTERM').finally(() => server.close())
      await rm(folder, { recursive: true, force: true })
    })
    return [`-XX:SharedArchiveFile=${join(place, file)}`]
  } catch {
    // It only saves time: why the server does not start is said by the start that follows.
    return []
  }
}
