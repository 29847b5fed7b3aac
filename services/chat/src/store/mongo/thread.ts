import type { Appended, AppendPosition, FinishedMessage, MessageStore, Shown } from '../message-store.ts'
import { toFinishedDocument } from './documents.ts'
import type { MessageDocument } from './models.ts'
import {
  type ChatState,
  chatStateFields,
  commit,
  completeTurn,
  isUnchanged,
  type Models,
  pauseBeforeAgain,
  unchanged,
} from './turns.ts'

type Tried<Outcome> = Outcome | 'again'

/** Adding to the shown version of a thread, and showing another one. As with turns, one change of the chat's document decides. */
export function createMongoThread(models: Models): Pick<MessageStore, 'append' | 'show'> {
  return {
    append: (chatId, ownerId, messages, position) =>
      untilDecided(models, chatId, ownerId, (chat) => tryAppend(models, chat, ownerId, messages, position)),
    show: (chatId, ownerId, leafId, at) =>
      untilDecided(models, chatId, ownerId, (chat) => tryShow(models, chat, leafId, at)),
  }
}

async function untilDecided<Outcome>(
  models: Models,
  chatId: string,
  ownerId: string,
  attempt: (chat: ChatState) => Promise<Tried<Outcome>>,
): Promise<Outcome | 'gone' | 'busy'> {
  const chat: ChatState | null = await models.chats
    .findOne({ _id: chatId, ownerId, deletedAt: null }, chatStateFields)
    .lean()
  if (chat === null) return 'gone'
  if (chat.turn !== undefined) await completeTurn(models, chatId, chat.turn)
  else {
    const running = await models.messages.exists({ chatId, status: 'generating' })
    const tried = running === null ? await attempt(chat) : 'again'
    if (tried !== 'again') return tried
    if (running !== null && (await isUnchanged(models, chatId, chat))) return 'busy'
  }
  await pauseBeforeAgain()
  return await untilDecided(models, chatId, ownerId, attempt)
}

async function tryAppend(
  models: Models,
  chat: ChatState,
  ownerId: string,
  messages: readonly FinishedMessage[],
  { follows, parentId: behind }: AppendPosition = {},
): Promise<Tried<Appended>> {
  const leafId = chat.leafId ?? null
  if (behind !== undefined && (await models.messages.exists({ _id: behind, chatId: chat._id })) === null) return 'gone'
  if (follows !== undefined && follows !== leafId) return 'moved'
  const taken = new Set(await models.messages.distinct('_id', { _id: { $in: messages.map(({ id }) => id) } }))
  const added: MessageDocument[] = []
  for (const message of messages) {
    if (taken.has(message.id)) continue
    taken.add(message.id)
    const parentId = added.at(-1)?._id ?? behind ?? leafId
    added.push(toFinishedDocument(message, { chatId: chat._id, ownerId, parentId }))
  }
  const answer = added.pop()
  if (answer === undefined) return 'appended'
  const turn = { answer, question: null, earlier: added }
  if (!(await commit(models, chat, turn))) return 'again'
  await completeTurn(models, chat._id, turn)
  return 'appended'
}

async function tryShow({ chats, messages }: Models, chat: ChatState, leafId: string, at: Date): Promise<Tried<Shown>> {
  const chatId = chat._id
  if ((await messages.exists({ _id: leafId, chatId })) === null) return 'gone'
  if ((await messages.exists({ chatId, parentId: leafId })) !== null) return 'moved'
  const { matchedCount } = await chats.updateOne(unchanged(chat), { $set: { leafId }, $inc: { turns: 1 } })
  if (matchedCount === 0) return 'again'
  // Only a hint for the next choice: the chat itself says which version is shown.
  await messages.updateOne({ _id: leafId }, { $set: { shownAt: at } })
  return 'shown'
}
