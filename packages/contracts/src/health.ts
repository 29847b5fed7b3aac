import { z } from 'zod'
import { providerIds } from './llm-router/models.ts'
import { text, timeSchema } from './primitives.ts'
import { routesFor, type ServiceName, serviceNames } from './route.ts'

/** The states of a circuit breaker: calls pass, are refused, or are tried one at a time. */
export const breakerStates = ['closed', 'open', 'half-open'] as const
export type BreakerState = (typeof breakerStates)[number]

/** A model whose circuit breaker is not closed. `model` is its id in the registry. */
export const breakerSchema = z.object({
  provider: z.enum(providerIds),
  model: z.string(),
  state: z.enum(breakerStates),
  since: timeSchema,
})
export type Breaker = z.infer<typeof breakerSchema>

/** The mails that wait, and what became of others. Earlier versions omit `reason` and `settled`. */
const mailQueueSchema = z.object({
  waiting: z.number(),
  /** The time of the oldest that waits; null if none does. */
  oldestAt: timeSchema.nullable(),
  /** Why the last attempt to send it failed; null before the first. Without addresses. */
  reason: z.string().nullable().optional(),
  /** Mails of the last 24 hours that were accepted by the mail server, or refused by it or given up. */
  settled: z
    .object({
      sent: z.number(),
      failed: z.number(),
      /** Why the latest failed. */
      reason: z.string().nullable(),
    })
    .optional(),
})
export type MailQueue = z.infer<typeof mailQueueSchema>

/** The certificate that a server presents over TLS. */
export const certificateSchema = z.object({
  /** `host:port`. */
  server: z.string(),
  startsAt: timeSchema,
  endsAt: timeSchema,
})
export type Certificate = z.infer<typeof certificateSchema>

/** A replica: a process, or a service in a process with several. */
const replicaSchema = z.object({
  id: z.string(),
  host: z.string(),
  /** The version of Parley. */
  version: z.string(),
  /** The version of Node.js. */
  node: z.string(),
  startedAt: timeSchema,
})
export type Replica = z.infer<typeof replicaSchema>

/** The answer of `GET /readyz`, which every service has on its own port only. `engines` is omitted while it drains. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'unready']),
  /** Names of unavailable engines, or `draining`. */
  failed: z.array(z.string()),
  /** Why, of each that `failed` and whose failure is known. */
  reasons: z.record(z.string(), z.string()).optional(),
  engines: z
    .array(
      z.object({
        name: z.string(),
        ready: z.boolean(),
        /** For an event bus: events not yet handled, by consumer group. */
        lag: z.record(z.string(), z.number()).optional(),
      }),
    )
    .optional(),
  /** Omitted before startup has finished, and by the gateway. */
  replica: replicaSchema.optional(),
  /** The time of the oldest unpublished event; null if there is none. For services that publish. */
  outbox: z.object({ oldestAt: timeSchema.nullable() }).optional(),
  /** For notifier; counted up to 10,000. */
  mailQueue: mailQueueSchema.optional(),
  /** For llm-router: this replica's breakers that are not closed. */
  breakers: z.array(breakerSchema).optional(),
})
export type Readiness = z.infer<typeof readinessSchema>

/** A service in the admin's overview: `failed` is merged over all replicas, `engines` is of the one in the worst state. */
export const serviceHealthSchema = readinessSchema
  .pick({ failed: true, engines: true, outbox: true, mailQueue: true })
  .extend({
    name: z.enum(serviceNames),
    ready: z.boolean(),
    /** Replicas that answered. */
    replicas: z.array(replicaSchema.extend({ ready: z.boolean(), failed: z.array(z.string()) })),
  })
export type ServiceHealth = z.infer<typeof serviceHealthSchema>

/** Events that a consumer group gave up after all attempts. */
export const deadLettersSchema = z.object({ group: z.string(), count: z.number(), oldestAt: timeSchema })
export type DeadLetters = z.infer<typeof deadLettersSchema>

/** The health of the system, for the admin's dashboard. */
export const healthSchema = z.object({
  services: z.array(serviceHealthSchema),
  /** Breakers that are not closed, each in its worst state over all replicas. */
  breakers: z.array(breakerSchema),
  /** Groups with dead letters, except those of services that do not answer. */
  deadLetters: z.array(deadLettersSchema),
  /** Of the engines, the mail server and the public address, as far as services reach them over TLS; the first to end first. */
  certificates: z.array(certificateSchema),
})
export type Health = z.infer<typeof healthSchema>

/** Any text: an unknown group gives 404. */
const groupParams = z.object({ group: text(100) })
const replayed = z.object({ replayed: z.number() })
const dropped = z.object({ dropped: z.number() })

const admin = routesFor('gateway', 'admin')
/** Routes that the gateway answers itself. */
export const gatewayRoutes = {
  health: admin.get('/admin/health', {
    summary:
      'Every service with its replicas and engines, their state and lag, open circuit breakers, dead letters, certificates',
    answer: healthSchema,
  }),
  streamTest: admin.get('/admin/health/stream', {
    stream: true,
    summary:
      'A stream of events a quarter of a second apart, each with the milliseconds since the first: if they arrive together, a proxy is buffering',
  }),
  replayDeadLetters: admin.post('/admin/dead-letters/:group/replay', {
    summary: 'Replay the dead letters of a consumer group, one attempt each; 404 for an unknown group',
    params: groupParams,
    answer: replayed,
  }),
  dropDeadLetters: admin.delete('/admin/dead-letters/:group', {
    summary: 'Drop the dead letters of a consumer group; 404 for an unknown group',
    params: groupParams,
    answer: dropped,
  }),
}

/** Internal routes of every service with subscriptions, for the dead letters of its consumer groups. */
export function deadLetterRoutesOf(service: ServiceName) {
  const internal = routesFor(service, 'service')
  return {
    list: internal.get('/internal/dead-letters', {
      summary: 'Groups of this service with dead letters',
      answer: z.object({ deadLetters: z.array(deadLettersSchema) }),
    }),
    replay: internal.post('/internal/dead-letters/:group/replay', {
      summary: 'As that of the gateway',
      params: groupParams,
      answer: replayed,
    }),
    drop: internal.delete('/internal/dead-letters/:group', {
      summary: 'As that of the gateway',
      params: groupParams,
      answer: dropped,
    }),
  }
}

/** The internal route of every service behind the gateway, for the certificates of the servers that it reaches. */
export const certificateRouteOf = (service: ServiceName) =>
  routesFor(service, 'service').get('/internal/certificates', {
    summary:
      'The certificates of the servers that this service reaches over TLS; those that cannot be read are left out',
    answer: z.object({ certificates: z.array(certificateSchema) }),
  })
