import type { QueryFilter } from 'mongoose'
import { generationIdOf } from '../continued.ts'
import type { Begun } from '../generation-store.ts'
import type { ChatModels, MessageDocument } from './models.ts'
import { createMongoTotals } from './usage.ts'

type Filter = QueryFilter<MessageDocument>
type Models = Pick<ChatModels, 'messages' | 'usage'>

/** Finds an answer by its message's id or that of any of its generations. */
export const named = (id: string): Filter => ({
  $or: [{ _id: id }, { 'continued.id': id }, { 'continued.earlier.id': id }],
})

/** Finds the answer `id` only while `generationId` is its latest generation. */
export const latest = (id: string, generationId: string): Filter =>
  generationId === id ? { continued: { $exists: false } } : { 'continued.id': generationId }

/** The generation that was the latest one before the one of this document. */
const before = ({ _id, continued }: MessageDocument): string => continued?.earlier.at(-1)?.id ?? _id

/** Puts what a generation begins with into the document of the answer that it continues; any number of times to the same effect. */
export async function continueAnswer(models: Models, begun: MessageDocument): Promise<boolean> {
  const { _id, status, model, opening, price, promptTokens, ending, continued, stop, leaseOwner, leaseUntil } = begun
  const { toSearch, settlementOpen } = begun
  const open = { ...(toSearch !== undefined && { toSearch }), ...(settlementOpen !== undefined && { settlementOpen }) }
  const set = { status, model, opening, price, promptTokens, ending, continued, stop, leaseOwner, leaseUntil, ...open }
  const old = await models.messages
    .findOneAndUpdate(
      { _id, status: { $ne: 'generating' }, ...latest(_id, before(begun)) },
      { $set: { ...set, frames: [] } as never, $unset: { bytes: '' } },
      { projection: { ownerId: 1, bytes: 1 } },
    )
    .lean()
  // Its bytes are counted again at its end.
  if (old?.bytes !== undefined) await createMongoTotals(models).add(old.ownerId, { bytes: -old.bytes })
  return old !== null
}

/** The reason why an answer cannot be continued, judged by its message. */
export async function obstacleTo({ messages }: Models, begun: MessageDocument): Promise<Begun | undefined> {
  const { _id, continued } = begun
  const found = await messages.findById(_id, { status: 1, continued: 1 }).lean()
  if (found === null) return 'gone'
  const known = found.continued ?? null
  const ids = [generationIdOf({ id: _id, continued: known }), ...(known?.earlier ?? []).map(({ id }) => id)]
  if (continued !== undefined && ids.includes(continued.id)) return 'exists'
  if (found.status === 'generating') return 'busy'
  return ids[0] === before(begun) ? undefined : 'moved'
}

/** Continues a guest's answer, which is in no chat. */
export async function continueGuest(models: Models, begun: MessageDocument): Promise<Begun> {
  const obstacle = await obstacleTo(models, begun)
  if (obstacle !== undefined) return obstacle
  return (await continueAnswer(models, begun)) ? 'begun' : 'busy'
}
