import { createHash } from 'node:crypto'
import { type AnswerWaiter, createAnswerWaiters, type Signal, type StreamLog } from '@parley/cache'
import type { KeyPrincipal } from '@parley/contracts'
import { AppError, every, type Logger, type NewId, unavailable } from '@parley/kit'
import type { AnsweredCall, RepeatableRequest, RequestStore, RunningCall } from '../store/request-store.ts'
import { followLiveAnswer, type LiveAnswer, logLiveAnswer } from './live-answers.ts'
import type { Output } from './output.ts'

/** Milliseconds between checks for an awaited answer, in case a signal is lost. */
const lookMs = 1_000
/** Milliseconds between checks whether the maker of a followed answer lives: a replica that died does not end its stream log. */
const makerLookMs = 5_000
/** Milliseconds between extensions of a claim, which lasts a minute. */
const extendMs = 15_000
/** Maximum bytes of a stored answer. */
const longestKept = 32 * 1024 * 1024
const hourMs = 3_600_000

export interface IdempotencyDeps {
  readonly store: RequestStore
  readonly signal: Signal
  readonly streamLog: StreamLog
  readonly newId: NewId
  readonly log: Logger
}

/** Answers requests with the same Idempotency-Key once. */
export type Idempotency = ReturnType<typeof createIdempotency>

/** A request with an Idempotency-Key. */
export interface AskedOnce {
  readonly key: KeyPrincipal
  readonly idempotencyKey: string
  readonly path: string
  readonly body: unknown
  /** Takes a repeat from its limit, before a stored answer is loaded. Idempotent. @throws AppError rate_limited */
  readonly takeRepeat: () => Promise<void>
}

/** Keeps no state except waiting callers. */
export function createIdempotency(deps: IdempotencyDeps) {
  const { store, signal, log } = deps
  const waiters = createAnswerWaiters(signal, log)
  const sweeping = every(hourMs, () => store.sweep(), { name: 'remove expired answers', firstMs: 60_000, log })
  let unsubscribe: () => void = () => undefined
  const idOf = ({ keyId, idempotencyKey }: RepeatableRequest): string =>
    hashOf(`${keyId}\n${idempotencyKey}`).toString('hex')

  const answerOwn = async (request: RepeatableRequest, output: Output, serve: (to: Output) => Promise<void>) => {
    const extending = setInterval(() => {
      store.extend(request).catch((error: unknown) => log.warn({ err: error }, 'extending an idempotency claim failed'))
    }, extendMs)
    const signalChanged = (): void => void waiters.notify(request.keyId, idOf(request))
    const kept = keptOutput(deps, request, output, signalChanged)
    try {
      await serve(kept.output)
    } catch (error) {
      await store.release(request)
      throw error
    } finally {
      clearInterval(extending)
      await kept.close()
      signalChanged()
    }
  }

  const answerOnce = async (
    request: RepeatableRequest,
    output: Output,
    { waiter, takeRepeat }: Repeating,
    serve: (to: Output) => Promise<void>,
  ): Promise<void> => {
    /** Bytes sent of an answer in progress, and its generation; undefined before its start. */
    let sent: number | undefined
    let followed: string | undefined
    const begin = (headers: Readonly<Record<string, string>>): void => {
      sent = 0
      output.begin({ ...headers, 'idempotent-replayed': 'true' })
    }
    const write = async (bytes: Uint8Array): Promise<void> => {
      sent = (sent ?? 0) + bytes.length
      await output.write(bytes)
    }
    /** Resolves to whether anything was read; until the log ends or `running` is no longer the claim's generation. */
    const follow = async (running: string): Promise<boolean> => {
      const ended = new AbortController()
      const look = async (): Promise<void> => {
        if (!(await store.isRunning(request, running))) ended.abort()
      }
      const looking = every(makerLookMs, look, { name: 'look for the maker of a followed answer', log })
      looking.start()
      try {
        const left = AbortSignal.any([output.left, ended.signal])
        return await followLiveAnswer(deps, running, left, { begin, write })
      } finally {
        await looking.stop()
      }
    }
    while (!output.left.aborted) {
      const claim = await store.claim(request)
      if (claim === 'erased') throw erasedOwner
      if (claim !== 'own') await takeRepeat()
      if (claim === 'other-body') throw otherBody
      // The rest of another answer does not continue this one, whose maker died.
      if (sent !== undefined && typeof claim === 'object' && generationOf(claim) !== followed) throw unavailable()
      if (claim === 'own') {
        if (sent === undefined) return await answerOwn(request, output, serve)
        // Neither does one made here.
        await store.release(request)
        throw unavailable()
      }
      if ('running' in claim) {
        const { running } = claim
        followed = running
        const isFollowed = sent === undefined && running !== undefined && (await follow(running))
        if (!isFollowed) await waiter.next(lookMs)
      } else {
        const whole = await store.answer(request, claim.answered)
        // Expired in between.
        if (whole === undefined) continue
        if (sent === undefined) begin(whole.headers)
        return await output.end(whole.body.subarray(sent))
      }
    }
  }

  return {
    /**
     * Answers a request, or replays its earlier answer. A stream in progress is replayed and followed; otherwise the call waits. A request that
     * fails before its first byte releases the key.
     * @param serve answers the request
     * @throws AppError conflict when the key belongs to another request, unauthenticated when the user was erased, validation_failed for a
     * malformed key, unavailable when a followed stream breaks off, and the errors of `serve` and `takeRepeat`
     */
    async once(
      { key, idempotencyKey, path, body, takeRepeat }: AskedOnce,
      output: Output,
      serve: (output: Output) => Promise<void>,
    ): Promise<void> {
      if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) throw malformed
      const bodyHash = hashOf(`${path}\n${JSON.stringify(body)}`)
      const { keyId, userId } = key
      const request = { keyId, userId, idempotencyKey, bodyHash, generationId: deps.newId() }
      const waiter = waiters.listen(keyId, idOf(request), output.left)
      try {
        await answerOnce(request, output, { waiter, takeRepeat }, serve)
      } finally {
        waiter.end()
      }
    },
    start(): void {
      sweeping.start()
      unsubscribe = signal.subscribe('answer-changed', waiters.receive)
    },
    async stop(): Promise<void> {
      unsubscribe()
      await sweeping.stop()
    },
  }
}

