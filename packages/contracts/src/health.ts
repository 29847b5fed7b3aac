import { z } from 'zod'
import { providerIds } from './models.ts'
import { text, timeSchema } from './primitives.ts'
import { defineRoute, type ServiceName, serviceNames } from './route.ts'

/** How a circuit breaker treats calls of its model: lets them through, refuses them, or tries one after the other. */
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

/** How much waits, and since when the longest; null when nothing does. */
const queueSchema = z.object({ waiting: z.number(), oldestAt: timeSchema.nullable() })

/** One process that serves, or one of several services of a process. */
const replicaSchema = z.object({
  id: z.string(),
  host: z.string(),
  /** Of Parley. */
  version: z.string(),
  /** Of Node.js. */
  node: z.string(),
  startedAt: timeSchema,
})
export type Replica = z.infer<typeof replicaSchema>

/** The answer of every service's `GET /readyz`, which only its own port has. `engines` is left out while it drains. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'unready']),
  /** Names of engines that do not answer, or `draining`. */
  failed: z.array(z.string()),
  /** Why, of each that `failed` and whose failure is known. */
  reasons: z.record(z.string(), z.string()).optional(),
  engines: z
    .array(
      z.object({
        name: z.string(),
        ready: z.boolean(),
        /** Of an event bus: events not yet handled, per consumer group. */
        lag: z.record(z.string(), z.number()).optional(),
      }),
    )
    .optional(),
  /** Left out before its start, and by the gateway. */
  replica: replicaSchema.optional(),
  /** Since when the oldest event waits to be published; null when none does. Of services that publish. */
  outbox: z.object({ oldestAt: timeSchema.nullable() }).optional(),
  /** Of notifier; counted up to 10,000. */
  mailQueue: queueSchema.optional(),
  /** Of llm-router: those of this replica that are not closed. */
  breakers: z.array(breakerSchema).optional(),
})
export type Readiness = z.infer<typeof readinessSchema>

/** One service in the admin's view of the whole: `failed` is of all its replicas together, `engines` of the one that is worst off. */
export const serviceHealthSchema = readinessSchema
  .pick({ failed: true, engines: true, outbox: true, mailQueue: true })
  .extend({
    name: z.enum(serviceNames),
    ready: z.boolean(),
    /** Those that answered. */
    replicas: z.array(replicaSchema.extend({ ready: z.boolean(), failed: z.array(z.string()) })),
  })
export type ServiceHealth = z.infer<typeof serviceHealthSchema>

/** Events that a consumer group gave up, after all its tries. */
export const deadLettersSchema = z.object({ group: z.string(), count: z.number(), oldestAt: timeSchema })
export type DeadLetters = z.infer<typeof deadLettersSchema>

/** What the dashboard shows of the running system. */
export const healthSchema = z.object({
  services: z.array(serviceHealthSchema),
  /** Those that are not closed, at the replica where the state is worst. */
  breakers: z.array(breakerSchema),
  /** Groups that gave up events; those whose service does not answer are left out. */
  deadLetters: z.array(deadLettersSchema),
})
export type Health = z.infer<typeof healthSchema>

/** Any name: what is no group is not found. */
const groupParams = z.object({ group: text(100) })
const replayed = z.object({ replayed: z.number() })
const dropped = z.object({ dropped: z.number() })

/** What the gateway answers itself. */
export const gatewayRoutes = {
  health: defineRoute({
    method: 'GET',
    path: '/admin/health',
    service: 'gateway',
    access: 'admin',
    summary: 'Every service with its replicas and engines, their state and lag, open circuit breakers, dead letters',
    answer: healthSchema,
  }),
  streamTest: defineRoute({
    method: 'GET',
    path: '/admin/health/stream',
    service: 'gateway',
    access: 'admin',
    stream: true,
    summary:
      'Events a quarter of a second apart, each with the milliseconds since the first: together they arrive only behind a proxy that buffers',
  }),
  replayDeadLetters: defineRoute({
    method: 'POST',
    path: '/admin/dead-letters/:group/replay',
    service: 'gateway',
    access: 'admin',
    summary: 'Hand the events that a consumer group gave up to it again, one try each; 404 for an unknown group',
    params: groupParams,
    answer: replayed,
  }),
  dropDeadLetters: defineRoute({
    method: 'DELETE',
    path: '/admin/dead-letters/:group',
    service: 'gateway',
    access: 'admin',
    summary: 'Forget the events that a consumer group gave up; 404 for an unknown group',
    params: groupParams,
    answer: dropped,
  }),
}

/** What every service with subscriptions answers about the events that its own consumer groups gave up. */
export const deadLetterRoutesOf = (service: ServiceName) => ({
  list: defineRoute({
    method: 'GET',
    path: '/internal/dead-letters',
    service,
    access: 'service',
    summary: 'Groups of this service that gave up events',
    answer: z.object({ deadLetters: z.array(deadLettersSchema) }),
  }),
  replay: defineRoute({
    method: 'POST',
    path: '/internal/dead-letters/:group/replay',
    service,
    access: 'service',
    summary: 'As that of the gateway',
    params: groupParams,
    answer: replayed,
  }),
  drop: defineRoute({
    method: 'DELETE',
    path: '/internal/dead-letters/:group',
    service,
    access: 'service',
    summary: 'As that of the gateway',
    params: groupParams,
    answer: dropped,
  }),
})
