import { z } from 'zod'
import { answerDelaySchema } from './llm-router/completions.ts'
import { timeSchema } from './primitives.ts'

/**
 * Control signals invalidate caches on every replica of every service. They are rare and kept in a history; a gap in it invalidates everything. Cache
 * entries also have a TTL.
 */
export const controlSchemas = {
  /** Rights, ban or sessions of a user changed. */
  'principal-changed': z.object({ userId: z.string() }),
  'settings-changed': z.object({ version: z.number() }),
  /** An API key was revoked, rotated or changed, or its expiry was. */
  'key-changed': z.object({ keyId: z.string(), userId: z.string() }),
  'models-changed': z.object({}),
  /** An admin cleared the caches of all services. */
  'caches-cleared': z.object({}),
} as const

/** Hints are best effort: they speed up what is also found without them, or announce something short-lived. Several per answer, and not stored. */
export const hintSchemas = {
  /** A user stopped an answer, or was banned. */
  'generation-stop': z.object({ messageId: z.string(), reason: z.enum(['user', 'banned']) }),
  /** A sender stopped the answer to a message that may not have been stored or even received yet. */
  'send-stop': z.object({ ownerId: z.string(), clientMessageId: z.string() }),
  /** The answer, send or image with this id has begun, ended or failed: wakes up calls that wait for it. */
  'answer-changed': z.object({ ownerId: z.string(), id: z.string() }),
  /** The answer to a user's message is retried, or tried with another model; sent at most once per attempt. */
  'answer-delayed': z.object({
    userId: z.string(),
    chatId: z.string(),
    messageId: z.string(),
    delay: answerDelaySchema,
  }),
  /**
   * A user's chat changed; sent after the change was stored. `message`: this message was added, completed or changed; `generation`: this answer
   * began; `updated`: the chat was created, restored, renamed, (un)pinned or (un)archived, or another version of its thread is shown.
   * `clientMessageId` is the id of the message that began a new chat.
   */
  'chat-changed': z.object({
    userId: z.string(),
    chatId: z.string(),
    kind: z.enum(['updated', 'deleted', 'message', 'generation']),
    messageId: z.string().optional(),
    /** For `generation`: the id of the stream of a continued answer. */
    generationId: z.string().optional(),
    clientMessageId: z.string().optional(),
    title: z.string().optional(),
    updatedAt: timeSchema.optional(),
    archived: z.literal(true).optional(),
  }),
  /**
   * Several of a user's chats changed at once; sent after the change was stored, in several signals if it exceeds 64 KB. A single chat is sent as
   * `chat-changed`, which older versions understand, too.
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
  /** An act of an admin has been stored and is in the audit log: other admins see what it changed. */
  'admin-acted': z.object({}),
  /** The spendable credits or the plan of these users changed; sent after the change was stored, at most once for several concurrent changes of a user. */
  'credits-changed': z.object({ userIds: z.array(z.string()) }),
  /** The number of a user's pending suggestions; sent after the change was stored. */
  'memory-changed': z.object({ userId: z.string(), pending: z.number().int() }),
} as const

/** All signals, of both kinds. */
export const signalSchemas = { ...controlSchemas, ...hintSchemas } as const
/** The name of a signal. */
export type SignalName = keyof typeof signalSchemas
/** The name of a hint. */
export type HintName = keyof typeof hintSchemas
/** The payload of a signal. */
export type SignalPayload<N extends SignalName> = z.infer<(typeof signalSchemas)[N]>
/** Whether a signal is a hint. */
export const isHintName = (name: SignalName): name is HintName => Object.hasOwn(hintSchemas, name)
