import type { MessageStore, PathMessage } from './message-store.ts'
import { toMessageDocument, toThreadMessage } from './mongo-documents.ts'
import type { ChatModels, MessageDocument } from './mongo-models.ts'
import type { MongoTurns } from './mongo-turns.ts'
import { insertOnce } from './mongo-writes.ts'

type Messages = ChatModels['messages']
type Link = Pick<MessageDocument, '_id' | 'parentId' | 'createdAt'>

const linkFields = { parentId: 1, createdAt: 1 } as const
const newestFirst = { createdAt: -1, _id: -1 } as const

/** The message store on MongoDB. */
export function createMongoMessageStore({ messages }: Pick<ChatModels, 'messages'>, turns: MongoTurns): MessageStore {
  const findOne = (chatId: string, messageId: string) => messages.findOne({ _id: messageId, chatId }).lean()
  return {
    async addUserMessage(message) {
      await insertOnce(messages, toMessageDocument(message))
    },
    async find(chatId, messageId) {
      let found = await findOne(chatId, messageId)
      if (found === null) {
        await turns.complete({ _id: chatId })
        found = await findOne(chatId, messageId)
      }
      return found === null ? undefined : toThreadMessage(found)
    },
    async path(chatId, from, limit) {
      await turns.complete({ _id: chatId })
      let walk = await walkUp(messages, chatId, from, limit)
      if (walk.missing) {
        // A turn was being completed just now.
        await turns.complete({ _id: chatId })
        walk = await walkUp(messages, chatId, from, limit)
      }
      return await withVersions(messages, chatId, walk.links)
    },
  }
}

/**
 * Mostly the messages of a path are also the last ones of the chat, so these are read together; where the path leaves them it goes on with
 * those before the next one.
 */
async function walkUp(messages: Messages, chatId: string, from: string | 'newest', limit: number) {
  const links: Link[] = []
  const known = new Map<string, Link>()
  const learn = async (before?: Link): Promise<readonly Link[]> => {
    const range = before === undefined ? {} : { createdAt: { $lte: before.createdAt } }
    const found: Link[] = await messages
      .find({ chatId, ...range }, linkFields)
      .sort(newestFirst)
      .limit(limit)
      .lean()
    for (const link of before === undefined ? found : [...found, before]) known.set(link._id, link)
    return found
  }
  const look = async (id: string): Promise<Link | undefined> => {
    if (!known.has(id)) {
      const link: Link | null = await messages.findOne({ _id: id, chatId }, linkFields).lean()
      if (link !== null) await learn(link)
    }
    return known.get(id)
  }
  let next: string | null | undefined = from === 'newest' ? (await learn())[0]?._id : from
  while (next != null && links.length < limit) {
    const link = await look(next)
    if (link === undefined) return { links, missing: true }
    links.push(link)
    next = link.parentId
  }
  return { links, missing: false }
}

async function withVersions(
  messages: Messages,
  chatId: string,
  path: readonly Link[],
): Promise<readonly PathMessage[]> {
  const ids = path.map(({ _id }) => _id)
  const said = [{ status: { $ne: 'error' as const } }, { content: { $ne: '' } }, { _id: { $in: ids } }]
  const parents = { $in: path.map(({ parentId }) => parentId) }
  const [documents, siblings] = await Promise.all([
    messages.find({ _id: { $in: ids } }).lean(),
    messages.find({ chatId, parentId: parents, $or: said }, { parentId: 1 }).sort({ createdAt: 1, _id: 1 }).lean(),
  ])
  return path.flatMap(({ _id }) => {
    const document = documents.find((each) => each._id === _id)
    if (document === undefined) return []
    const versions = siblings.filter(({ parentId }) => parentId === document.parentId).map((sibling) => sibling._id)
    return { ...toThreadMessage(document), versions }
  })
}
