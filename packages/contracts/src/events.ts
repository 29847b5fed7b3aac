import { z } from 'zod'
import { usageSchema } from './models.ts'
import { timeSchema } from './primitives.ts'

/** Largest serialised envelope, in bytes. */
export const maxEventBytes = 64 * 1024

const envelope = {
  /** Unique; consumers drop ids they have seen. */
  id: z.string().min(1).max(64),
  at: timeSchema,
  /** Version of the data's shape. */
  v: z.literal(1),
  /** The aggregate's id; order is kept per key. */
  key: z.string().min(1).max(128),
  /** W3C traceparent of the request that caused it. */
  trace: z.string().max(200).optional(),
}
const event = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({ type: z.literal(type), ...envelope, data: z.object(data) })

/** An admin changed something of this service; auth keeps it in the audit log. `before` and `after` hold no secret. */
const adminActed = {
  actorId: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string(),
}

/** How a generation ended. */
export const generationOutcomes = ['complete', 'stopped', 'interrupted', 'error'] as const
export type GenerationOutcome = (typeof generationOutcomes)[number]

/** Every event that there is, by its type. */
export const eventSchema = z.discriminatedUnion('type', [
  event('auth.user-registered', { userId: z.string() }),
  event('auth.verification-requested', { userId: z.string(), verificationId: z.string() }),
  /** A verified address was given up: its owner is told. */
  event('auth.email-changed', { userId: z.string(), emailChangeId: z.string() }),
  event('auth.user-banned', { userId: z.string() }),
  event('auth.user-unbanned', { userId: z.string() }),
  event('billing.admin-acted', adminActed),
  /** What the user may spend is another amount now, or another plan's. Best asked for anew: several changes may have one answer. */
  event('billing.credits-changed', { userId: z.string() }),
  event('llm-router.admin-acted', adminActed),
  event('chat.generation-finished', {
    generationId: z.string(),
    chatId: z.string().nullable(),
    /** Null for a guest. */
    userId: z.string().nullable(),
    model: z.string(),
    outcome: z.enum(generationOutcomes),
    /** Credits to capture of the hold; 0 releases it. */
    charge: z.number().int().min(0),
    usage: usageSchema,
  }),
])
/** A fact that happened, as it travels on the bus: `<service>.<past-tense>`, one topic per service. */
export type Event = z.infer<typeof eventSchema>
/** The name of an event. */
export type EventType = Event['type']
/** The event of one type. */
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** The topic an event travels on: the service that owns it. */
export const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

/**
 * The JSON of an event, with nothing in it that its schema does not know.
 * @throws RangeError when it does not fit its schema or is over `maxEventBytes`
 */
export function eventJson(event: Event): string {
  const result = eventSchema.safeParse(event)
  if (!result.success) throw new RangeError(`Not an event of type ${event?.type}: ${eventFaults(result.error)}`)
  const json = JSON.stringify(result.data)
  if (new TextEncoder().encode(json).length > maxEventBytes) {
    throw new RangeError(`An event of type ${event.type} is over ${maxEventBytes} bytes`)
  }
  return json
}

/** What is wrong with a refused event: paths and reasons, without its values. */
export const eventFaults = (error: Pick<z.ZodError, 'issues'>): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`).join('; ')
