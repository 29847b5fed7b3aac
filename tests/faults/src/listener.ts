import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes, type StartEvent, streamEnd } from '@parley/contracts'
import { type ApiCaller, readEvents } from '@parley/testing'

/** What one client received of one answer, over all its connections. */
export interface Received {
  readonly clientMessageId: string
  /** The message that was sent. */
  readonly said: string
  chatId: string
  messageId: string
  text: string
  /** How much of the text there was when, by `performance.now()`. */
  readonly grown: { readonly at: number; readonly length: number }[]
  /** The terminal event's kind; undefined until it came. */
  ending: 'done' | 'error' | undefined
  /** What an answer that ended by an error said of it. */
  failure?: string
  /** The last event's id. */
  seq: number
  /** Event ids that came out of order, twice or with a gap before them. */
  readonly disorder: string[]
  /** Why connections were lost or refused on the way, oldest first. */
  readonly interruptions: string[]
  /** Longest time between a lost connection and the next byte of the answer, in milliseconds. */
  longestGapMs: number
}

const usualSilenceMs = 3_000
/** A connection that was silent from the beginning is followed by one with twice the patience, up to this. */
const mostSilenceMs = 48_000
/** Many clients begin at once; a client that gave up sooner would add work to a slow system. */
const firstWordMs = 60_000
/** Given up after this. */
const patienceMs = 300_000

/** Nothing received yet of the answer to a message in a chat of its own. */
export const emptyTranscript = (said: string, clientMessageId: string): Received => ({
  ...{ clientMessageId, said },
  ...{ chatId: '', messageId: '', text: '', ending: undefined, seq: 0 },
  ...{ grown: [], disorder: [], interruptions: [], longestGapMs: 0 },
})

/**
 * Sends a message and listens to its answer to the end, as the browser does: a connection that fails or falls silent is made anew, with the same
 * `clientMessageId` before the first event and after `Last-Event-ID` from then on. What is received is noted in `received` as it comes.
 * @param silenceMs nothing for this long from an answer that is being made means a dead connection
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
    // Many clients that repeat their requests keep a slow system slow.
    patience = received.seq > before ? silenceMs : Math.min(2 * patience, mostSilenceMs)
    lostAt ??= performance.now()
    received.interruptions.push(why)
    await pause(200)
  }
  return received
}

/** Milliseconds that a connection's first event and each later one may take. */
interface Limits {
  readonly patience: number
  readonly silenceMs: number
}

/** One connection; resolves to why it ended. */
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
  const event = JSON.parse(data) as Partial<StartEvent> & { text?: string; done?: true; error?: string }
  if (event.userMessageId !== undefined) {
    received.chatId = event.chatId ?? ''
    received.messageId = event.messageId ?? ''
  } else if (event.text !== undefined) {
    received.text += event.text
    received.grown.push({ at: performance.now(), length: received.text.length })
  } else if (event.done) received.ending = 'done'
  else if (event.error !== undefined) {
    received.ending = 'error'
    received.failure = event.error
  }
}
