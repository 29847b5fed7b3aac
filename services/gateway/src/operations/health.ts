import {
  type Breaker,
  type Certificate,
  certificateRouteOf,
  type DeadLetters,
  deadLetterRoutesOf,
  groupsOf,
  type Health,
  type Readiness,
  type ServiceHealth,
  type ServiceName,
  serviceNames,
} from '@parley/contracts'
import type { Locate } from '@parley/kit'
import type { GatewayServiceDeps } from '../deps.ts'
import { askReplicas } from './replicas.ts'

type HealthDeps = Pick<GatewayServiceDeps, 'locate' | 'client' | 'log'>

/** Milliseconds; Kafka is slow to count records, and servers may be slow to shake hands. */
const limits = { deadLettersMs: 10_000, certificatesMs: 5_000 }

/** Queries every replica of every service, and every service's dead letters and certificates. The gateway is answering, so it is ready. */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const [answers, deadLetters, certificates] = await Promise.all([
    Promise.all(serviceNames.map(async (name) => [name, await askService(name, deps.locate)] as const)),
    Promise.all(serviceNames.filter((name) => groupsOf(name).length > 0).map((name) => askDeadLetters(name, deps))),
    Promise.all(serviceNames.filter((name) => name !== 'gateway').map((name) => askCertificates(name, deps))),
  ])
  return {
    services: answers.map(([name, replicas]) => summarise(name, replicas)),
    breakers: worstBreakers(
      answers.flatMap(([, replicas]) => (replicas ?? []).flatMap(({ breakers = [] }) => breakers)),
    ),
    deadLetters: deadLetters.flat(),
    certificates: firstToEnd(certificates.flat()),
  }
}

/** Undefined for a service that is missing, too slow or invalid: it counts as unreachable. */
const askService = (name: ServiceName, locate: Locate): Promise<readonly Readiness[] | undefined> =>
  name === 'gateway'
    ? Promise.resolve([{ status: 'ready', failed: [] }])
    : Promise.resolve(name)
        .then((service) => askReplicas(locate(service)))
        .catch(() => undefined)

async function askDeadLetters(name: ServiceName, { client, log }: HealthDeps): Promise<readonly DeadLetters[]> {
  try {
    return (await client.call(deadLetterRoutesOf(name).list, { timeoutMs: limits.deadLettersMs })).deadLetters
  } catch (error) {
    log.warn({ err: error, service: name }, 'the dead letters of a service could not be counted')
    return []
  }
}

/** None of a service that does not answer, or that is older and knows of none: its state is reported by itself. */
async function askCertificates(name: ServiceName, { client, log }: HealthDeps): Promise<readonly Certificate[]> {
  try {
    return (await client.call(certificateRouteOf(name), { timeoutMs: limits.certificatesMs })).certificates
  } catch (error) {
    log.debug({ err: error, service: name }, 'the certificates of a service could not be read')
    return []
  }
}

/** One certificate per server, the one that ends first if services see different ones; the first to end first. */
export function firstToEnd(certificates: readonly Certificate[]): Certificate[] {
  const servers = new Map<string, Certificate>()
  for (const certificate of certificates.toSorted((a, b) => a.endsAt.localeCompare(b.endsAt))) {
    if (!servers.has(certificate.server)) servers.set(certificate.server, certificate)
  }
  return [...servers.values()]
}

/** Summarises a service from the readiness of its replicas; undefined when none answers. */
function summarise(name: ServiceName, replicas: readonly Readiness[] | undefined): ServiceHealth {
  const [worst] = (replicas ?? []).toSorted((a, b) => Number(a.status === 'ready') - Number(b.status === 'ready'))
  if (replicas === undefined || worst === undefined) {
    return { name, ready: false, failed: ['unreachable'], replicas: [] }
  }
  const { status, engines, outbox, mailQueue } = worst
  return {
    name,
    ready: status === 'ready',
    failed: [...new Set(replicas.flatMap(({ failed }) => failed))],
    ...(engines && { engines }),
    ...(outbox && { outbox }),
    ...(mailQueue && { mailQueue }),
    replicas: replicas.flatMap(({ replica, status, failed }) =>
      replica === undefined ? [] : [{ ...replica, ready: status === 'ready', failed }],
    ),
  }
}

/** The worst breaker state per model across replicas: open before half-open. */
function worstBreakers(breakers: readonly Breaker[]): Breaker[] {
  const worst = new Map<string, Breaker>()
  for (const breaker of breakers) {
    if (worst.get(breaker.model)?.state !== 'open') worst.set(breaker.model, breaker)
  }
  return [...worst.values()]
}
