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

/** How much is asked for, and what happens meanwhile. */
export interface LoadOptions {
  readonly generations: number
  /** Ends it before: no generation is begun any more. */
  readonly signal?: AbortSignal
  /** Generations at the same time. */
  readonly atOnce: number
  /** Milliseconds between two pieces of an answer; there are three. */
  readonly pieceMs: number
  /** How often a program sends a request again that failed. */
  readonly retries: number
  /** Resolves to whether there is another kill, once it is its time. `ended` is how many generations there were so far. */
  readonly nextKill: (nth: number, ended: () => number) => Promise<boolean>
  /** Whether a kill waits for the return of what was killed before. */
  readonly killsWait: boolean
  /** Whether it is waited for that the holds of replicas that died are given back, which takes a minute. */
  readonly allSettled: boolean
}

/** What came of a load. */
export interface LoadReport {
  readonly kills: Kills
  readonly figures: LoadFigures
  readonly failures: LoadFigures
  /** One line for each thing that is wrong; none when all is well. */
  readonly violations: readonly string[]
}

/** Each fiftieth message, request and event comes twice. */
const redelivered = 50
const overdueMs = 2_000
/** Well within a token's fifteen minutes. */
const signInEveryMs = 300_000

/** Has people on the web and programs with keys ask by turns, while things are killed, and holds billing's books against what all of them and the provider saw. */
export async function runLoad(stage: Stage, options: LoadOptions): Promise<LoadReport> {
  const { generations, atOnce, pieceMs } = options
  await using callers = await openCallers(stage)
  const since = await startOfBooks(stage)
  const redelivery = await stage.bus.redeliver(redelivered)
  const round = newId().slice(-8)
  stage.provider.begin(round, pieceMs)
  // No answer waits for anything: each ends by itself.
  stage.provider.finish(round)
  const asked: Asked[] = []
  let begun = 0
  let isOver = false
  const work = async (): Promise<void> => {
    while (begun < generations && !options.signal?.aborted) {
      const nth = begun
      begun += 1
      asked.push(await ask(stage, callers.keys, { said: words(round, nth), nth, retries: options.retries }))
    }
  }
  const overdue = watchOverdue(stage, () => isOver)
  const all = Promise.all(Array.from({ length: atOnce }, work)).finally(() => {
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

/** A client with a key of each user. */
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

interface Turn {
  readonly said: string
  readonly nth: number
  readonly retries: number
}

/** One generation, by turns on the web and by key; some are asked for twice at once, as the same. */
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

/** Resolves, once it is over, to the longest that a hold was seen over its limit, in seconds. */
async function watchOverdue(stage: Stage, isOver: () => boolean): Promise<number> {
  let longest = 0
  while (!isOver()) {
    longest = Math.max(longest, await longestOverdue(stage))
    await pause(overdueMs)
  }
  return Math.round(longest)
}

/** Nobody's token expires in a long run. */
async function keepSignedIn(stage: Stage, isOver: () => boolean): Promise<void> {
  let last = performance.now()
  while (!isOver()) {
    await pause(overdueMs)
    if (performance.now() - last < signInEveryMs) continue
    await stage.signIn()
    last = performance.now()
  }
}
