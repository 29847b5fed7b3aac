import { type Event, eventJson } from '@parley/contracts'
import { type OutboxSource, onceOnly } from '@parley/kit'
import { openMongoLocks } from './locks.ts'
import type { MongoDatabase } from './open-mongo.ts'

/** An event inside the document that was written with it. As text: an event may have field names that a document may not. */
export interface OutboxEntry {
  readonly id: string
  readonly event: string
}

/** The fields of a document that has events to publish. When it has none, neither is there, or the first is empty. */
export interface OutboxFields {
  /** In the order in which they were written. */
  readonly outbox?: readonly OutboxEntry[]
  /** When the last one was added. */
  readonly outboxAt?: Date
}

/** Finds documents in which no event waits, which may be deleted. */
export const withoutOutbox = { 'outbox.0': { $exists: false } } as const

/** The outbox over the documents of a collection. */
export interface MongoOutbox extends Required<OutboxSource> {
  /** To be called after a document was written with events: wakes the relay of this process only. */
  written(): void
  /** Idempotent. */
  close(): Promise<void>
}

/**
 * Events as a document keeps them until they are published.
 * @throws RangeError when one does not fit its schema or is too large
 */
export const outboxEntries = (events: readonly Event[]): readonly OutboxEntry[] =>
  events.map((event) => ({ id: event.id, event: eventJson(event) }))

/** The index that a migration step creates for a collection with an outbox. */
export const outboxIndexes = [
  { name: 'outbox_by_age', key: { outboxAt: 1 }, sparse: true },
  { name: 'outbox_by_event', key: { 'outbox.id': 1 }, sparse: true },
] as const

/**
 * Events of one key belong into one document, which keeps their order. The right to relay is a lock document.
 * @param name of the collection
 */
export function openMongoOutbox(database: Pick<MongoDatabase, 'collection' | 'time'>, name: string): MongoOutbox {
  const collection = () => database.collection<OutboxFields & { _id: string }>(name)
  const locks = openMongoLocks(database)
  const wakes = new Set<() => void>()
  return {
    async pending(limit) {
      const documents = await collection()
      const written = await documents
        .find({ outboxAt: { $exists: true }, 'outbox.0': { $exists: true } }, { projection: { outbox: 1 } })
        .sort({ outboxAt: 1 })
        .limit(limit)
        .toArray()
      const entries = written.flatMap(({ outbox = [] }) => outbox)
      return entries.slice(0, limit).map(({ event }) => JSON.parse(event) as Event)
    },
    async published(ids) {
      const documents = await collection()
      const events = { $in: [...ids] }
      const found = await documents.find({ 'outbox.id': events }, { projection: { _id: 1 } }).toArray()
      const those = { $in: found.map(({ _id }) => _id) }
      // At once where no other event waits: a crash between two writes would leave empty ones in the index.
      const isDone = { $not: { $elemMatch: { id: { $nin: [...ids] } } } }
      await documents.updateMany({ _id: those, outbox: isDone }, { $unset: { outbox: '', outboxAt: '' } })
      await documents.updateMany({ _id: those }, { $pull: { outbox: { id: events } } })
    },
    exclusively: (work) => locks.run(`outbox:${name}`, work),
    onWritten(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    written() {
      for (const wake of wakes) wake()
    },
    close: onceOnly(locks.release),
  }
}
