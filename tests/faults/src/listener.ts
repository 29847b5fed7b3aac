import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes, type StartEvent, type StreamEvent, streamEnd } from '@parley/contracts'
import { type ApiCaller, readEvents } from '@parley/testing'

/** What one client received of one answer, across all its connections. */
export interface Received {
  readonly clientMessageId: string
  /** The message that was sent. */
  readonly said: string
  chatId: string
  messageId: string
  text: string
  /** The length of the text over time, by `performance.now()`. */
  readonly grown: { readonly at: number; readonly length: number }[]
  /** Kind of the terminal event; undefined before it. */
  ending: 'done' | 'error' | undefined
  /** The error text of an answer that failed. */
  failure?: string
  /** Id of the last event. */
  seq: number
  /** Event ids that arrived out of order, twice or after a gap. */
  readonly disorder: string[]
  /** Whether the answer says that memory was unavailable. */
  isWithoutMemory: boolean
  /** Reasons for lost or refused connections, oldest first. */
  readonly interruptions: string[]
  /** Longest time between a lost connection and the next byte of the answer, in milliseconds. */
  longestGapMs: number
}

type MemoryUnavailable = Extract<StreamEvent, { memory_unavailable: unknown }>

const usualSilenceMs = 3_000
/** After a connection without any event the timeout doubles, up to this. */
const mostSilenceMs = 48_000
/** Many clients start at once; retrying earlier would only add load to a slow system. */
const firstWordMs = 60_000
/** A client gives up after this. */
const patienceMs = 300_000

/** The initial state of a message in a new chat. */
export const emptyTranscript = (said: string, clientMessageId: string): Received => ({
  ...{ clientMessageId, said },
  ...{ chatId: '', messageId: '', text: '', ending: undefined, seq: 0, isWithoutMemory: false },
  ...{ grown: [], disorder: [], interruptions: [], longestGapMs: 0 },
})

/**
 * Sends a message and listens to its answer to the end. As in the browser, a failed or silent connection is reopened: with the same
 * `clientMessageId` before the first event, with `Last-Event-ID` afterwards. Mutates `received` as events arrive.
 * @param silenceMs a running answer's connection that is silent for this long is considered dead
 */
export async function sendAndListen(api: ApiCaller, received: Received, silenceMs = usualSilenceMs): Promise<Received> {
  const started = performance.now()
  let lostAt: number | undefined
  const note = (): void => {
    if (lostAt !== undefined) received.longestGapMs = Math.max(received.longestGapMs, performance.now() - lostAt)
    lostAt = undefined
  }
  let patience = silenceMs
  while (received.ending === undefined && performance.now() - started < patienceMs) {
    const before = received.seq
    const why = await listenOnce(api, received, { patience, silenceMs }, note)
    if (received.ending !== undefined) break
    // Backoff, because many retrying clients keep a slow system slow.
    patience = received.seq > before ? silenceMs : Math.min(2 * patience, mostSilenceMs)
    lostAt ??= performance.now()
    received.interruptions.push(why)
    await pause(200)
  }
  return received
}

/** Timeouts of a connection's first event and of each later one, in milliseconds. */
interface Limits {
  readonly patience: number
  readonly silenceMs: number
}

/** Reads one connection; resolves to the reason why it ended. */
async function listenOnce(api: ApiCaller, received: Received, limits: Limits, note: () => void): Promise<string> {
  const { patience, silenceMs } = limits
  const silent = new AbortController()
  const giveUp = (ms: number): NodeJS.Timeout => setTimeout(() => silent.abort(), ms)
  let timer = giveUp(received.messageId === '' ? firstWordMs : patience)
  try {
    const answer =
      received.messageId === ''
        ? await api.stream(chatRoutes.send, {
            body: { message: received.said, model: 'v3', clientMessageId: received.clientMessageId },
            signal: silent.signal,
          })
        : await api.stream(chatRoutes.resume, {
            params: { id: received.messageId },
            headers: { 'last-event-id': String(received.seq) },
            signal: silent.signal,
          })
    if (answer.status !== 200) return `${answer.status} ${await text(answer.body)}`
    for await (const { id, data } of readEvents(answer)) {
      clearTimeout(timer)
      timer = giveUp(silenceMs)
      take(received, Number(id), data)
      note()
    }
    return `ended after ${received.seq}`
  } catch (error) {
    return silent.signal.aborted ? `silent after ${received.seq}` : String(error)
  } finally {
    clearTimeout(timer)
  }
}

function take(received: Received, seq: number, data: string): void {
  if (seq !== received.seq + 1) received.disorder.push(`${seq} after ${received.seq}`)
  received.seq = seq
  if (data === streamEnd) return
  const event = JSON.parse(data) as Partial<StartEvent & MemoryUnavailable> & {
    text?: string
    done?: true
    error?: string
  }
  if (event.userMessageId !== undefined) {
    received.chatId = event.chatId ?? ''
    received.messageId = event.messageId ?? ''
  } else if (event.text !== undefined) {
    received.text += event.text
    received.grown.push({ at: performance.now(), length: received.text.length })
  } else if (event.memory_unavailable) received.isWithoutMemory = true
  else if (event.done) received.ending = 'done'
  else if (event.error !== undefined) {
    received.ending = 'error'
    received.failure = event.error
  }
}
