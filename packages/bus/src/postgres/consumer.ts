import { createWakeup, type Logger, pause } from '@parley/kit'
import { deliver } from '../deliver.ts'
import type { Subscription } from '../event-bus.ts'
import { gatherMs } from '../gather.ts'
import { defaultKeysAtOnce, inOrderPerKey } from '../in-order-per-key.ts'
import { keepGoing } from '../keep-going.ts'
import { keepDeadLetter } from './dead-letters.ts'
import type { Connection, Member, SharedConnection } from './shared-connection.ts'

const batchSize = 64
/** Between two tries to take over from the replica that consumes. */
const standbyMs = 1_000

/** One topic of one subscription. */
export interface ConsumerOptions extends Subscription {
  readonly shared: SharedConnection
  readonly topic: string
  readonly retryDelaysMs: readonly number[]
  readonly log: Logger
}

interface Row {
  readonly position: string
  /** Null where no handler is for it. */
  readonly event: { readonly key?: unknown } | null
  /** Events of the batch, those without a handler included. */
  readonly found: number
}

/**
 * Consumes one topic for a group. The connection that holds the right to do so also stores the offset: when it is lost, the right to
 * consume and the right to say what was consumed are lost together.
 * @returns how to stop after the running handlers
 */
export function startConsumer(options: ConsumerOptions): () => Promise<void> {
  const { group, topic, shared, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const wakeup = createWakeup()
  const member: Member = {
    group,
    topic,
    /** Appends of events that have no handler here wake nobody: the next look passes them over. */
    notice(types) {
      if (types?.every((type) => !Object.hasOwn(options.handlers, type)) !== true) wakeup.wake()
    },
  }
  const consume = async (succeeded: () => void): Promise<void> => {
    const connection = await shared.current()
    try {
      while (!signal.aborted && !(await connection.take(member))) {
        succeeded()
        await wakeup.wait(standbyMs)
      }
      while (!signal.aborted) {
        const { handled, mayBeMore } = await consumeBatch(connection, options, signal)
        succeeded()
        if (handled > 0 && !mayBeMore) await pause(gatherMs(handled), signal)
        // Events that came after the batch was read have woken it already.
        if (!mayBeMore) await wakeup.wait()
      }
    } finally {
      await connection.giveBack(member)
    }
  }
  const running = keepGoing(signal, consume, (reason) => log.warn({ reason, group, topic }, 'consuming is interrupted'))
  return async () => {
    stopping.abort()
    wakeup.wake()
    await running
  }
}

/** What came of a batch: how many events were read for it, and whether there may be more that no notification tells of. */
interface Consumed {
  readonly handled: number
  readonly mayBeMore: boolean
}

/** Of events without a handler comes no more than the position of the last one, up to which all is done with then. */
const readBatch = {
  name: 'read-batch',
  text: `
    with next as materialized (
      select position, event, event ->> 'type' = any($3) as handled from bus.log
      where topic = $1 and position > (select position from bus.offsets where consumer_group = $2 and topic = $1)
      order by position limit ${batchSize}
    )
    select position, case when handled then event end as event, (select count(*)::int from next) as found from next
    where handled or position = (select max(position) from next)
    order by position`,
}
const keepOffset = {
  name: 'keep-offset',
  text: 'update bus.offsets set position = $3 where consumer_group = $1 and topic = $2',
}

async function consumeBatch(
  connection: Connection,
  options: ConsumerOptions,
  stopping: AbortSignal,
): Promise<Consumed> {
  const { group, topic, handlers, keysAtOnce = defaultKeysAtOnce, retryDelaysMs, log } = options
  const rows = await connection.query<Row>({ ...readBatch, values: [topic, group, Object.keys(handlers)] })
  const finished = new Set<Row>()
  const failed: { row: Row; error: string }[] = []
  await inOrderPerKey(
    rows,
    ({ event }) => String(event?.key),
    keysAtOnce,
    async (row) => {
      if (stopping.aborted) return
      const delivery = await deliver(row.event, handlers, retryDelaysMs, stopping)
      if (delivery.kind === 'failed') failed.push({ row, error: delivery.error })
      if (delivery.kind !== 'stopped') finished.add(row)
    },
  )
  for (const { row, error } of failed) {
    log.error({ group, topic, position: row.position, error }, 'an event was dead-lettered')
    await keepDeadLetter(connection, { group, position: row.position, event: row.event, error })
  }
  const firstLeft = rows.findIndex((row) => !finished.has(row))
  const last = rows.at(firstLeft === -1 ? -1 : firstLeft - 1)
  if (last === undefined || firstLeft === 0) return { handled: 0, mayBeMore: false }
  await connection.query({ ...keepOffset, values: [group, topic, last.position] })
  return { handled: last.found, mayBeMore: last.found === batchSize }
}
