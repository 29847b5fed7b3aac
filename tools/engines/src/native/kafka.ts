import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@parley/kit'
import { classArchive } from './class-archive.ts'
import { isKafkaReady } from './kafka-ready.ts'
import { type KafkaPlace, type KafkaUsers, kafkaSettings, settingsWithUsers } from './kafka-settings.ts'
import { copyLibraries } from './maven.ts'
import type { NativeEngine, NativeOptions } from './native-engine.ts'
import { atFreePort } from './ports.ts'
import { provision, readRecipe, recipeFile } from './provision.ts'
import { runProgram } from './run-program.ts'
import { openServer } from './server-process.ts'

export interface KafkaOptions extends NativeOptions {
  readonly users?: KafkaUsers
}

/**
 * A single-node Kafka without automatic topic creation.
 * @throws Error with the reason why it is unavailable
 */
export async function startNativeKafka(options: KafkaOptions): Promise<NativeEngine> {
  const home = await provideKafka()
  const flags = await classArchive('kafka', home, (folder, own) => startWith(home, own, { folder }))
  return startWith(home, flags, options)
}

async function startWith(
  home: string,
  flags: readonly string[],
  { folder, port, users }: KafkaOptions,
): Promise<NativeEngine> {
  await mkdir(folder, { recursive: true })
  return atFreePort(port, async (at) => {
    const data = join(folder, 'data')
    if (!existsSync(data)) await cp(join(home, 'formatted'), data, { recursive: true })
    const broker = `127.0.0.1:${at}`
    const settings = join(folder, 'kraft.properties')
    const listen = [broker, `127.0.0.1:${await freePort()}`] as const
    await writeFile(settings, propertiesOf({ data, listen, advertised: broker }, users))
    return openServer({
      name: 'kafka',
      url: broker,
      folder,
      command: ['java', '-Xmx512m', ...javaFlags(), ...flags, '-cp', `${home}/libs/*`, 'kafka.Kafka', settings],
      says: 'Kafka Server started',
      ready: () => isKafkaReady(broker),
    })
  })
}

const javaFlags = (): string[] => [
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xshare:auto',
  `-Dlog4j2.configurationFile=${recipeFile('log4j2.xml')}`,
]

/** The libraries, and a preformatted data folder, because formatting takes as long as starting. */
async function provideKafka(): Promise<string> {
  return provision('kafka', await readRecipe(['kafka.pom.xml']), async (draft) => {
    await copyLibraries('kafka.pom.xml', join(draft, 'libs'))
    const settings = join(draft, 'format.properties')
    const listen = ['127.0.0.1:9092', '127.0.0.1:9093'] as const
    await writeFile(settings, propertiesOf({ data: join(draft, 'formatted'), listen, advertised: listen[0] }))
    const tool = ['kafka.tools.StorageTool', 'format', '-t', 'cGFybGV5LXRlc3RzLTAwMA', '-c', settings]
    await runProgram('java', [...javaFlags(), '-cp', `${draft}/libs/*`, ...tool])
    await rm(settings)
  })
}

function propertiesOf(place: KafkaPlace, users?: KafkaUsers): string {
  const settings = kafkaSettings(place)
  return Object.entries(users === undefined ? settings : settingsWithUsers(settings, users))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
