import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { copyLibraries } from './maven.ts'
import type { NativeEngine, NativeOptions } from './native-engine.ts'
import { atFreePort } from './ports.ts'
import { provision, readRecipe, recipeFile } from './provision.ts'
import { runProgram } from './run-program.ts'
import { openServer } from './server-process.ts'

/**
 * A server with MongoDB's protocol, by default of version 7, and durable storage in a file. It is a stand-in: no transactions, no pipeline updates,
 * no partial indexes, and slow.
 * @throws Error with the reason why it is unavailable
 */
export async function startNativeMongo({
  folder,
  port,
  major = 7,
}: NativeOptions & { readonly major?: number }): Promise<NativeEngine> {
  const home = await provideMongo()
  await mkdir(folder, { recursive: true })
  return atFreePort(port, (at) =>
    openServer({
      name: 'mongo',
      url: `mongodb://127.0.0.1:${at}`,
      folder,
      command: [
        'java',
        ...javaFlags,
        ...classPath(home),
        'MongoWire',
        String(at),
        join(folder, 'documents.h2'),
        String(major),
      ],
      says: 'Ready',
    }),
  )
}

const javaFlags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto']
const classPath = (home: string): string[] => ['-cp', `${home}/classes:${home}/libs/*`]

async function provideMongo(): Promise<string> {
  return provision('mongo', await readRecipe(['mongo.pom.xml', 'MongoWire.java']), async (draft) => {
    await copyLibraries('mongo.pom.xml', join(draft, 'libs'))
    await runProgram('javac', ['-cp', `${draft}/libs/*`, '-d', join(draft, 'classes'), recipeFile('MongoWire.java')])
  })
}
