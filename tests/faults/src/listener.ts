import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes, type StartEvent, streamEnd } from '@parley/contracts'
import { type ApiCaller, readEvents } from '@parley/testing'

/** What one person saw of one answer, whatever happened on the way. */
export interface Heard {
  readonly clientMessageId: string
  /** What they wrote. */
  readonly said: string
  chatId: string
  messageId: string
  text: string
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
/** A whole crowd begins at once; who gave up sooner would ask for more of what is slow already. */
const firstWordMs = 60_000
/** Given up after this. */
const patienceMs = 300_000

/** Nothing heard yet of the answer to a message in a chat of its own. */
export const beginToHear = (said: string, clientMessageId: string): Heard => ({
  ...{ clientMessageId, said },
  ...{ chatId: '', messageId: '', text: '', ending: undefined, seq: 0 },
  ...{ disorder: [], interruptions: [], longestGapMs: 0 },
})

/**
 * Sends a message and listens to its answer to the end, as the browser does: a connection that fails or falls silent is made anew, with the same
 * `clientMessageId` before the first event and after `Last-Event-ID` from then on. What is heard is noted in `heard` as it comes.
 * @param silenceMs nothing for this long from an answer that is being made means a dead connection
 */
export async function sendAndListen(api: ApiCaller, heard: Heard, silenceMs = usualSilenceMs): Promise<Heard> {
  const started = performance.now()
  let lostAt: number | undefined
  const note = (): void => {
    if (lostAt !== undefined) heard.longestGapMs = Math.max(heard.longestGapMs, performance.now() - lostAt)
    lostAt = undefined
  }
  let patience = silenceMs
  while (heard.ending === undefined && performance.now() - started < patienceMs) {
    const before = heard.seq
    const why = await listenOnce(api, heard, { patience, silenceMs }, note)
    if (heard.ending !== undefined) break
    // A crowd that asks a slow system again and again keeps it slow.
    patience = heard.seq > before ? silenceMs : Math.min(2 * patience, mostSilenceMs)
    lostAt ??= performance.now()
    heard.interruptions.push(why)
    await pause(200)
  }
  return heard
}

/** Milliseconds that a connection's first event and each later one may take. */
interface Limits {
  readonly patience: number
  readonly silenceMs: number
}

/** One connection; resolves to why it ended. */
async function listenOnce(api: ApiCaller, heard: Heard, limits: Limits, note: () => void): Promise<string> {
  const { patience, silenceMs } = limits
  const silent = new AbortController()
  const giveUp = (ms: number): NodeJS.Timeout => setTimeout(() => silent.abort(), ms)
  let timer = giveUp(heard.messageId === '' ? firstWordMs : patience)
  try {
    const answer =
      heard.messageId === ''
        ? await api.stream(chatRoutes.send, {
            body: { message: heard.said, model: 'v3', clientMessageId: heard.clientMessageId },
            signal: silent.signal,
          })
        : await api.stream(chatRoutes.resume, {
            params: { id: heard.messageId },
            headers: { 'last-event-id': String(heard.seq) },
            signal: silent.signal,
          })
    if (answer.status !== 200) return `${answer.status} ${await text(answer.body)}`
    for await (const { id, data } of readEvents(answer)) {
      clearTimeout(timer)
      timer = giveUp(silenceMs)
      take(heard, Number(id), data)
      note()
    }
    return `ended after ${heard.seq}`
  } catch (error) {
    return silent.signal.aborted ? `silent after ${heard.seq}` : String(error)
  } finally {
    clearTimeout(timer)
  }
}

function take(heard: Heard, seq: number, data: string): void {
  if (seq !== heard.seq + 1) heard.disorder.push(`${seq} after ${heard.seq}`)
  heard.seq = seq
  if (data === streamEnd) return
  const event = JSON.parse(data) as Partial<StartEvent> & { text?: string; done?: true; error?: string }
  if (event.userMessageId !== undefined) {
    heard.chatId = event.chatId ?? ''
    heard.messageId = event.messageId ?? ''
  } else if (event.text !== undefined) heard.text += event.text
  else if (event.done) heard.ending = 'done'
  else if (event.error !== undefined) {
    heard.ending = 'error'
    heard.failure = event.error
  }
}
