import type { Send } from '../entities.ts'
import type { SendKeys, SendStore } from '../send-store.ts'
import type { ChatModels, SendDocument } from './models.ts'
import { deleteAll, insertOnce } from './writes.ts'

/** Senders' keys on MongoDB: its unique indexes decide who was first. */
export function createMongoSendStore({ sends }: Pick<ChatModels, 'sends'>): SendStore {
  const find: SendStore['find'] = async (keys) => {
    const { clientKey, idempotencyOwnerKey } = ownerKeysOf(keys)
    const found =
      (clientKey === undefined ? null : await sends.findOne({ clientKey }).lean()) ??
      (idempotencyOwnerKey === undefined ? null : await sends.findOne({ idempotencyOwnerKey }).lean())
    return found === null ? undefined : toSend(found)
  }
  const claim: SendStore['claim'] = async (send) => {
    if (await insertOnce(sends, toDocument(send))) return { claimed: true, send }
    const existing = await find(send)
    // Forgotten between the two questions: the key is free again.
    return existing === undefined ? await claim(send) : { claimed: false, send: existing }
  }
  return {
    claim,
    find,
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

const ownerKeysOf = ({
  ownerId,
  clientMessageId,
  idempotencyKey,
}: SendKeys): Pick<SendDocument, 'clientKey' | 'idempotencyOwnerKey'> => ({
  ...(clientMessageId !== null && { clientKey: ownerKey(ownerId, clientMessageId) }),
  ...(idempotencyKey !== null && { idempotencyOwnerKey: ownerKey(ownerId, idempotencyKey) }),
})

const toDocument = ({ id, ...send }: Send): SendDocument => ({ _id: id, ...send, ...ownerKeysOf(send) })

const toSend = (document: SendDocument): Send => {
  const { _id: id, clientKey: _clientKey, idempotencyOwnerKey: _ownerKey, ...send } = document
  return { id, ...send }
}
