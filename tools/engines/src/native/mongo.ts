import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { copyLibraries } from './maven.ts'
import type { NativeEngine, NativeOptions } from './native-engine.ts'
import { atFreePort } from './ports.ts'
import { provision, readRecipe, recipeFile } from './provision.ts'
import { runProgram } from './run-program.ts'
import { openServer } from './server-process.ts'

/**
 * A server that speaks MongoDB's protocol as version 7, unless told, and keeps its documents in a file, also when it is killed. It is a stand-in: no
 * transactions, no pipeline updates, no partial indexes, no speed.
 * @throws Error that says why there is none
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
