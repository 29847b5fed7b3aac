import { z } from 'zod'
import { usageSchema } from './models.ts'
import { answerIdSchema, timeSchema } from './primitives.ts'

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
export const adminActed = {
  actorId: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string(),
  /** What people call the target; versions before do not tell. */
  targetName: z.string().max(200).optional(),
  /** The act can be undone; versions before cannot. */
  reversible: z.boolean().optional(),
  /** The entry of the audit log that this act takes back. */
  undoes: z.string().optional(),
}

/** What mails are about. */
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

/** Every event that there is, by its type. */
export const eventSchema = z.discriminatedUnion('type', [
  event('auth.user-registered', { userId: z.string() }),
  event('auth.verification-requested', { userId: z.string(), verificationId: z.string() }),
  /** A verified address was given up: its owner is told. */
  event('auth.email-changed', { userId: z.string(), emailChangeId: z.string() }),
  /** Somebody asked for a new password. Whether the address belongs to an account is not known yet. */
  event('auth.password-reset-requested', { resetId: z.string() }),
  /** The user, or a mailed link, set another password: its owner is told. */
  event('auth.password-changed', { userId: z.string() }),
  /** Single sign-on leads into the account as well from now on: its owner is told. */
  event('auth.identity-linked', { userId: z.string() }),
  /** The account is gone; every service erases what it keeps of the user. Comes again until each has said that it did. */
  event('auth.user-deleted', { userId: z.string(), erasureId: z.string() }),
  /** Nothing of the user is left in any service. */
  event('auth.user-erased', { erasureId: z.string() }),
  /** Services contribute what they keep of the user. Comes again while contributions are missing. */
  event('auth.data-export-requested', { userId: z.string(), exportId: z.string() }),
  event('auth.data-export-ready', { userId: z.string(), exportId: z.string() }),
  event('auth.user-banned', { userId: z.string() }),
  event('auth.user-unbanned', { userId: z.string() }),
  event('billing.admin-acted', adminActed),
  /** What the user may spend is another amount now, or another plan's. Best asked for anew: several changes may have one answer. */
  event('billing.credits-changed', { userId: z.string() }),
  /** The user has used this much of the month's credits; once a month. Percent. */
  event('billing.credit-warning-reached', {
    userId: z.string(),
    usagePercentage: z.number(),
    threshold: z.number(),
    resetDate: timeSchema,
  }),
  event('llm-router.admin-acted', adminActed),
  /** What became of a mail: the mail server took it over, or it will never arrive. `subjectId` is what it was about: a verification, a user, an export. */
  /** What providers were asked for on a day of UTC, up to now: a later one of the same day replaces it. `cost` in millionths of micro-dollars. */
  event('llm-router.provider-used', {
    date: z.iso.date(),
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number(),
  }),
  event('notifier.mail-settled', {
    kind: z.enum(mailKinds),
    subjectId: z.string(),
    outcome: z.enum(['sent', 'failed']),
    /** What the mail server said when it refused the mail for good; null also when it could not be handed over in a day. */
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
    /** What was made, for the receipt; versions before do not tell. */
    source: z.enum(['web', 'image']).optional(),
    /** From the call of the provider to its end, milliseconds. */
    responseMs: z.number().int().min(0).optional(),
    /** From the beginning of the answer to its first visible character, milliseconds; versions before do not tell. */
    firstTokenMs: z.number().int().min(0).optional(),
    /** Ids of the memories that the prompt had; left out when it had none. */
    memoriesUsed: z.array(z.string()).optional(),
  }),
  /** A request with an API key ended. */
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
    /** As the answer names itself to its caller. */
    answerId: answerIdSchema.optional(),
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
