import type { Event } from '@parley/contracts'
import {
  isDuplicateKey,
  type MongoDatabase,
  type MongoOutbox,
  type MongoStep,
  outboxEntries,
  outboxIndexes,
  withoutOutbox,
} from '@parley/db/mongo'
import type { mongo } from 'mongoose'
import {
  type Collection,
  changesOf,
  type Documents,
  drawVersion,
  fieldsOf,
  type Identified,
  type Layout,
  type Range,
  type Versioned,
  withFields,
} from './documents.ts'
import { insertResults } from './insert-results.ts'

/** A document of a collection: its fields beside its version and the events that wait in it. */
interface Stored extends mongo.Document {
  readonly _id: string
  /** Missing in what a version without it wrote. */
  readonly version?: number
}
type Filter = mongo.Filter<Stored>

const withoutEvents = { outbox: 0, outboxAt: 0 } as const

/**
 * Documents on MongoDB, their fields at the top level: none is called `_id`, `version`, `outbox` or `outboxAt`.
 * @param outbox over the same collection, which must be there if changes are written with events
 */
export function createMongoDocuments<Doc extends Identified, Index extends string>(
  database: Pick<MongoDatabase, 'collection' | 'now'>,
  collection: Collection<Doc, Index>,
  outbox?: Pick<MongoOutbox, 'written'>,
): Documents<Doc, Index> {
  const stored = () => database.collection<Stored>(collection.name)
  const read = ({ _id, version = 0, ...fields }: Stored): Versioned<Doc> => ({
    doc: collection.schema.parse({ ...fields, id: _id }),
    version,
  })
  /** @throws RangeError when no relay would publish them */
  const eventsIn = async (events: readonly Event[]) => {
    if (outbox === undefined) throw new RangeError(`${collection.name} has no outbox`)
    return { outbox: outboxEntries(events), outboxAt: await database.now() }
  }
  const update = async (filter: object, fields: Partial<Doc>, events: readonly Event[] = []): Promise<boolean> => {
    const { set, removed } = changesOf(fields)
    const waiting = events.length > 0 ? await eventsIn(events) : undefined
    const change: object = {
      $set: { ...set, ...(waiting && { outboxAt: waiting.outboxAt }) },
      ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((name) => [name, ''])) }),
      $inc: { version: 1 },
      ...(waiting && { $push: { outbox: { $each: waiting.outbox } } }),
    }
    const changed = await (await stored()).updateOne(filter as Filter, change as mongo.UpdateFilter<Stored>)
    if (changed.matchedCount > 0 && waiting) outbox?.written()
    return changed.matchedCount > 0
  }
  const documents: Documents<Doc, Index> = {
    async get(id) {
      const found = await (await stored()).findOne({ _id: id }, { projection: withoutEvents })
      return found === null ? undefined : read(found)
    },
    async version(id) {
      const found = await (await stored()).findOne({ _id: id }, { projection: { version: 1 } })
      return found === null ? undefined : (found.version ?? 0)
    },
    async find(index, range, { limit, descending = false, after }) {
      const { filter, order } = partOf(collection, index, range)
      const beyond = after && { $or: beyondOf(order, { ...after, _id: after.id }, descending ? '$lt' : '$gt') }
      const found = await (await stored())
        .find({ $and: [filter, beyond ?? {}] } as Filter, { projection: withoutEvents })
        .sort(Object.fromEntries(order.map((field) => [field, descending ? -1 : 1])))
        .limit(limit)
        .toArray()
      return found.map(read)
    },
    async insertOnce(docs, events = []) {
      const version = drawVersion()
      const waiting = events.length > 0 ? await eventsIn(events) : {}
      const given = docs.map(({ id, ...fields }, nth) => ({
        _id: id,
        version,
        ...fields,
        ...(nth === 0 && waiting),
      }))
      const refused = await insertNew(await stored(), given)
      if (events.length > 0 && !refused.has(0)) outbox?.written()
      return await insertResults(documents, docs, events, version, (_doc, nth) => !refused.has(nth))
    },
    async replace({ doc, version }, fields, events) {
      const { id, ...compared } = doc
      // One that has no version is found by null.
      const asRead = { ...(collection.hasUnversionedWriters && compared), _id: id, version: version || null }
      const isReplaced = await update(asRead, fields, events)
      return isReplaced ? { doc: withFields(doc, fields), version: version + 1 } : undefined
    },
    async patch(id, held, fields, events) {
      return await update({ ...held, _id: id }, fields, events)
    },
    async removeWhere(index, range, limit) {
      const { filter } = partOf(collection, index, range)
      // Deleting one takes its events along.
      const removable = { ...filter, ...withoutOutbox } as Filter
      const all = await stored()
      const found = await all
        .find(removable, { projection: { _id: 1 } })
        .limit(limit)
        .toArray()
      const those = { _id: { $in: found.map(({ _id }) => _id) } }
      if (found.length > 0) await all.deleteMany({ $and: [removable, those] } as Filter)
      return found.length
    },
  }
  return documents
}

/** A step of a service's migration that makes the indexes of collections. */
export const mongoDocumentsStep = (name: string, collections: readonly Layout[]): MongoStep => ({
  name,
  async run(database) {
    for (const collection of collections) {
      const indexes = Object.keys(collection.indexes).map((index) => ({
        name: `${collection.name}_${index}`,
        key: Object.fromEntries(partOf(collection, index, {}).order.map((field) => [field, 1] as const)),
      }))
      const made = await database.collection(collection.name)
      await made.createIndexes([...indexes, ...outboxIndexes.map((index) => ({ ...index }))])
    }
  },
})

/** Resolves to the places of those whose id is taken. */
async function insertNew(all: mongo.Collection<Stored>, documents: readonly Stored[]): Promise<ReadonlySet<number>> {
  try {
    await all.insertMany(documents as mongo.OptionalUnlessRequiredId<Stored>[], { ordered: false })
    return new Set()
  } catch (error) {
    const refused = [(error as Partial<mongo.MongoBulkWriteError>).writeErrors ?? []].flat()
    if (refused.length === 0 || !refused.every(isDuplicateKey)) throw error
    return new Set(refused.map(({ index }) => index))
  }
}

function partOf(collection: Pick<Layout, 'indexes'>, index: string, range: Range) {
  const fields = fieldsOf(collection, index, range)
  const order = fields.order.map(nameOf)
  const present = order.filter((field) => field !== '_id').map((field) => [field, { $ne: null }] as const)
  const between = {
    ...(range.from !== undefined && { $gte: range.from }),
    ...(range.before !== undefined && { $lt: range.before }),
  }
  const filter: Record<string, object | string> = Object.fromEntries([
    ...fields.equal.map(([field, key]) => [nameOf(field), key] as const),
    ...present,
  ])
  const [first = '_id'] = order
  if (Object.keys(between).length > 0) filter[first] = { ...(filter[first] as object | undefined), ...between }
  return { filter, order }
}

/** A filter for what follows a document in this order: the first fields equal its own and the next one is beyond it. */
const beyondOf = (order: readonly string[], after: Readonly<Record<string, unknown>>, operator: '$lt' | '$gt') =>
  order.map((field, nth) => ({
    ...Object.fromEntries(order.slice(0, nth).map((each) => [each, after[each]])),
    [field]: { [operator]: after[field] },
  }))

const nameOf = (field: string): string => (field === 'id' ? '_id' : field)
