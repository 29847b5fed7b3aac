import { z } from 'zod'
import { usageSchema } from './llm-router/models.ts'
import { answerIdSchema, timeSchema } from './primitives.ts'

/** Limit of a serialised envelope, in bytes. */
export const maxEventBytes = 64 * 1024

const envelope = {
  /** Unique; consumers skip ids that they have processed. */
  id: z.string().min(1).max(64),
  at: timeSchema,
  /** Version of the data's shape. */
  v: z.literal(1),
  /** The aggregate's id; events are ordered per key. */
  key: z.string().min(1).max(128),
  /** W3C traceparent of the request that caused it. */
  trace: z.string().max(200).optional(),
}
const event = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({ type: z.literal(type), ...envelope, data: z.object(data) })

/** An act of an admin in this service, which auth records in the audit log. `before` and `after` contain no secrets. */
export const adminActed = {
  actorId: z.string(),
  /** `thing.past-tense`. */
  action: z.string(),
  /** The id of what was changed; null if it is many things. */
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string(),
  /** The display name of the target; omitted by earlier versions. */
  targetName: z.string().max(200).optional(),
  /** Whether the act can be undone; omitted by earlier versions, which cannot undo. */
  reversible: z.boolean().optional(),
  /** The entry of the audit log that this act undoes. */
  undoes: z.string().optional(),
}

/** The kinds of mails. */
export const mailKinds = [
  'verification',
  'password-reset',
  'password-changed',
  'identity-linked',
  'email-changed',
  'credit-warning',
  'data-export',
  'account-deleted',
] as const
export type MailKind = (typeof mailKinds)[number]

/** How a generation ended. */
export const generationOutcomes = ['complete', 'stopped', 'interrupted', 'error'] as const
export type GenerationOutcome = (typeof generationOutcomes)[number]

/** All events, by type. */
export const eventSchema = z.discriminatedUnion('type', [
  event('auth.user-registered', { userId: z.string() }),
  event('auth.verification-requested', { userId: z.string(), verificationId: z.string() }),
  /** A verified address was replaced; its owner is notified. */
  event('auth.email-changed', { userId: z.string(), emailChangeId: z.string() }),
  /** A password reset was requested. Whether the address belongs to an account is not known yet. */
  event('auth.password-reset-requested', { resetId: z.string() }),
  /** The password was changed, by the user or a mailed link; the user is notified. */
  event('auth.password-changed', { userId: z.string() }),
  /** Single sign-on was linked to the account; the user is notified. */
  event('auth.identity-linked', { userId: z.string() }),
  /** The account was deleted; every service erases the user's data. Repeated until all have acknowledged. */
  event('auth.user-deleted', { userId: z.string(), erasureId: z.string() }),
  /** All services have erased the user. */
  event('auth.user-erased', { erasureId: z.string() }),
  /** Requests contributions from services. Repeated while contributions are missing. */
  event('auth.data-export-requested', { userId: z.string(), exportId: z.string() }),
  event('auth.data-export-ready', { userId: z.string(), exportId: z.string() }),
  event('auth.user-banned', { userId: z.string() }),
  event('auth.user-unbanned', { userId: z.string() }),
  event('billing.admin-acted', adminActed),
  /** The user has reached the warning threshold of the month's credits, in percent; once per month. */
  event('billing.credit-warning-reached', {
    userId: z.string(),
    usagePercentage: z.number(),
    threshold: z.number(),
    resetDate: timeSchema,
  }),
  event('llm-router.admin-acted', adminActed),
  /** The provider usage of a UTC day so far: a later event of the same day replaces it. `cost` in millionths of micro-dollars. */
  event('llm-router.provider-used', {
    date: z.iso.date(),
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number(),
  }),
  /** The outcome of a mail: accepted by the mail server, or failed for good. `subjectId` is its subject: a verification, a user, an export. */
  event('notifier.mail-settled', {
    kind: z.enum(mailKinds),
    subjectId: z.string(),
    outcome: z.enum(['sent', 'failed']),
    /** The mail server's response to a permanent refusal; null otherwise, also if the mail could not be delivered within a day. */
    reason: z.string().max(500).nullable(),
  }),
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
    /** The kind of content, for the receipt; omitted by earlier versions. */
    source: z.enum(['web', 'image']).optional(),
    /** From the call of the provider to its end, milliseconds. */
    responseMs: z.number().int().min(0).optional(),
    /** Time from the start of the answer to its first visible character, in milliseconds; omitted by earlier versions. */
    firstTokenMs: z.number().int().min(0).optional(),
    /** Ids of the memories in the prompt; omitted if there were none. */
    memoriesUsed: z.array(z.string()).optional(),
  }),
  /** A request with an API key has ended. */
  event('llm-router.request-finished', {
    generationId: z.string(),
    keyId: z.string(),
    userId: z.string(),
    model: z.string(),
    outcome: z.enum(generationOutcomes),
    /** Credits to capture of the hold; 0 releases it. */
    charge: z.number().int().min(0),
    usage: usageSchema,
    responseMs: z.number().int().min(0),
    /** The id in the caller's answer. */
    answerId: answerIdSchema.optional(),
  }),
])
/** An event on the bus: `<service>.<past-tense>`, one topic per service. */
export type Event = z.infer<typeof eventSchema>
/** The name of an event. */
export type EventType = Event['type']
/** The event of one type. */
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** The topic an event travels on: the service that owns it. */
export const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

/**
 * Serialises an event, without fields unknown to its schema.
 * @throws RangeError if it does not match its schema or exceeds `maxEventBytes`
 */
export const eventJson = (event: Event): string => serialise(eventSchema, event)

/** An event of any version: after a rollback an outbox has events of types and shapes that only the later version knows. */
const writtenEventSchema = z.looseObject({
  ...envelope,
  v: z.number().int().min(1),
  type: z.string().regex(/^[a-z-]+\.[a-z-]+$/),
  data: z.looseObject({}),
})

/**
 * Serialises an event as it was written, which was when it was checked.
 * @throws RangeError if it has no envelope or exceeds `maxEventBytes`
 */
export const writtenEventJson = (event: Event): string => serialise(writtenEventSchema, event)

function serialise(schema: z.ZodType, event: Event): string {
  const result = schema.safeParse(event)
  if (!result.success) throw new RangeError(`Not an event of type ${event?.type}: ${eventFaults(result.error)}`)
  const json = JSON.stringify(result.data)
  if (new TextEncoder().encode(json).length > maxEventBytes) {
    throw new RangeError(`An event of type ${event.type} is over ${maxEventBytes} bytes`)
  }
  return json
}

/** The faults of an invalid event: paths and reasons, without values. */
export const eventFaults = (error: Pick<z.ZodError, 'issues'>): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`).join('; ')
