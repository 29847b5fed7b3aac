import { endOf } from '../continued.ts'
import type { MessageStore, OutlineEntry, PathMessage } from '../message-store.ts'
import { toThreadMessage } from './documents.ts'
import type { ChatModels, MessageDocument } from './models.ts'
import { createMongoThread } from './thread.ts'
import type { MongoParts } from './turns.ts'

type Messages = ChatModels['messages']
type Link = Pick<MessageDocument, '_id' | 'parentId' | 'createdAt' | 'bytes'>

const linkFields = { parentId: 1, createdAt: 1, bytes: 1 } as const
const newestFirst = { createdAt: -1, _id: -1 } as const
const oldestFirst = { createdAt: 1, _id: 1 } as const

/** The message store on MongoDB. */
export function createMongoMessageStore({ models, turns }: MongoParts): MessageStore {
  const { chats, messages } = models
  const findOne = (chatId: string, messageId: string) => messages.findOne({ _id: messageId, chatId }).lean()
  const shownLeaf = async (chatId: string) => (await chats.findById(chatId, { leafId: 1 }).lean())?.leafId
  return {
    ...createMongoThread(models),
    async find(chatId, messageId) {
      let found = await findOne(chatId, messageId)
      if (found === null) {
        await turns.complete({ _id: chatId })
        found = await findOne(chatId, messageId)
      }
      return found === null ? undefined : toThreadMessage(found)
    },
    async findMany(chatId, ids) {
      await turns.complete({ _id: chatId })
      const documents = await messages.find({ _id: { $in: [...ids] }, chatId }).lean()
      const found = new Map(documents.map((document) => [document._id, toThreadMessage(document)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async path(chatId, from, limit, bytes = Number.POSITIVE_INFINITY) {
      const walk = async () => {
        await turns.complete({ _id: chatId })
        const first = from === 'shown' ? await shownLeaf(chatId) : from
        return first == null ? { links: [], missing: false } : await walkUp(messages, chatId, first, { limit, bytes })
      }
      const walked = await walk()
      // When one is missing, a turn was being completed just now.
      return await withVersions(messages, chatId, (walked.missing ? await walk() : walked).links)
    },
    async outline(chatId) {
      await turns.complete({ _id: chatId })
      return await readOutline(messages, chatId)
    },
    async contents(ids) {
      const found = await messages.find({ _id: { $in: [...ids] } }, { chatId: 1, content: 1 }).lean()
      return found.map(({ _id: id, chatId, content }) => ({ id, chatId, content }))
    },
    async existing(ids) {
      const those = { $in: [...ids] }
      await turns.complete({
        $or: ['answer', 'question', 'earlier'].map((part) => ({ [`turn.${part}._id`]: those })),
      })
      return await messages.distinct('_id', { _id: those })
    },
    async rate(chatId, messageId, feedback) {
      const answer = { _id: messageId, chatId, role: 'assistant' as const }
      const change = feedback === null ? { $unset: { feedback: '' } } : { $set: { feedback } }
      const { matchedCount } = await messages.updateOne(answer, change as never)
      return matchedCount > 0
    },
  }
}

async function readOutline(messages: Messages, chatId: string): Promise<OutlineEntry[]> {
  const fields = {
    parentId: 1,
    role: 1,
    status: 1,
    model: 1,
    createdAt: 1,
    shownAt: 1,
    ending: 1,
    continued: 1,
    bytes: 1,
  } as const
  const [documents, emptyIds, withAttachments] = await Promise.all([
    messages.find({ chatId }, fields).sort(oldestFirst).lean(),
    messages.distinct('_id', { chatId, status: 'error', content: '' }),
    messages.distinct('_id', { chatId, 'attachments.0': { $exists: true } }),
  ])
  const [empty, attached] = [new Set(emptyIds), new Set(withAttachments)]
  return documents.map(
    ({ _id, parentId, role, status, model, ending, continued, createdAt, shownAt = createdAt, bytes = 0 }) => ({
      id: _id,
      parentId,
      role,
      status,
      model,
      isEmpty: empty.has(_id),
      hasAttachments: attached.has(_id),
      bytes,
      usage: endOf({ id: _id, model, ending: ending ?? null, continued: continued ?? null }).ending?.usage ?? null,
      at: new Date(Math.max(shownAt.getTime(), createdAt.getTime())),
    }),
  )
}

/**
 * Mostly the messages of a path are also the last ones of the chat, so these are read together; where the path leaves them it goes on with
 * those before the next one.
 */
async function walkUp(
  messages: Messages,
  chatId: string,
  from: string,
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
) {
  const links: Link[] = []
  let size = 0
  const known = new Map<string, Link>()
  const learn = async (before: Link): Promise<void> => {
    const range = { createdAt: { $lte: before.createdAt } }
    const found: Link[] = await messages
      .find({ chatId, ...range }, linkFields)
      .sort(newestFirst)
      .limit(limit)
      .lean()
    for (const link of [...found, before]) known.set(link._id, link)
  }
  const look = async (id: string): Promise<Link | undefined> => {
    if (!known.has(id)) {
      const link: Link | null = await messages.findOne({ _id: id, chatId }, linkFields).lean()
      if (link !== null) await learn(link)
    }
    return known.get(id)
  }
  let next: string | null = from
  while (next !== null && links.length < limit) {
    const link = await look(next)
    if (link === undefined) return { links, missing: true }
    // That of an answer being generated is not known yet: it is mostly the first one.
    size += link.bytes ?? 0
    if (links.length > 0 && size > bytes) break
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
    messages.find({ chatId, parentId: parents, $or: said }, { parentId: 1 }).sort(oldestFirst).lean(),
  ])
  return path.flatMap(({ _id }) => {
    const document = documents.find((each) => each._id === _id)
    if (document === undefined) return []
    const versions = siblings.filter(({ parentId }) => parentId === document.parentId).map((sibling) => sibling._id)
    return { ...toThreadMessage(document), versions }
  })
}
