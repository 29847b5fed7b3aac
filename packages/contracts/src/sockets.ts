import { z } from 'zod'
import { liveAnswerSchema } from './chat/chats.ts'
import { finishReasons, messageSchema, searchResultSchema, toolCallSchema } from './chat/messages.ts'
import { answerDelaySchema } from './llm-router/completions.ts'
import { usageSchema } from './llm-router/models.ts'
import { idSchema } from './primitives.ts'

/** The sockets' namespace and transport path. */
export const socketAddress = { namespace: '/realtime', path: '/socket.io' } as const

/** Client events, each with one object. Anything else is ignored. */
export const clientEventSchemas = {
  /** Joining again resends the state of the chat. `muted`: as by `mute`. */
  join: z.object({ chatId: idSchema, muted: z.boolean().optional() }),
  /** Holds back the events of running answers until the chat is joined again: for a client that reads the one that it asked for as a stream. */
  mute: z.object({ chatId: idSchema }),
  leave: z.object({ chatId: idSchema }),
} as const

/** Error codes with which the server closes a connection. A refused handshake has them in `data.code` of its error, with the text in `data.error`. */
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

/** Server events. Events of a chat go to sockets that joined it, `stream:delayed` and the following ones to every socket of the user. */
export const serverEventSchemas = {
  joined: z.object({ ...chat, generating: z.object({ messageId: z.string() }).optional() }),
  left: z.object(chat),
  'chat:error': z.object({ ...chat, error: z.string(), code: z.string() }),
  /** The current state of the chat; all later events follow. */
  'chat:init': z.object({
    ...chat,
    lastMessageId: z.string().nullable(),
    generating: liveAnswerSchema.optional(),
  }),
  /** Upserts a message by id. */
  'msg:append': z.object({ ...chat, message: messageSchema }),
  /** `seq` is the event's number in the answer's stream; each is sent once, in order. */
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
   * The reason why an answer is delayed, until its first token. Sent to every socket, because a new chat cannot have been joined yet. Not repeated
   * for sockets that connect later.
   */
  'stream:delayed': z.object({ ...answer, delay: answerDelaySchema }),
  /**
   * `lastMessageId` if another version of the thread is shown; `clientMessageId` if the message with that id has begun the chat: sent once the
   * message is stored, before there is an answer.
   */
  'chat:update': z.object({
    ...chat,
    title: z.string().optional(),
    updatedAt: z.string(),
    /** Omitted if not archived. */
    archived: z.literal(true).optional(),
    lastMessageId: z.string().optional(),
    clientMessageId: z.string().optional(),
  }),
  'chat:delete': z.object(chat),
  /** Replaces single `chat:delete` events when more than 500 chats are deleted at once. */
  'chats:delete': z.object({ chatIds: z.array(z.string()) }),
  /** `credits` only has `remaining` of `GET /user/credits`; request the rest. */
  'user:update': z.object({
    credits: z.object({ remaining: z.number().int() }).optional(),
    isBanned: z.boolean().optional(),
    isAdmin: z.boolean().optional(),
  }),
  /** To admins: a user's account, rights or sessions changed, or an admin changed anything: a user's plan or credits, a key, a plan, a model, the settings. */
  'users:update': z.object({}),
  /** The number of pending suggestions changed. */
  'memory:update': z.object({ pending: z.number().int() }),
  /** Models or settings changed: reload them. */
  'models:update': z.object({}),
  /**
   * The last event before the server closes the connection. `unavailable`: reconnect, to any replica; `token_expired`: reconnect with a new token;
   * `rate_limited`: too many packets; `account_banned` and `unauthenticated`: the session is refused.
   */
  goodbye: z.object({ code: z.enum(goodbyeCodes) }),
} as const

/** The name of a server event. */
export type ServerEvent = keyof typeof serverEventSchemas
/** The payload of a server event. */
export type ServerPayload<E extends ServerEvent> = z.infer<(typeof serverEventSchemas)[E]>
/** The name of a client event. */
export type ClientEvent = keyof typeof clientEventSchemas
/** The payload of a client event. */
export type ClientPayload<E extends ClientEvent> = z.input<(typeof clientEventSchemas)[E]>
