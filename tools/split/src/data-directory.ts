import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allServices } from '@parley/all-in-one/services'
import type { ServiceName } from '@parley/contracts'
import { createDatabase, createServiceRole, dropDatabase, dropServiceRole } from '@parley/db'
import { openMongo } from '@parley/db/mongo'
import { createLogger, type EngineKind } from '@parley/kit'
import { z } from 'zod'

/** URLs of the four engines. */
export interface SplitEngines {
  /** `host:port`, separated by commas. */
  readonly kafka: string
  /** The server's URL; every system has its own databases. */
  readonly mongo: string
  /** A superuser's URL; every system has its own database. */
  readonly postgres: string
  readonly redis: string
}

/** The resources of one system on shared engines, persisted for restarts. */
export type DataDirectory = Awaited<ReturnType<typeof openDataDirectory>>

const savedSystemSchema = z.object({
  id: z.string(),
  secrets: z.record(z.string(), z.string()),
  /** The password of all roles. */
  rolePassword: z.string(),
  adminPassword: z.string().optional(),
})
type SavedSystem = z.output<typeof savedSystemSchema>

/** Opens the system of a folder; an empty folder is a new system. */
export async function openDataDirectory(folder: string, engines: SplitEngines) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'split.json')
  const kept = (await readSavedSystem(file)) ?? (await found(file, engines))
  const database = `parley_${kept.id}`
  const prefix = `parley-${kept.id}`
  // Chat's is as old as the system.
  const mongoUrlOf = (service: ServiceName): string =>
    withDatabase(engines.mongo, service === 'chat' ? database : `${database}_${service}`)
  const roles = await openRoles(engines.postgres, database, kept)
  return {
    folder,
    /** Variables of the services that have secrets. */
    secrets: kept.secrets,
    topicPrefix: prefix,
    keyPrefix: prefix,
    /** The system's database, as the superuser. */
    postgresUrl: withDatabase(engines.postgres, database),
    /** The service's MongoDB database. */
    mongoUrlOf,
    /** The database with the service's role, which only has access to its schema; undefined for a service without tables. */
    postgresUrlOf: (service: ServiceName): string | undefined => roles.get(service)?.url,
    /** The stored password of the first admin, which only the very first start prints. */
    adminPassword: kept.adminPassword,
    keepAdminPassword: (adminPassword: string): Promise<void> => keep(file, { ...kept, adminPassword }),
    /** Removes databases and folder. Topics stay, and Redis keys until they expire. */
    async drop(): Promise<void> {
      await dropDatabase(engines.postgres, database)
      for (const { role } of roles.values()) await dropServiceRole(engines.postgres, role)
      for (const service of usersOf('mongo')) await dropMongoDatabase(mongoUrlOf(service))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function found(file: string, engines: SplitEngines): Promise<SavedSystem> {
  const secret = (): string => randomBytes(32).toString('hex')
  const kept = {
    id: randomBytes(6).toString('hex'),
    secrets: { AUTH_SECRETS: secret(), CHAT_SECRETS: secret() },
    rolePassword: secret(),
  }
  await createDatabase(engines.postgres, `parley_${kept.id}`)
  await keep(file, kept)
  return kept
}

/** The services with data in an engine. */
const usersOf = (kind: EngineKind): readonly ServiceName[] =>
  allServices.filter(({ engines }) => engines.stores?.kind === kind).map(({ name }) => name)

/** Creates a role and a schema per service with tables. */
async function openRoles(adminUrl: string, database: string, { rolePassword: password }: SavedSystem) {
  const entries = await Promise.all(
    usersOf('postgres').map(async (service) => {
      const schema = service.replaceAll('-', '_')
      const role = `${database}_${schema}`
      return [service, { role, url: await createServiceRole(adminUrl, { role, password, schema, database }) }] as const
    }),
  )
  return new Map<ServiceName, { readonly role: string; readonly url: string }>(entries)
}

async function dropMongoDatabase(url: string): Promise<void> {
  const mongo = openMongo({ url, log: createLogger('split', 'silent') })
  try {
    await mongo.connection.dropDatabase()
  } finally {
    await mongo.close()
  }
}

const keep = (file: string, kept: SavedSystem): Promise<void> => writeFile(file, JSON.stringify(kept), { mode: 0o600 })

async function readSavedSystem(file: string): Promise<SavedSystem | undefined> {
  try {
    return savedSystemSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
