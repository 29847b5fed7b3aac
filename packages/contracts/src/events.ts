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

export const generationOutcomes = ['complete', 'stopped', 'interrupted', 'error'] as const
export type GenerationOutcome = (typeof generationOutcomes)[number]

export const eventSchema = z.discriminatedUnion('type', [
  event('auth.user-registered', { userId: z.string() }),
  event('auth.verification-requested', { userId: z.string(), verificationId: z.string() }),
  /** A verified address was given up: its owner is told. */
  event('auth.email-changed', { userId: z.string(), emailChangeId: z.string() }),
  event('auth.user-banned', { userId: z.string() }),
  event('auth.user-unbanned', { userId: z.string() }),
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
export type EventType = Event['type']
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** The topic an event travels on: the service that owns it. */
export const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))
