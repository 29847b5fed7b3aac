import type { Send } from '../entities.ts'
import type { SendStore } from '../send-store.ts'
import type { ChatModels, SendDocument } from './models.ts'
import { deleteAll, insertOnce } from './writes.ts'

/** Senders' keys on MongoDB: its unique indexes decide who was first. */
export function createMongoSendStore({ sends }: Pick<ChatModels, 'sends'>): SendStore {
  const claim: SendStore['claim'] = async (send) => {
    const own = toDocument(send)
    if (await insertOnce(sends, own)) return { claimed: true, send }
    const { clientKey, idempotencyOwnerKey } = own
    const existing =
      (clientKey === undefined ? null : await sends.findOne({ clientKey }).lean()) ??
      (idempotencyOwnerKey === undefined ? null : await sends.findOne({ idempotencyOwnerKey }).lean())
    // Forgotten between the two questions: the key is free again.
    return existing === null ? await claim(send) : { claimed: false, send: toSend(existing) }
  }
  return {
    claim,
    async find(ownerId, clientMessageId) {
      const found = await sends.findOne({ clientKey: ownerKey(ownerId, clientMessageId) }).lean()
      return found === null ? undefined : toSend(found)
    },
    async retry(sendId, failedId, messageId) {
      const { matchedCount } = await sends.updateOne({ _id: sendId, messageId: failedId }, { $set: { messageId } })
      return matchedCount > 0
    },
    async purge(before) {
      await deleteAll(sends, { createdAt: { $lt: before } })
    },
  }
}

const ownerKey = (ownerId: string, key: string): string => JSON.stringify([ownerId, key])

const toDocument = ({ id, ...send }: Send): SendDocument => ({
  _id: id,
  ...send,
  ...(send.clientMessageId !== null && { clientKey: ownerKey(send.ownerId, send.clientMessageId) }),
  ...(send.idempotencyKey !== null && { idempotencyOwnerKey: ownerKey(send.ownerId, send.idempotencyKey) }),
})

const toSend = (document: SendDocument): Send => {
  const { _id: id, clientKey: _clientKey, idempotencyOwnerKey: _ownerKey, ...send } = document
  return { id, ...send }
}
