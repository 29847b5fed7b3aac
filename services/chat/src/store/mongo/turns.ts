import { setTimeout as delay } from 'node:timers/promises'
import type { MongoDatabase, MongoOutbox } from '@parley/db/mongo'
import type { QueryFilter } from 'mongoose'
import type { Chat } from '../entities.ts'
import type { Begun, Turn } from '../generation-store.ts'
import { continueAnswer, obstacleTo } from './continued.ts'
import { toMessageDocument } from './documents.ts'
import type { ChatDocument, ChatModels, MessageDocument, PendingTurn } from './models.ts'
import { createMongoTotals } from './usage.ts'
import { insertOnce } from './writes.ts'

/**
 * Begins question and answer in one act. One change of the chat's document decides: it is made only if no other turn has begun since the chat
 * and its messages were read, and it contains the whole turn. Only then are the two put among the messages, by any process that meets the turn,
 * and any number of times to the same effect.
 */
export type MongoTurns = ReturnType<typeof createMongoTurns>

/** What the stores on MongoDB share. */
export interface MongoParts {
  readonly models: ChatModels
  readonly turns: MongoTurns
  readonly database: MongoDatabase
  readonly outbox: MongoOutbox
}

const againMs = 20
/** The pause after another addition came first; random, so that concurrent callers do not collide again. */
export const pauseBeforeAgain = () => delay(Math.random() * againMs)
const completedAtOnce = 100

/** The turns of the chats in these collections. */
export function createMongoTurns(models: Models) {
  const { chats } = models
  /** @param answer created again for each attempt, since its lease starts then */
  const begin = async (answer: () => Promise<MessageDocument>, turn: Turn): Promise<Begun> => {
    const begun = await tryBegin(models, await answer(), turn)
    if (begun !== 'again') return begun
    await pauseBeforeAgain()
    return await begin(answer, turn)
  }
  return {
    begin,
    /** Completes the turns that these chats still hold. */
    async complete(filter: QueryFilter<ChatDocument>): Promise<void> {
      for (;;) {
        const holding = { 'turn.answer._id': { $exists: true }, ...filter }
        const found = await chats.find(holding, { turn: 1 }).limit(completedAtOnce).lean()
        for (const { _id, turn } of found) if (turn !== undefined) await completeTurn(models, _id, turn)
        if (found.length < completedAtOnce) return
      }
    },
  }
}

/** The collections that turns are written to. */
export type Models = Pick<ChatModels, 'chats' | 'messages' | 'usage'>
/** The state of a chat that an addition is decided on. */
export type ChatState = Pick<ChatDocument, '_id' | 'deletedAt' | 'turns' | 'turn' | 'leafId'>
/** The fields of it. */
export const chatStateFields = { deletedAt: 1, turns: 1, turn: 1, leafId: 1 } as const

async function tryBegin(models: Models, answer: MessageDocument, turn: Turn): Promise<Begun | 'again'> {
  const { chats } = models
  const { chatId } = answer
  // Read before the messages: these then include all turns up to this count.
  const chat: ChatState | null = await chats.findById(chatId, chatStateFields).lean()
  if (chat?.turn !== undefined) {
    await completeTurn(models, chatId, chat.turn)
    return 'again'
  }
  const { obstacle, question } = await look(models, chat, answer, turn)
  if (obstacle === 'exists' || obstacle === 'gone') return obstacle
  // A turn that came while the messages were read may be seen in some of them only.
  if (obstacle !== undefined) return (await isUnchanged(models, chatId, chat)) ? obstacle : 'again'
  const pending: PendingTurn = { answer, question }
  const decided =
    chat === null
      ? await insertOnce(chats, toChatDocument(turn.newChat as Chat, pending))
      : await commit(models, chat, pending)
  if (!decided) return 'again'
  if (chat === null) await createMongoTotals(models).add(answer.ownerId, { chats: 1 })
  await completeTurn(models, chatId, pending)
  return 'begun'
}

/** Finds the chat only if nothing was added to it since it was read. */
export const unchanged = ({ _id, turns }: ChatState) => ({
  _id,
  turns,
  deletedAt: null,
  'turn.answer._id': { $exists: false },
})

