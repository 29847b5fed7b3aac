import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigError, examineStores, type Finding, reasonOf, type Stores } from '@parley/kit'
import { type AllInOneConfig, readAllInOneConfig } from '../config.ts'
import { hasDatabase, unfinishedRestore } from '../data-dir.ts'
import { exists } from '../exists.ts'
import { allServices } from '../services.ts'
import { withRuntime } from '../with-runtime.ts'
import { judgeData } from './judge-data.ts'

/** Free bytes below which the database may soon refuse writes. */
const space = { notice: 2e9, wrong: 2e8 }

/** Examines everything that Parley in one process needs. Read-only. */
export async function examineAllInOne(): Promise<readonly Finding[]> {
  let config: AllInOneConfig
  try {
    config = readAllInOneConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...faults] = error.message.split('\n').map((line) => line.trim())
    const advice = 'set it in the environment, or set NAME_FILE to the path of a file that contains it'
    return faults.map((found) => ({ what: 'configuration', state: 'wrong', found, advice }))
  }
  const root = resolve(config.DATA_DIR)
  return [
    { what: 'configuration', state: 'fine', found: 'all variables are valid' },
    await examineDisk(root),
    ...(await examineData(root)),
    ...(await examineOutside(config)),
  ]
}

async function examineDisk(root: string): Promise<Finding> {
  const folder = await nearest(root)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const what = 'disk'
  const found = `${(free / 1e9).toFixed(1)} GB are free on the disk of ${root}`
  if (free >= space.notice) return { what, state: 'fine', found }
  const state = free < space.wrong ? 'wrong' : 'notice'
  return { what, state, found, advice: 'free some space, or move DATA_DIR to another disk' }
}

async function examineData(root: string): Promise<Finding[]> {
  if (!(await hasDatabase(root))) return [await examineFolder(root)]
  try {
    return await withRuntime('doctor', async ({ depsOf }) => {
      const found: Finding[] = []
      for (const definition of allServices) {
        if (definition.engines.stores === undefined) continue
        const { engines } = await depsOf(definition)
        found.push(...(await examineStores(definition.name, engines.stores as Stores)))
      }
      return found
    })
  } catch (error) {
    return [judgeData(error, root)]
  }
}

/** Whether the first start can create the data. */
async function examineFolder(root: string): Promise<Finding> {
  const what = 'data'
  const unfinished = await unfinishedRestore(root)
  if (unfinished !== undefined) return { what, state: 'wrong', found: unfinished }
  const folder = await nearest(root)
  const another = 'set DATA_DIR to another folder'
  if (!(await stat(folder)).isDirectory())
    return { what, state: 'wrong', found: `${folder} is not a folder`, advice: another }
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return { what, state: 'notice', found: `${root} holds no data yet: the first start creates it` }
  } catch (error) {
    const advice = `make the user that runs Parley its owner, or ${another}`
    return { what, state: 'wrong', found: `${folder} cannot be written to (${reasonOf(error)})`, advice }
  }
}

async function examineOutside(config: AllInOneConfig): Promise<Finding[]> {
  const PUBLIC_URL = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
  const standIns: Partial<Record<string, Finding>> = {
    ...(config.SMTP_URL === undefined && {
      notifier: {
        ...{ what: 'mail', state: 'notice', found: 'it stays in the inbox on this machine and is not sent to anyone' },
        advice: 'set SMTP_URL to send mail',
      },
    }),
    ...(config.configured.size === 0 && {
      'llm-router': {
        ...{ what: 'providers', state: 'notice', found: 'none has a key: the demo answers instead' },
        advice: 'set one of <P>_API_KEY or <P>_BASE_URL, such as DEEPSEEK_API_KEY',
      },
    }),
  }
  const all = allServices.map(async ({ name, examine }) => {
    const standIn = standIns[name]
    return standIn === undefined ? await examine?.({ ...config, PUBLIC_URL }) : [standIn]
  })
  return (await Promise.all(all)).flatMap((found) => found ?? [])
}

async function nearest(folder: string): Promise<string> {
  return (await exists(folder)) ? folder : nearest(dirname(folder))
}
