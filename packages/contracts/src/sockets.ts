import { z } from 'zod'
import { liveAnswerSchema } from './chats.ts'
import { answerDelaySchema } from './completions.ts'
import { finishReasons, messageSchema, searchResultSchema, toolCallSchema } from './messages.ts'
import { usageSchema } from './models.ts'
import { idSchema } from './primitives.ts'

/** Namespace of the sockets and path of their transport. */
export const socketAddress = { namespace: '/realtime', path: '/socket.io' } as const

/** What a client may say, each with one object. Anything else is ignored. */
export const clientEventSchemas = {
  join: z.object({ chatId: idSchema }),
  leave: z.object({ chatId: idSchema }),
} as const

/** Why the server closes a connection: error codes. A refused handshake carries the same in `data.code` of its error, with `error` as text. */
export const goodbyeCodes = [
  'unavailable',
  'token_expired',
  'rate_limited',
  'account_banned',
  'unauthenticated',
] as const
export type GoodbyeCode = (typeof goodbyeCodes)[number]

const chat = { chatId: z.string() }
const answer = { ...chat, messageId: z.string() }

/** What the server says. Events of a chat go to those who joined it, `stream:delayed` and what follows it to every socket of the user. */
export const serverEventSchemas = {
  joined: z.object({ ...chat, generating: z.object({ messageId: z.string() }).optional() }),
  left: z.object(chat),
  'chat:error': z.object({ ...chat, error: z.string(), code: z.string() }),
  /** The state of the chat at this moment; every later event of it follows. */
  'chat:init': z.object({
    ...chat,
    lastMessageId: z.string().nullable(),
    generating: liveAnswerSchema.optional(),
  }),
  /** A message was added, or stands otherwise than before; known by its id. */
  'msg:append': z.object({ ...chat, message: messageSchema }),
  /** `seq` is the number of the event in the answer's stream; each is told once, in order. */
  'stream:delta': z.object({
    ...answer,
    seq: z.number().int(),
    text: z.string().optional(),
    reasoning: z.string().optional(),
  }),
  'stream:tool': z.object({ ...answer, seq: z.number().int(), toolCall: toolCallSchema }),
  'stream:websearch': z.object({ ...answer, seq: z.number().int(), results: z.array(searchResultSchema) }),
  'stream:done': z.object({ ...answer, finishReason: z.enum(finishReasons), usage: usageSchema.nullable() }),
  /**
   * Nothing of the answer comes yet, and why; holds until something comes. A chat that has just begun can't have been joined yet, so every socket hears it.
   * Not repeated: a socket that connects later hears of the next delay.
   */
  'stream:delayed': z.object({ ...answer, delay: answerDelaySchema }),
  /**
   * `lastMessageId` when another version of the thread is shown; `clientMessageId` when a message with that id has just begun the chat, which is
   * told as soon as the message is stored, before there is an answer.
   */
  'chat:update': z.object({
    ...chat,
    title: z.string().optional(),
    updatedAt: z.string(),
    /** Absent where it is not. */
    archived: z.literal(true).optional(),
    lastMessageId: z.string().optional(),
    clientMessageId: z.string().optional(),
  }),
  'chat:delete': z.object(chat),
  /** In the place of many `chat:delete`: more than 500 chats were deleted at once. */
  'chats:delete': z.object({ chatIds: z.array(z.string()) }),
  /** `credits` is what `GET /user/credits` would answer for `remaining`; ask for the rest. */
  'user:update': z.object({
    credits: z.object({ remaining: z.number().int() }).optional(),
    isBanned: z.boolean().optional(),
    isAdmin: z.boolean().optional(),
  }),
  /** Suggestions were made or decided: so many wait now. */
  'memory:update': z.object({ pending: z.number().int() }),
  /** Models or settings changed: ask again. */
  'models:update': z.object({}),
  /**
   * The last word before the server closes the connection. `unavailable`: come back, to whoever is there by then; `token_expired`: come back
   * with a new token; `rate_limited`: too much was said; `account_banned` and `unauthenticated`: nobody is let in with this session.
   */
  goodbye: z.object({ code: z.enum(goodbyeCodes) }),
} as const

/** The name of a server's event. */
export type ServerEvent = keyof typeof serverEventSchemas
/** What a server's event carries. */
export type ServerPayload<E extends ServerEvent> = z.infer<(typeof serverEventSchemas)[E]>
/** The name of a client's event. */
export type ClientEvent = keyof typeof clientEventSchemas
