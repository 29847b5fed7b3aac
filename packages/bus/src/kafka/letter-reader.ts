import { pause } from '@parley/kit'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { createKafka, type KafkaConnection, retry } from './connection.ts'

const sessionMs = 10_000
const heartbeatMs = 1_000
/** Longer than a replay of many letters, during which another that waits for its turn must not take over. */
const rebalanceMs = 300_000
const requestTimeoutMs = 5_000
/** Between two questions whether there is still something to read. */
const lookMs = 1_000

export interface LetterReading {
  readonly connection: KafkaConnection
  /** One member of the group reads at a time; others wait for their turn. */
  readonly groupId: string
  /** For one partition. */
  readonly topic: string
  /** The first offset; the oldest record by default. */
  readonly from?: bigint
  /** Called once it is our turn: whether there is anything to read. */
  ready?(): Promise<boolean>
  /** Whether others have removed all that there was to read, for which this reader would wait forever. */
  isGone(): Promise<boolean>
}

/**
 * Reads a topic of one partition record by record, until `act` resolves to false or everything is gone.
 * @throws what `act` throws, and when the brokers are unavailable or took us for dead
 */
export async function readLetters(
  reading: LetterReading,
  act: (message: KafkaMessage) => Promise<boolean>,
): Promise<void> {
  const { topic, from, ready, isGone } = reading
  const consumer = createReader(reading)
  const end = Promise.withResolvers<void>()
  let isOurTurn = false
  const takeTurn = async (): Promise<void> => {
    isOurTurn = true
    if (ready !== undefined && !(await ready())) end.resolve()
  }
  let turn: Promise<void> | undefined
  consumer.on(consumer.events.CRASH, ({ payload }) => end.reject(payload.error))
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    if (isOurTurn || (payload.memberAssignment[topic] ?? []).length === 0) return
    turn = takeTurn()
    turn.catch(end.reject)
  })
  let over = false
  const ended = new AbortController()
  const lookAgainAndAgain = async (): Promise<void> => {
    for (await pause(lookMs, ended.signal); !ended.signal.aborted; await pause(lookMs, ended.signal)) {
      if (await isGone()) end.resolve()
    }
  }
  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    await turn
    if (over) return
    over = true
    try {
      if (await readBatch(payload, act)) over = false
      else end.resolve()
    } catch (error) {
      end.reject(error)
    }
  }
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
    if (from !== undefined) consumer.seek({ topic, partition: 0, offset: String(from) })
    lookAgainAndAgain().catch(end.reject)
    await end.promise
  } finally {
    over = true
    ended.abort()
    await consumer.disconnect()
  }
}

const createReader = ({ connection, groupId }: LetterReading): Consumer =>
  createKafka(connection, requestTimeoutMs).consumer({
    groupId,
    sessionTimeout: sessionMs,
    heartbeatInterval: heartbeatMs,
    rebalanceTimeout: rebalanceMs,
    maxWaitTimeInMs: 100,
    allowAutoTopicCreation: false,
    retry: { ...retry, restartOnFailure: async () => false },
  })

/** Resolves to whether to continue. */
async function readBatch(
  payload: EachBatchPayload,
  act: (message: KafkaMessage) => Promise<boolean>,
): Promise<boolean> {
  const { batch, resolveOffset } = payload
  const ticking = new AbortController()
  const lost = new AbortController()
  const ticks = beat(payload, ticking.signal, lost)
  try {
    for (const message of batch.messages) {
      lost.signal.throwIfAborted()
      if (!(await act(message))) return false
      resolveOffset(message.offset)
    }
    return true
  } finally {
    ticking.abort()
    await ticks
  }
}

async function beat({ heartbeat }: EachBatchPayload, until: AbortSignal, lost: AbortController): Promise<void> {
  while (!until.aborted) {
    await pause(heartbeatMs, until)
    try {
      await heartbeat()
    } catch (error) {
      // Another reader waits for its turn, which begins when this one has read.
      if ((error as { type?: unknown }).type !== 'REBALANCE_IN_PROGRESS') lost.abort(error)
    }
  }
}
