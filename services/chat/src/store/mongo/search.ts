import { createHash } from 'node:crypto'
import { gramsOfQuery, segmentsOf, separator } from '../../search/search-text.ts'
import {
  hitsAmong,
  indexedAtOnce,
  lookedAtAsTheyAre,
  type SearchHit,
  type SearchMemory,
  type SearchStore,
  searchTooSlow,
} from '../search-store.ts'
import type { ChatModels } from './models.ts'
import { deleteAll, insertOnce } from './writes.ts'

/** Messages that the engine sends together. */
const sentAtOnce = 20
/** Candidates whose texts are looked at together. */
const verifiedAtOnce = 50

type Models = Pick<ChatModels, 'chats' | 'messages' | 'segments'>

/** MongoDB's error code for a query that exceeded its time limit. */
const timedOut = 50

/** Searching on MongoDB, with a multikey index over the segments' grams. @param memory in UTF-16 units @param mostMs of one query of a search */
export function createMongoSearchStore(models: Models, memory: SearchMemory, mostMs: number): SearchStore {
  const { messages, segments } = models
  return {
    async find(ownerId, folded, limit, archived = false) {
      try {
        // One after the other: a message that is indexed meanwhile is then found twice. Read at the same time, both could miss it.
        const recent = await findPending(models, { ownerId, folded, mostMs }, memory.lookedAt)
        const indexed = await findIndexed(models, { ownerId, folded, mostMs, archived }, limit)
        return [...recent.toReversed(), ...indexed]
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === timedOut) throw searchTooSlow(error)
        throw error
      }
    },
    async index(before) {
      const waiting = {
        toSearch: { $exists: true },
        status: { $ne: 'generating' as const },
        createdAt: { $lt: before },
      }
      const inOrder = messages
        .find(waiting, { chatId: 1, ownerId: 1, content: 1 })
        .sort({ toSearch: 1 })
        .limit(indexedAtOnce)
        .lean()
      const found = await takeUpTo(memory.indexed, inOrder.cursor({ batchSize: sentAtOnce }))
      for (const [chatId, ofChat] of Map.groupBy(found, (message) => message.chatId)) {
        const ownerId = ofChat[0]?.ownerId ?? ''
        const searchable = ofChat.map(({ _id: id, content }) => ({ id, content }))
        const made: string[] = []
        for (const segment of await segmentsOf(ownerId, searchable)) {
          // Named by its content, so that a repetition after a crash makes the same one.
          const _id = createHash('sha256')
            .update(JSON.stringify([segment.messageIds, segment.text]))
            .digest('hex')
          await insertOnce(segments, { _id, ownerId, chatId, ...segment })
          made.push(_id)
        }
        // Purged or erased meanwhile, perhaps after the segments that were there; messages that are left now are deleted before these segments are.
        const left = await messages.countDocuments({ _id: { $in: ofChat.map(({ _id }) => _id) } })
        if (left < ofChat.length) await deleteAll(segments, { _id: { $in: made } })
      }
      await messages.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, { $unset: { toSearch: '' } })
      return found.length
    },
  }
}

/** The parts of a search. */
interface SegmentQuery {
  readonly ownerId: string
  readonly folded: string
  readonly mostMs: number
}

async function findPending(
  { messages }: Models,
  { ownerId, folded, mostMs }: SegmentQuery,
  mostLength: number,
): Promise<SearchHit[]> {
  const newest = messages
    .find({ toSearch: ownerId }, { chatId: 1, content: 1 })
    .maxTimeMS(mostMs)
    .sort({ createdAt: -1 })
    .limit(lookedAtAsTheyAre)
    .lean()
  const found = await takeUpTo(mostLength, newest.cursor({ batchSize: sentAtOnce }))
  return await hitsAmong(
    found.map(({ _id: id, chatId, content }) => ({ id, chatId, content })),
    folded,
  )
}

/** The first messages whose texts are not longer than this together, but at least one. */
async function takeUpTo<Found extends { content: string }>(
  most: number,
  cursor: AsyncIterable<Found>,
): Promise<Found[]> {
  const taken: Found[] = []
  let length = 0
  for await (const found of cursor) {
    length += found.content.length
    if (taken.length > 0 && length > most) break
    taken.push(found)
  }
  return taken
}

async function findIndexed(
  { chats, segments }: Models,
  { ownerId, folded, mostMs, archived }: SegmentQuery & { readonly archived: boolean },
  limit: number,
) {
  const wanted = { ownerId, grams: { $all: gramsOfQuery(ownerId, folded) } }
  const candidates = Map.groupBy(
    await segments.find(wanted, { chatId: 1 }).maxTimeMS(mostMs).lean(),
    ({ chatId }) => chatId,
  )
  const shown = await chats
    .find({ _id: { $in: [...candidates.keys()] }, ownerId, deletedAt: null, archived: archived || null }, { _id: 1 })
    .maxTimeMS(mostMs)
    .sort({ updatedAt: -1, _id: -1 })
    .lean()
  const ordered = shown.flatMap(({ _id }) => candidates.get(_id) ?? []).map(({ _id }) => _id)
  const hits: SearchHit[] = []
  for (let from = 0; from < ordered.length && hits.length < limit; from += verifiedAtOnce) {
    const ids = ordered.slice(from, from + verifiedAtOnce)
    const texts = await segments
      .find({ _id: { $in: ids } }, { chatId: 1, messageIds: 1, text: 1 })
      .maxTimeMS(mostMs)
      .lean()
    const byId = new Map(texts.map((segment) => [segment._id, segment]))
    for (const id of ids) hits.push(...hitIn(byId.get(id), folded))
  }
  return hits.slice(0, limit)
}

function hitIn(segment: { chatId: string; messageIds: readonly string[]; text: string } | undefined, folded: string) {
  const at = segment?.text.indexOf(folded) ?? -1
  if (segment === undefined || at < 0) return []
  const messageId = segment.messageIds[segment.text.slice(0, at).split(separator).length - 1]
  return messageId === undefined ? [] : [{ chatId: segment.chatId, messageId }]
}
