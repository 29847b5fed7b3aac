import { setTimeout as pause } from 'node:timers/promises'
import { type Readiness, readinessSchema } from '@parley/contracts'
import { z } from 'zod'
import { withTimeout } from '../async/with-timeout.ts'
import { reasonOf } from '../errors/reason-of.ts'
import { createIdentityCodec } from '../identity/identity.ts'
import type { IdentityKeys } from '../identity/identity-keys.ts'
import { createLogger } from '../observability/log.ts'
import { ConfigError, readConfig } from '../service/config.ts'
import { loadModules, processSchema, type ServiceDefinition, urlVariable } from '../service/define-service.ts'
import type { Closable, Engine, Stores } from '../service/engine.ts'
import { serviceUrl } from '../service/engine-config.ts'
import type { Finding } from './finding.ts'
import { isLate, judgeClock, judgeFailure, judgeSchema } from './judge.ts'

/** Milliseconds after which an engine counts as unavailable; Kafka's client tries for 8 s. */
const limitMs = 9_000
/** Milliseconds between two attempts. */
const pauseMs = 500

/**
 * Checks everything that a service in a cluster needs, read-only: its variables, its engines with their clocks and schemas, the services it calls, and
 * the checks of its own definition. Checks whose variables are invalid are omitted.
 */
export async function examineService(definition: ServiceDefinition): Promise<readonly Finding[]> {
  await loadModules(definition)
  const variables = examineVariables(definition)
  const engines = Object.values<Engine>(definition.engines).map((engine) => examineEngine(definition, engine))
  const services = definition.calls.map((name) => examineCalled(definition, name))
  return [...variables, ...(await Promise.all([...engines, ...services, examineOwn(definition)])).flat()]
}

function examineVariables(definition: ServiceDefinition): Finding[] {
  const [what, advice] = [
    'configuration',
    'set it in the environment, or set NAME_FILE to the path of a file that contains it',
  ]
  const { values, faults } = tryRead(processSchema(definition))
  if (values !== undefined) faults.push(...identityFaults(definition, values as unknown as IdentityKeys))
  if (faults.length === 0) return [{ what, state: 'fine', found: 'all variables are set and valid' }]
  return faults.map((found) => ({ what, state: 'wrong', found, advice }))
}

function identityFaults({ name }: ServiceDefinition, keys: IdentityKeys): string[] {
  try {
    createIdentityCodec(name, keys)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [error.message]
  }
}

async function examineEngine({ name: service }: ServiceDefinition, engine: Engine): Promise<Finding[]> {
  const { values } = tryRead(z.object(engine.variables))
  if (values === undefined) return []
  const names = Object.keys(engine.variables)
  let logged: string | undefined
  const log = createLogger(service, 'warn', {
    write: (line) => {
      logged = z.object({ reason: z.string() }).safeParse(JSON.parse(line)).data?.reason ?? logged
    },
  })
  let opened: Closable | undefined
  try {
    opened = await engine.open(values, { service, log })
    await healthOf(engine, opened)
    return [
      { what: engine.kind, state: 'fine', found: 'it is reachable and accepts the user' },
      ...(isStores(opened) ? await examineStores(engine.kind, opened) : []),
    ]
  } catch (error) {
    return [judgeFailure(engine.kind, error, names, logged)]
  } finally {
    // Closing the connection to an unreachable engine may take long; the process exits without waiting.
    void Promise.resolve(opened?.close()).catch(() => undefined)
  }
}

/** A busy machine may answer a later attempt. @throws the engine's error */
async function healthOf(engine: Engine, opened: Closable): Promise<void> {
  const until = performance.now() + limitMs
  for (;;) {
    try {
      await withTimeout(limitMs, engine.health(opened))
      return
    } catch (error) {
      if (!isLate(error) || performance.now() > until) throw error
      await pause(pauseMs)
    }
  }
}

const isStores = (opened: Closable): opened is Stores => 'inspect' in opened

/** Version, clock and schema of a store that is reachable. @throws the engine's errors */
export async function examineStores(what: string, stores: Pick<Stores, 'inspect'>): Promise<Finding[]> {
  const before = Date.now()
  const report = await stores.inspect()
  // Halfway between the request and the response.
  const now = new Date((before + Date.now()) / 2)
  return [{ what, state: 'fine', found: report.engine }, judgeClock(what, report.now, now), judgeSchema(what, report)]
}

async function examineCalled(
  { degradesWithout = [] }: ServiceDefinition,
  name: ServiceDefinition['name'],
): Promise<Finding[]> {
  const variable = urlVariable(name)
  const url = tryRead(z.object({ [variable]: serviceUrl })).values?.[variable]
  if (url === undefined) return []
  const state = degradesWithout.includes(name) ? 'notice' : 'wrong'
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(limitMs) })
    const { status, failed } = readinessSchema.parse(await answer.json()) as Readiness
    const at = answer.headers.get('date')
    const clock = at === null ? [] : [judgeClock(name, new Date(at), new Date(Math.floor(Date.now() / 1_000) * 1_000))]
    if (status === 'ready') return [{ what: name, state: 'fine', found: 'it is ready' }, ...clock]
    const advice = `run the doctor command of ${name}`
    return [{ what: name, state, found: `it is not ready: ${failed.join(', ')}`, advice }, ...clock]
  } catch (error) {
    const advice = `check ${variable}, whether the service is running, and the network policies`
    return [{ what: name, state, found: `it does not respond (${reasonOf(error)})`, advice }]
  }
}

async function examineOwn({ examine, variables }: ServiceDefinition): Promise<readonly Finding[]> {
  const { values } = tryRead(z.object(variables))
  return examine === undefined || values === undefined ? [] : await examine(values)
}

function tryRead<Schema extends z.ZodObject>(schema: Schema) {
  try {
    return { values: readConfig(schema), faults: [] as string[] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // The first line is a heading, and each further line a fault.
    const [, ...faults] = error.message.split('\n').map((line) => line.trim())
    return { values: undefined, faults }
  }
}
