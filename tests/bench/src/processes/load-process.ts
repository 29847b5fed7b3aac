import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { answerQuestions } from '../process-channel.ts'
import { quantile } from '../statistics.ts'
import { createTokenReader, type TokenReading, textOf } from '../token.ts'

/** A request that the load generator repeats. */
export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Results of concurrent streams. */
export interface StreamsReport {
  readonly failed: number
  readonly lost: number
  readonly disordered: number
  /** Milliseconds from the provider's write to the reader. */
  readonly delayP50: number
  readonly delayP99: number
  /** Reasons of the first failures. */
  readonly reasons: readonly string[]
  /** Milliseconds from a request to the first bytes of its answer's body. */
  readonly beginP50: number
  readonly beginP95: number
}

/** How many streams may be waiting for their first bytes at once. */
const openedAtOnce = 50
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

function open({ url, headers, body }: Target): Promise<IncomingMessage> {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  return new Promise((resolve, reject) => {
    request(url, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
    })
      .once('response', resolve)
      .once('error', reject)
      .end(text)
  })
}

async function openStream(target: Target): Promise<IncomingMessage> {
  const response = await open(target)
  if (response.statusCode === 200) return response
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  throw new Error(`status ${response.statusCode}: ${Buffer.concat(parts).toString('utf8').slice(0, 200)}`)
}

/** Milliseconds to the first byte of the body, in sequence. */
async function firstBytes({ target, count }: { target: Target; count: number }): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done += 1) {
    const startedAt = performance.now()
    const response = await openStream(target)
    let first: number | undefined
    for await (const _part of response) first ??= performance.now() - startedAt
    if (first !== undefined) times.push(first)
  }
  return times
}

interface RequestsQuestion {
  readonly target: Target
  readonly count: number
  readonly atOnce: number
}

/** Makes this many calls with this concurrency and reads each answer to its end; resolves to the milliseconds that each took. */
async function requests({ target, count, atOnce }: RequestsQuestion): Promise<number[]> {
  const times: number[] = []
  let begun = 0
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1
      const startedAt = performance.now()
      for await (const _part of await openStream(target));
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

/** Makes all calls at once; resolves to their statuses. */
async function statuses({ target, count }: Omit<RequestsQuestion, 'atOnce'>): Promise<number[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await open(target)
      for await (const _part of response);
      return response.statusCode ?? 0
    }),
  )
}

interface PacedQuestion {
  readonly target: Target
  readonly count: number
  readonly everyMs: number
}

/** Starts calls at a fixed rate, whether or not earlier ones have been answered; resolves when all have. */
async function requestsEvery({ target, count, everyMs }: PacedQuestion): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_none, nth) => {
      await wait(nth * everyMs)
      for await (const _part of await openStream(target));
    }),
  )
}

interface LeaveQuestion {
  readonly target: Target
  readonly streams: number
  readonly everyMs: number
}

/** Opens all streams and leaves them one by one; resolves to the times of leaving, in milliseconds since 1970. */
async function leave({ target, streams, everyMs }: LeaveQuestion): Promise<number[]> {
  await hold({ target, streams })
  const leftAt: number[] = []
  for (const response of held.splice(0)) {
    leftAt.push(performance.timeOrigin + performance.now())
    response.destroy()
    await wait(everyMs)
  }
  return leftAt
}

/** Reads all streams to their end at once; resolves to the number of bytes. */
async function drain({ target, streams }: { target: Target; streams: number }): Promise<number> {
  const sizes = await Promise.all(
    Array.from({ length: streams }, async () => {
      let size = 0
      for await (const part of await openStream(target)) size += (part as Buffer).length
      return size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Streams that are held open. */
const held: IncomingMessage[] = []

/** Opens more streams and keeps reading until `releaseAll`; resolves to the p99 time to first bytes in milliseconds, once all have arrived. */
async function hold({ target, streams }: { target: Target; streams: number }): Promise<number> {
  const times: number[] = []
  for (let from = 0; from < streams; from += openedAtOnce) {
    const opening = Array.from({ length: Math.min(openedAtOnce, streams - from) }, async () => {
      const startedAt = performance.now()
      const response = await openStream(target)
      held.push(response)
      const first = once(response, 'data')
      response.on('error', () => undefined)
      await first
      times.push(performance.now() - startedAt)
    })
    await Promise.all(opening)
  }
  return quantile(times, 0.99)
}

/** Ends all held streams; returns how many were still open. */
function releaseAll(): number {
  const open = held.filter(({ destroyed, complete }) => !destroyed && !complete).length
  for (const response of held.splice(0)) response.destroy()
  return open
}

interface TokensQuestion {
  readonly target: Target
  readonly streams: number
  readonly tokens: number
  /** Milliseconds over which the streams are started. */
  readonly rampMs: number
}

/** Reads all streams at once and checks every token. */
const readTokens = ({ target, streams, ...rest }: TokensQuestion): Promise<StreamsReport> =>
  readManyTokens({ targets: Array.from({ length: streams }, () => target), ...rest })

interface ManyTokensQuestion extends Omit<TokensQuestion, 'target' | 'streams'> {
  readonly targets: readonly Target[]
}

/** The same for streams with different targets. */
async function readManyTokens({ targets, tokens, rampMs }: ManyTokensQuestion): Promise<StreamsReport> {
  const results = await Promise.allSettled(
    targets.map(async (target, index) => {
      await wait((rampMs * index) / targets.length)
      return readStream(target, tokens)
    }),
  )
  const read = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
  const failures = results.filter((result) => result.status === 'rejected')
  const delays = read.flatMap((reading) => reading.delays)
  const begins = read.map(({ beginMs }) => beginMs)
  const sum = (part: (reading: TokenReading) => number): number => read.reduce((total, one) => total + part(one), 0)
  return {
    failed: failures.length,
    lost: sum(({ lost }) => lost),
    disordered: sum(({ disordered }) => disordered),
    delayP50: quantile(delays, 0.5),
    delayP99: quantile(delays, 0.99),
    beginP50: quantile(begins, 0.5),
    beginP95: quantile(begins, 0.95),
    reasons: failures.slice(0, 3).map(({ reason }) => String(reason)),
  }
}

async function readStream(target: Target, tokens: number): Promise<TokenReading & { readonly beginMs: number }> {
  const startedAt = performance.now()
  let beginMs = Number.NaN
  const response = await openStream(target)
  const reader = createTokenReader(tokens)
  let number = 0
  let outOfSequence = 0
  const parser = createParser({
    onEvent({ id, data }) {
      number += 1
      // Only Parley numbers its events.
      if (id !== undefined && Number(id) !== number) outOfSequence += 1
      reader.push(textOf(data))
    },
  })
  response.setEncoding('utf8')
  for await (const text of response) {
    if (Number.isNaN(beginMs)) beginMs = performance.now() - startedAt
    parser.feed(text)
  }
  const reading = reader.result()
  return { ...reading, disordered: reading.disordered + outOfSequence, beginMs }
}

answerQuestions({
  ...{ firstBytes, requests, requestsEvery, statuses, leave },
  ...{ drain, hold, releaseAll, readTokens, readManyTokens },
})