/** True when nothing was added to a chat since it was read; of none, when there still is none. */
export async function isUnchanged({ chats }: Models, chatId: string, chat: ChatState | null): Promise<boolean> {
  const found = await chats.exists(chat === null ? { _id: chatId } : unchanged(chat))
  return (found === null) === (chat === null)
}

/** Adds a turn to a chat, whose end is shown from then on; false when something else was added since the chat was read. */
export async function commit({ chats }: Models, chat: ChatState, turn: PendingTurn): Promise<boolean> {
  const added = { $set: { turn, leafId: turn.answer._id }, $inc: { turns: 1, messageCount: messagesOf(turn).length } }
  const { matchedCount } = await chats.updateOne(unchanged(chat), added)
  return matchedCount > 0
}

/** The reason why a turn cannot begin, and its question unless that is stored already. */
async function look(models: Models, chat: ChatState | null, answer: MessageDocument, turn: Turn) {
  const { message, follows } = turn
  const { chatId } = answer
  const { messages } = models
  if (answer.continued !== undefined) return { question: null, obstacle: await lookContinued(models, chat, answer) }
  const [exists, running, kept] = await Promise.all([
    messages.exists({ _id: answer._id }),
    messages.exists({ chatId, status: 'generating' }),
    message === undefined ? null : messages.exists({ _id: message.id }),
  ])
  const question = message === undefined || kept !== null ? null : toMessageDocument(message)
  const isThere = chat === null ? turn.newChat !== undefined : chat.deletedAt === null
  const hasMoved = question !== null && follows !== undefined && follows !== (chat?.leafId ?? null)
  const obstacles: readonly (readonly [Begun, boolean])[] = [
    ['exists', exists !== null],
    ['gone', !isThere],
    ['busy', running !== null],
    ['moved', hasMoved],
  ]
  return { question, obstacle: obstacles.find(([, stands]) => stands)?.[0] }
}

async function lookContinued(
  models: Models,
  chat: ChatState | null,
  answer: MessageDocument,
): Promise<Begun | undefined> {
  if (chat === null || chat.deletedAt !== null) return 'gone'
  const obstacle = await obstacleTo(models, answer)
  if (obstacle !== undefined) return obstacle
  if ((await models.messages.exists({ chatId: answer.chatId, status: 'generating' })) !== null) return 'busy'
  return chat.leafId === answer._id ? undefined : 'moved'
}

/** The new messages of a turn, the answer first; one that is continued is there already. */
const messagesOf = ({ answer, question, earlier = [] }: PendingTurn): readonly MessageDocument[] => [
  ...(answer.continued === undefined ? [answer] : []),
  ...(question === null ? [] : [question]),
  ...earlier,
]

/**
 * Puts a turn among the messages. The answer goes first: a reader that sees it without its question knows that the question is still to come, while a
 * question without an answer would look whole.
 */
export async function completeTurn(models: Models, chatId: string, turn: PendingTurn): Promise<void> {
  const { chats, messages } = models
  const put: string[] = []
  let bytes = 0
  if (turn.answer.continued !== undefined) await continueAnswer(models, turn.answer)
  for (const message of messagesOf(turn)) {
    if (!(await insertOnce(messages, message))) continue
    put.push(message._id)
    bytes += message.bytes ?? 0
  }
  const held = { _id: chatId, 'turn.answer._id': turn.answer._id }
  const { matchedCount } = await chats.updateOne(held, { $unset: { turn: '' } })
  // Another process was faster, and if this process stood still for long, all of it may have been deleted since.
  if (matchedCount === 0 && put.length > 0 && (await chats.exists({ _id: chatId })) === null) {
    await messages.deleteMany({ _id: { $in: put } })
  } else await createMongoTotals(models).add(turn.answer.ownerId, { bytes })
}

/** The document of a chat that is shown. */
export const toChatDocument = ({ id, ...chat }: Chat, turn?: PendingTurn): ChatDocument => ({
  _id: id,
  ...chat,
  deletedAt: null,
  turns: turn === undefined ? 0 : 1,
  ...(turn !== undefined && { turn, leafId: turn.answer._id, messageCount: messagesOf(turn).length }),
})
