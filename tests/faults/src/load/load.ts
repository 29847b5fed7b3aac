import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@parley/kit'
import { type ApiCaller, apiClient } from '@parley/testing'
import { emptyTranscript, sendAndListen } from '../listener.ts'
import { words } from '../provider.ts'
import type { Stage } from '../stage.ts'
import { longestOverdue, readBooks, startOfBooks } from './books.ts'
import { type Asked, failuresOf, figuresOf, type LoadFigures, violationsOf } from './judgement.ts'
import { askByKey } from './key-request.ts'
import { type Kills, killInTurn } from './kills.ts'

/** The size of the load and its disturbances. */
export interface LoadOptions {
  readonly generations: number
  /** Ends the load early: no new generation is started. */
  readonly signal?: AbortSignal
  /** Concurrent generations. */
  readonly atOnce: number
  /** Milliseconds between two pieces of an answer; there are three. */
  readonly pieceMs: number
  /** How often a program retries a failed request. */
  readonly retries: number
  /** Resolves when the next kill is due, to whether there is one. `ended` is the number of generations finished so far. */
  readonly nextKill: (nth: number, ended: () => number) => Promise<boolean>
  /** Whether a kill waits until the previous victim is back. */
  readonly killsWait: boolean
  /** Whether to wait until the holds of dead replicas are released, which takes a minute. */
  readonly allSettled: boolean
}

/** The result of a load. */
export interface LoadReport {
  readonly kills: Kills
  readonly figures: LoadFigures
  readonly failures: LoadFigures
  /** One line for each violation. */
  readonly violations: readonly string[]
}

/** Every fiftieth message, request and event is sent twice. */
const redelivered = 50
/** Generations, half of them on the web, after which the chats so far are removed: they would slow the stand-in for MongoDB. Even. */
const roundSize = 500
const overdueMs = 2_000
/** Well within a token's lifetime of fifteen minutes. */
const signInEveryMs = 300_000

/** Lets web users and programs with keys send in turn while processes are killed, and compares billing's books with what clients and provider saw. */
export async function runLoad(stage: Stage, options: LoadOptions): Promise<LoadReport> {
  const { generations, atOnce, pieceMs } = options
  await using callers = await openCallers(stage)
  const since = await startOfBooks(stage)
  const redelivery = await stage.bus.redeliver(redelivered)
  const round = newId().slice(-8)
  stage.provider.begin(round, pieceMs)
  // Answers end by themselves, without waiting for a fault.
  stage.provider.finish(round)
  const asked: Asked[] = []
  let isOver = false
  const send = async (turns: Iterable<number>): Promise<void> => {
    for (const nth of turns) {
      asked.push(await ask(stage, callers.keys, { said: words(round, nth), nth, retries: options.retries }))
    }
  }
  const sendAll = async (first: number): Promise<void> => {
    const turns = everyOther(first, Math.min(first + roundSize, generations), options.signal)
    await Promise.all(Array.from({ length: atOnce / 2 }, () => send(turns)))
  }
  const sendRounds = async (): Promise<void> => {
    const byKey: Promise<void>[] = []
    for (let first = 0; first < generations && !options.signal?.aborted; first += roundSize) {
      // One that waits for the claim of a dead replica delays no round.
      byKey.push(sendAll(first))
      await sendAll(first + 1)
      await stage.removeChats()
    }
    await Promise.all(byKey)
  }
  const overdue = watchOverdue(stage, () => isOver)
  const all = sendRounds().finally(() => {
    isOver = true
  })
  const next = async (nth: number): Promise<boolean> =>
    await Promise.race([options.nextKill(nth, () => asked.length), all.then(() => false)])
  const signedIn = keepSignedIn(stage, () => isOver)
  const kills = await killInTurn(stage, next, options.killsWait)
  await all
  const ended = asked.flatMap(({ answers: [one] }) => (one?.ending === undefined ? [] : [one.generationId]))
  const books = await readBooks(stage, { since, ended, allSettled: options.allSettled })
  await redelivery.stop()
  const seen = { asked, books, calls: stage.provider.calls, told: stage.provider.told }
  const longest = await overdue
  await signedIn
  return {
    kills,
    figures: {
      ...figuresOf(seen),
      'events that came twice': redelivery.count,
      'longest hold over its limit, s': longest,
    },
    failures: failuresOf(asked),
    violations: violationsOf(seen, { retried: options.retries > 0, longestOverdue: longest }),
  }
}

/** Creates an API client with a key for each user. */
async function openCallers({
  split,
  users,
}: Stage): Promise<{ readonly keys: readonly ApiCaller[] } & AsyncDisposable> {
  const client = apiClient(split.url)
  const keys = await Promise.all(
    users.map(async ({ api }) => {
      const { body, text } = await api.post('/api/user/keys', { label: 'Load' })
      const { secret } = body as { secret?: string }
      if (secret === undefined) throw new Error(`key: ${text}`)
      return client.with({ authorization: `Bearer ${secret}` })
    }),
  )
  return { keys, [Symbol.asyncDispose]: () => client.close() }
}

/** From `first` on; shared by concurrent senders. */
function* everyOther(first: number, end: number, signal: AbortSignal | undefined): Generator<number> {
  for (let nth = first; nth < end && !signal?.aborted; nth += 2) yield nth
}

interface Turn {
  readonly said: string
  readonly nth: number
  readonly retries: number
}

/** Requests one generation, alternately on the web and by key; some are requested twice at once. */
async function ask({ users }: Stage, keys: readonly ApiCaller[], { said, nth, retries }: Turn): Promise<Asked> {
  const copies = nth % redelivered < 2 ? 2 : 1
  const owner = Math.floor(nth / 2) % users.length
  const [key, user] = [keys[owner], users[owner]]
  if (key === undefined || user === undefined) throw new Error('There are no users')
  if (nth % 2 === 0) return { said, source: 'key', answers: await askByKey(key, { said, retries, copies }) }
  const clientMessageId = newId()
  const received = Array.from({ length: copies }, () => emptyTranscript(said, clientMessageId))
  await Promise.all(received.map((one) => sendAndListen(user.api, one)))
  const answers = received.map((one) => ({ ...one, generationId: one.messageId, failures: one.interruptions }))
  return { said, source: 'web', answers }
}

/** Resolves, once the load is over, to the longest time in seconds by which a hold was past its limit. */
async function watchOverdue(stage: Stage, isOver: () => boolean): Promise<number> {
  let longest = 0
  while (!isOver()) {
    longest = Math.max(longest, await longestOverdue(stage))
    await pause(overdueMs)
  }
  return Math.round(longest)
}

/** Renews sessions before tokens expire in a long run. */
async function keepSignedIn(stage: Stage, isOver: () => boolean): Promise<void> {
  let last = performance.now()
  while (!isOver()) {
    await pause(overdueMs)
    if (performance.now() - last < signInEveryMs) continue
    await stage.signIn()
    last = performance.now()
  }
}