interface Repeating extends Pick<AskedOnce, 'takeRepeat'> {
  readonly waiter: AnswerWaiter
}

const generationOf = (claim: RunningCall | AnsweredCall): string | undefined =>
  'running' in claim ? claim.running : claim.answered

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const malformed = new AppError(
  'validation_failed',
  'The Idempotency-Key must be 1 to 255 ASCII characters without spaces',
)
const erasedOwner = new AppError('unauthenticated', 'Incorrect API key provided.')
const otherBody = new AppError('conflict', 'This Idempotency-Key was used with another request')

/**
 * Writes an answer that is stored before its last byte is sent; streams are also logged while they run. The answer is completed even if its
 * caller leaves, who may repeat the request.
 * @param onBegun called when a stream starts
 */
function keptOutput(deps: IdempotencyDeps, request: RepeatableRequest, output: Output, onBegun: () => void) {
  const { store, log } = deps
  const parts: Uint8Array[] = []
  let headers: Readonly<Record<string, string>> = {}
  let live: LiveAnswer | undefined
  const kept: Output = {
    left: new AbortController().signal,
    begin(given) {
      headers = given
      output.begin(given)
      if (!given['content-type']?.startsWith('text/event-stream')) return
      live = logLiveAnswer(deps, request.generationId, given)
      onBegun()
    },
    async write(bytes) {
      parts.push(bytes)
      live?.write(bytes)
      await output.write(bytes)
    },
    async keep(last, event) {
      const body = Buffer.concat([...parts, last])
      try {
        if (body.length <= longestKept) await store.keep(request, { headers, body }, event)
        else await store.release(request)
        return body.length <= longestKept
      } catch (error) {
        log.error({ err: error }, 'an answer could not be stored for its idempotency key')
        return false
      }
    },
    end: (bytes) => output.end(bytes),
  }
  return { output: kept, close: async () => await live?.close() }
}
