import { z } from 'zod'
import { answerDelaySchema } from './completions.ts'
import { timeSchema } from './primitives.ts'

/**
 * Control signals tell every replica of every service to drop what it keeps copies of. They are rare, kept in a history, and a gap in them drops
 * all copies; each copy also expires by itself.
 */
export const controlSchemas = {
  /** Rights, ban or sessions of a user changed. */
  'principal-changed': z.object({ userId: z.string() }),
  'settings-changed': z.object({ version: z.number() }),
  /** An API key was revoked, rotated or changed, or expires at another time. */
  'key-changed': z.object({ keyId: z.string(), userId: z.string() }),
  'models-changed': z.object({}),
  /** An admin asks every service to drop what it keeps copies of. */
  'caches-cleared': z.object({}),
} as const

/** Hints make things faster that are also found without them, or tell of what is soon over: several for each answer, kept nowhere, and a lost one costs nothing. */
export const hintSchemas = {
  /** A user asked to stop an answer, or lost the right to it. */
  'generation-stop': z.object({ messageId: z.string(), reason: z.enum(['user', 'banned']) }),
  /** A sender asked to stop the answer to a message that may not have been stored or even received yet. */
  'send-stop': z.object({ ownerId: z.string(), clientMessageId: z.string() }),
  /** The answer, send or image of this id has begun, ended or failed: calls that wait for it look at once. */
  'answer-changed': z.object({ ownerId: z.string(), id: z.string() }),
  /** The answer to a user's message is tried again or by another model; sent at most once for each try. */
  'answer-delayed': z.object({
    userId: z.string(),
    chatId: z.string(),
    messageId: z.string(),
    delay: answerDelaySchema,
  }),
  /**
   * A user's chat changed, after it was stored. `message`: this message was added, ended or changed; `generation`: this answer began;
   * `updated`: it is new, restored, renamed, pinned, archived or not any more, or another version of it is shown. `clientMessageId` is that of the message which began a new chat.
   */
  'chat-changed': z.object({
    userId: z.string(),
    chatId: z.string(),
    kind: z.enum(['updated', 'deleted', 'message', 'generation']),
    messageId: z.string().optional(),
    /** Of `generation`: the stream of an answer that is continued. */
    generationId: z.string().optional(),
    clientMessageId: z.string().optional(),
    title: z.string().optional(),
    updatedAt: timeSchema.optional(),
    archived: z.literal(true).optional(),
  }),
  /**
   * Several of a user's chats changed in one act, after it was stored; as many as fit into 64 KB, the others by further signals. One chat alone is
   * told by `chat-changed`, which also versions understand that do not know this.
   */
  'chats-changed': z.object({
    userId: z.string(),
    kind: z.enum(['updated', 'deleted']),
    chats: z.array(
      z.object({
        chatId: z.string(),
        title: z.string().optional(),
        updatedAt: timeSchema.optional(),
        archived: z.literal(true).optional(),
      }),
    ),
  }),
  /** A user's suggestions changed, after it was stored: so many wait now. */
  'memory-changed': z.object({ userId: z.string(), pending: z.number().int() }),
} as const

/** Messages between replicas, of both kinds. */
export const signalSchemas = { ...controlSchemas, ...hintSchemas } as const
/** The name of a signal. */
export type SignalName = keyof typeof signalSchemas
/** The name of a hint. */
export type HintName = keyof typeof hintSchemas
/** What a signal carries. */
export type SignalPayload<N extends SignalName> = z.infer<(typeof signalSchemas)[N]>
/** True for the name of a hint. */
export const isHintName = (name: SignalName): name is HintName => Object.hasOwn(hintSchemas, name)
