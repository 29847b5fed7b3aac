import { isDuplicateKey } from '@parley/db/mongo'
import type { Model, QueryFilter } from 'mongoose'

/** Deleting goes in steps of this many, so that none takes long. */
const deletedAtOnce = 1_000

/** Keeps a new document. Resolves to false when there is one with its id or with a key that has to be unique. */
export async function insertOnce<Document>(model: Model<Document>, document: Document): Promise<boolean> {
  try {
    await model.insertOne(document as never)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Keeps new documents; those whose id is taken are left out. */
export async function insertNew<Document>(model: Model<Document>, documents: readonly Document[]): Promise<void> {
  try {
    await model.insertMany(documents as never, { ordered: false, throwOnValidationError: true })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
}

/** Deletes every document that the filter finds, until it finds none: a look may pass over one that is moved within its index meanwhile. */
export async function deleteAll<Document>(model: Model<Document>, filter: QueryFilter<Document>): Promise<void> {
  for (;;) {
    const found = await model.find(filter, { _id: 1 }).limit(deletedAtOnce).lean<{ _id: string }[]>()
    if (found.length === 0) return
    await model.deleteMany({ $and: [filter, { _id: { $in: found.map(({ _id }) => _id) } }] } as QueryFilter<Document>)
  }
}
