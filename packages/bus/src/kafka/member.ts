import { pause, withTimeout } from '@parley/kit'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import { type BatchTask, handleBatch } from './batch.ts'
import { createKafka, type KafkaConnection, retry } from './connection.ts'

const defaultSessionMs = 6_000
const heartbeatsPerSession = 6
/** How long a group waits for a member's running handlers before it continues without it. */
const rebalanceMs = 15_000
const requestTimeoutMs = 8_000
/** Bounds what one slow event holds up, and what a killed replica leaves handled but not committed. */
const partitionBytes = 128 * 1024
const partitionsAtOnce = 4
const disconnectMs = 5_000
/** Longer than a group may take to make up its mind. */
const silence = { lookMs: 5_000, mostMs: 40_000 }

export interface MemberOptions extends Pick<BatchTask, 'handle' | 'keysAtOnce'> {
  readonly connection: KafkaConnection
  readonly groupId: string
  readonly topics: readonly string[]
  /** After so long without a sign a member counts as dead and its partitions move; 6 s unless set, the least that brokers allow by default. */
  readonly sessionMs?: number | undefined
}

type EachBatch = (payload: EachBatchPayload) => Promise<void>

/**
 * Resolves after `stopping`, and rejects when the membership is lost for good; in both cases once the running handlers have ended.
 * @param joined called whenever the group has given this member its part
 */
export async function consumeAsMember(
  options: MemberOptions,
  stopping: AbortSignal,
  joined: () => void,
): Promise<void> {
  const consumer = createConsumer(options)
  const lost = Promise.withResolvers<never>()
  const ended = new AbortController()
  const running = new Set<Promise<void>>()
  let membership = new AbortController()
  const end = (): void => {
    ended.abort()
    membership.abort(new Error('this replica stops'))
  }
  stopping.addEventListener('abort', end, { once: true })
  if (stopping.aborted) end()
  consumer.on(consumer.events.CRASH, ({ payload }) => lost.reject(payload.error))
  consumer.on(consumer.events.GROUP_JOIN, () => {
    membership.abort(new Error('the group has been joined anew'))
    membership = new AbortController()
    if (ended.signal.aborted) end()
    joined()
  })
  const eachBatch: EachBatch = async (payload) => {
    const work = handleBatch(payload, { membership, handle: options.handle, keysAtOnce: options.keysAtOnce })
    running.add(work)
    try {
      await work
    } catch (error) {
      if (ended.signal.aborted) return
      // The library sees to the group itself, but not reliably to connections that were cut: a new member takes the place of this one.
      if (!isAboutGroup(error)) lost.reject(error)
      throw error
    } finally {
      running.delete(work)
    }
  }
  const started = start(consumer, options.topics, eachBatch)
  const watching = watch(consumer, ended.signal, () => running.size > 0)
  try {
    await Promise.race([watching, Promise.all([started, lost.promise])])
  } finally {
    stopping.removeEventListener('abort', end)
    end()
    await leave(consumer, started, running)
  }
}

const groupErrors = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** Whether the member is only asked to join again. */
const isAboutGroup = (error: unknown): boolean =>
  groupErrors.has(String((error as { type?: unknown } | undefined)?.type))

const createConsumer = ({ connection, groupId, sessionMs = defaultSessionMs }: MemberOptions): Consumer =>
  createKafka(connection, requestTimeoutMs).consumer({
    groupId,
    sessionTimeout: sessionMs,
    heartbeatInterval: sessionMs / heartbeatsPerSession,
    rebalanceTimeout: rebalanceMs,
    // Brokers answer at once when there is news, else after this; the library heartbeats between two fetches.
    maxWaitTimeInMs: sessionMs / heartbeatsPerSession,
    maxBytesPerPartition: partitionBytes,
    allowAutoTopicCreation: false,
    // The library would restart after some errors only; here a new member replaces one that failed, whatever the reason.
    retry: { ...retry, restartOnFailure: async () => false },
  })

async function start(consumer: Consumer, topics: readonly string[], eachBatch: EachBatch): Promise<void> {
  await consumer.connect()
  await consumer.subscribe({ topics: [...topics], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: partitionsAtOnce,
    eachBatch,
  })
}

/**
 * Resolves when `ended` aborts.
 * @throws when the library does nothing at all any more, which it can after a cut
 */
async function watch(consumer: Consumer, ended: AbortSignal, isBusy: () => boolean): Promise<void> {
  let lastSign = performance.now()
  const sign = (): void => {
    lastSign = performance.now()
  }
  consumer.on(consumer.events.FETCH_START, sign)
  consumer.on(consumer.events.FETCH, sign)
  consumer.on(consumer.events.GROUP_JOIN, sign)
  while (!ended.aborted) {
    await pause(silence.lookMs, ended)
    if (isBusy()) sign()
    if (performance.now() - lastSign > silence.mostMs) throw new Error('the consumer fell silent')
  }
}

/** Waits for the handlers, however long they take, but for the brokers only so long. */
async function leave(consumer: Consumer, started: Promise<void>, running: ReadonlySet<Promise<void>>): Promise<void> {
  // A consumer that is asked to leave while it joins would stay a member that handles nothing.
  const left = started.catch(() => undefined).then(() => consumer.disconnect())
  await Promise.allSettled(running)
  try {
    await withTimeout(disconnectMs, left)
  } catch {
    // The brokers notice by themselves.
  }
}
