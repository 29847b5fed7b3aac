import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { answerQuestions } from '../process-channel.ts'
import { seeded } from '../seeded.ts'
import { quantile } from '../statistics.ts'
import { createTokenReader, textOf } from '../token.ts'
import type { Target } from './load-process.ts'

/** The answers to cut, and how often. */
export interface CutsQuestion {
  readonly target: Target
  readonly streams: number
  readonly tokens: number
  /** Cuts per stream, at random places. */
  readonly cuts: number
  /** Milliseconds over which the streams are started. */
  readonly rampMs: number
}

/** Results of the streams that were cut. */
export interface CutsReport {
  readonly failed: number
  readonly lost: number
  readonly disordered: number
  readonly cuts: number
  /** Milliseconds from the resuming request to the next event. */
  /** Milliseconds; null when nothing was resumed. */
  readonly resumeP50: number | null
  readonly resumeP95: number | null
  /** Reasons of the first failures. */
  readonly reasons: readonly string[]
}

interface Reading {
  messageId: string
  seq: number
  isOver: boolean
  disordered: number
  cuts: number
  tokens: ReturnType<typeof createTokenReader>
}

/** Milliseconds before a request is retried on a busy system, and the number of retries. */
const busyMs = 500
const mostAttempts = 60
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Retries while the system reports that it is busy; the reader's wait includes that. */
async function call(url: string, method: string, headers: Target['headers'], body?: unknown): Promise<IncomingMessage> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await callOnce(url, method, headers, body)
    if (answer.statusCode === 200) return answer
    answer.resume()
    if (answer.statusCode !== 503 || attempt === mostAttempts)
      throw new Error(`status ${answer.statusCode} of ${method}`)
    await wait(busyMs)
  }
}

function callOnce(url: string, method: string, headers: Target['headers'], body?: unknown): Promise<IncomingMessage> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const about = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers: { ...(text !== '' && about), ...headers } })
      .once('response', resolve)
      .once('error', reject)
      .end(text)
  })
}

/** Reads to the end, or drops the connection after this many events. */
function readSome(answer: IncomingMessage, reading: Reading, until: number, heard: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = ({ id, data }: { id?: string | undefined; data: string }): void => {
      if (reading.isOver || answer.destroyed) return
      heard()
      if (Number(id) !== reading.seq + 1) reading.disordered += 1
      reading.seq = Number(id)
      reading.isOver = data === '[DONE]'
      reading.tokens.push(textOf(data))
      if (!reading.isOver) reading.messageId ||= (JSON.parse(data) as { messageId?: string }).messageId ?? ''
      if (reading.isOver || reading.seq >= until) {
        answer.destroy()
        resolve()
      }
    }
    const parser = createParser({ onEvent: take })
    answer.setEncoding('utf8').on('data', (text: string) => parser.feed(text))
    answer.once('end', resolve).once('error', reject)
  })
}

/** Half of the cuts are reloads, which have no state and resume from the first event. */
async function readThroughCuts({ target, tokens, cuts }: CutsQuestion, nth: number, resumes: number[]) {
  const random = seeded(nth + 1)
  const places = Array.from({ length: cuts }, () => 1 + Math.floor(random() * tokens)).sort((a, b) => a - b)
  const fresh = () => createTokenReader(tokens)
  const reading: Reading = { messageId: '', seq: 0, isOver: false, disordered: 0, cuts: 0, tokens: fresh() }
  let answer = await call(target.url, 'POST', target.headers, target.body)
  let calledAt: number | undefined
  const heard = (): void => {
    if (calledAt !== undefined) resumes.push(performance.now() - calledAt)
    calledAt = undefined
  }
  for (;;) {
    await readSome(answer, reading, places[reading.cuts] ?? Number.POSITIVE_INFINITY, heard)
    if (reading.isOver || reading.cuts > 10 * cuts) break
    reading.cuts += 1
    if (random() < 0.5) Object.assign(reading, { seq: 0, tokens: fresh() })
    calledAt = performance.now()
    const after: Record<string, string> = reading.seq === 0 ? {} : { 'last-event-id': String(reading.seq) }
    answer = await call(`${target.url}/stream/${reading.messageId}`, 'GET', { ...target.headers, ...after })
  }
  if (!reading.isOver) throw new Error('no end after all cuts')
  return { ...reading.tokens.result(), outOfSequence: reading.disordered, cuts: reading.cuts }
}

async function cutStreams(question: CutsQuestion): Promise<CutsReport> {
  const resumes: number[] = []
  const results = await Promise.allSettled(
    Array.from({ length: question.streams }, async (_none, nth) => {
      await wait((question.rampMs * nth) / question.streams)
      return readThroughCuts(question, nth, resumes)
    }),
  )
  const read = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
  const failures = results.filter((result) => result.status === 'rejected')
  type One = (typeof read)[number]
  const sum = (part: (one: One) => number): number => read.reduce((total, one) => total + part(one), 0)
  return {
    failed: failures.length,
    lost: sum(({ lost }) => lost),
    disordered: sum(({ disordered, outOfSequence }) => disordered + outOfSequence),
    cuts: sum(({ cuts }) => cuts),
    resumeP50: quantile(resumes, 0.5),
    resumeP95: quantile(resumes, 0.95),
    reasons: failures.slice(0, 3).map(({ reason }) => String(reason)),
  }
}

answerQuestions({ cutStreams })
