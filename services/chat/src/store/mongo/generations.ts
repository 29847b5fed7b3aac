import { type MongoDatabase, outboxEntries } from '@parley/db/mongo'
import type { QueryFilter } from 'mongoose'
import { atGeneration, statusOf } from '../continued.ts'
import type { NewGeneration } from '../entities.ts'
import type { GenerationSelection, GenerationStore, Lease } from '../generation-store.ts'
import { createMongoCheckpoints } from './checkpoints.ts'
import { continueGuest, latest, named } from './continued.ts'
import { bytesOf, progressFields, toAnswerDocument, toGeneration } from './documents.ts'
import type { ChatDocument, MessageDocument } from './models.ts'
import type { MongoParts } from './turns.ts'
import { createMongoTotals } from './usage.ts'
import { insertOnce } from './writes.ts'

/** Answers being made, on MongoDB. The event is in the answer's own document. */
export function createMongoGenerationStore(parts: MongoParts): GenerationStore {
  const { turns, database, outbox } = parts
  const { messages } = parts.models
  const totals = createMongoTotals(parts.models)
  const begun = async (generation: NewGeneration, lease: Lease): Promise<MessageDocument> =>
    toAnswerDocument(generation, lease, await leaseEnd(database, lease))
  const findOne = (id: string, ownerId: string) => messages.findOne({ ...named(id), ownerId, role: 'assistant' }).lean()
  return {
    async begin(generation, lease, turn) {
      if (turn !== undefined) return await turns.begin(() => begun(generation, lease), turn)
      const answer = await begun(generation, lease)
      if (answer.continued !== undefined) return await continueGuest(parts.models, answer)
      return (await insertOnce(messages, answer)) ? 'begun' : 'exists'
    },
    async find(id, ownerId) {
      let found = await findOne(id, ownerId)
      if (found === null) {
        await turns.complete({ $or: [{ 'turn.answer._id': id }, { 'turn.answer.continued.id': id }] })
        found = await findOne(id, ownerId)
      }
      return found === null ? undefined : atGeneration(toGeneration(found), id)
    },
    checkpoint: createMongoCheckpoints(parts),
    async finish(id, leaseOwner, progress, ending, event) {
      const bytes = bytesOf(progress)
      const ended = await messages
        .findOneAndUpdate(
          { _id: id, status: 'generating', leaseOwner },
          {
            $set: {
              ...progressFields(progress),
              status: statusOf(ending),
              ending,
              bytes,
              ...(event && { outboxAt: await database.now() }),
            },
            $unset: { leaseUntil: '' },
            // That of the generation before may still wait.
            ...(event && { $push: { outbox: { $each: [...outboxEntries([event])] } } }),
          },
          { projection: { ownerId: 1, guest: 1 } },
        )
        .lean()
      if (ended === null) return false
      if (event !== undefined) outbox.written()
      if (ended.guest == null) await totals.add(ended.ownerId, { bytes })
      return true
    },
    async noteSettled(id, credits, generationId = id) {
      await messages.updateOne(
        { _id: id, role: 'assistant', status: { $ne: 'generating' }, ...latest(id, generationId) },
        { $set: { 'ending.credits': credits }, $unset: { settlementOpen: '' } },
      )
    },
    async requestStop(selection, reason) {
      await turns.complete(chatsOf(selection))
      const running = { ...selected(selection), status: 'generating' as const }
      await messages.updateMany({ ...running, stop: null }, { $set: { stop: reason } })
      const asked = await messages.find({ ...running, stop: { $ne: null } }, { _id: 1 }).lean()
      return asked.map(({ _id }) => _id)
    },
  }
}

/** By the server's clock, which is the same for all replicas. */
export const leaseEnd = async ({ time }: Pick<MongoDatabase, 'time'>, { ms }: Lease): Promise<Date> =>
  new Date((await time()).latest.getTime() + ms)

function selected(selection: GenerationSelection): QueryFilter<MessageDocument> {
  if ('chatIds' in selection) return { chatId: { $in: [...selection.chatIds] } }
  const { ownerId } = selection
  return 'id' in selection ? { _id: selection.id, ownerId } : { ownerId, createdAt: { $lte: selection.until } }
}

/** The chats that may hold such answers. */
function chatsOf(selection: GenerationSelection): QueryFilter<ChatDocument> {
  if ('chatIds' in selection) return { _id: { $in: [...selection.chatIds] } }
  return 'id' in selection ? { 'turn.answer._id': selection.id } : { ownerId: selection.ownerId }
}
