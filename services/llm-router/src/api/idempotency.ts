import { createHash } from 'node:crypto'
import type { Signal, StreamLog } from '@parley/cache'
import type { KeyPrincipal } from '@parley/contracts'
import { AppError, createWakeup, every, type Logger, type NewId, unavailable, type Wakeup } from '@parley/kit'
import type { RepeatableRequest, RequestStore } from '../store/request-store.ts'
import { followLiveAnswer, type LiveAnswer, logLiveAnswer } from './live-answers.ts'
import type { Output } from './output.ts'

/** Those that wait for an answer look for it this often, also without a signal. Milliseconds. */
const lookMs = 1_000
/** A claim, which holds for a minute, is extended this often. Milliseconds. */
const extendMs = 15_000
/** An answer that is longer is kept for nobody. Bytes. */
const longestKept = 32 * 1024 * 1024
const hourMs = 3_600_000

/** What answering requests once uses. */
export interface IdempotencyDeps {
  readonly store: RequestStore
  readonly signal: Signal
  readonly streamLog: StreamLog
  readonly newId: NewId
  readonly log: Logger
}

/** Answers requests with the same Idempotency-Key once. */
export interface Idempotency {
  /**
   * Has a request answered, or hands out the answer that it was given before; of a stream that is being made what there is and then what comes, else it waits. One that
   * fails before its first byte leaves the key free.
   * @param serve answers the request
   * @throws AppError conflict when the key stands for another request, validation_failed for a malformed key, unavailable when a stream that was
   * begun to be handed out breaks off, and what `serve` throws
   */
  once(asked: AskedOnce, output: Output, serve: (output: Output) => Promise<void>): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** A request with an Idempotency-Key. */
export interface AskedOnce {
  readonly key: KeyPrincipal
  readonly idempotencyKey: string
  readonly path: string
  readonly body: unknown
}

/** Keeps nothing but who waits. */
export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const { store, signal, log } = deps
  const waiting = new Map<string, Set<() => void>>()
  const sweeping = every(hourMs, () => store.sweep(), { name: 'forgetting of kept answers', firstMs: 60_000, log })
  let unsubscribe: () => void = () => undefined
  const idOf = ({ keyId, idempotencyKey }: RepeatableRequest): string =>
    hashOf(`${keyId}\n${idempotencyKey}`).toString('hex')

  const answerOwn = async (request: RepeatableRequest, output: Output, serve: (to: Output) => Promise<void>) => {
    const extending = setInterval(() => {
      store.extend(request).catch((error: unknown) => log.warn({ err: error }, 'a claim was not extended'))
    }, extendMs)
    const tellChanged = (): void => {
      const told = { ownerId: request.keyId, id: idOf(request) }
      signal.publish('answer-changed', told).catch(() => log.debug('those that wait look by themselves'))
    }
    const kept = keptOutput(deps, request, output, tellChanged)
    try {
      await serve(kept.output)
    } catch (error) {
      await store.release(request)
      throw error
    } finally {
      clearInterval(extending)
      await kept.close()
      tellChanged()
    }
  }

  /** Runs an act that is woken when something becomes of the request's answer, and when its caller leaves. */
  const woken = async (
    request: RepeatableRequest,
    left: AbortSignal,
    act: (wakeup: Wakeup) => Promise<void>,
  ): Promise<void> => {
    const id = idOf(request)
    const wakeup = createWakeup()
    const wake = (): void => wakeup.wake()
    const others = waiting.get(id) ?? new Set()
    waiting.set(id, others.add(wake))
    left.addEventListener('abort', wake, { once: true })
    try {
      await act(wakeup)
    } finally {
      left.removeEventListener('abort', wake)
      others.delete(wake)
      if (others.size === 0) waiting.delete(id)
    }
  }

  const answerOnce = async (
    request: RepeatableRequest,
    output: Output,
    wakeup: Wakeup,
    serve: (to: Output) => Promise<void>,
  ): Promise<void> => {
    /** Bytes that were handed out of an answer that was being made; undefined before its beginning. */
    let sent: number | undefined
    const begin = (headers: Readonly<Record<string, string>>): void => {
      sent = 0
      output.begin({ ...headers, 'idempotent-replayed': 'true' })
    }
    const write = async (bytes: Uint8Array): Promise<void> => {
      sent = (sent ?? 0) + bytes.length
      await output.write(bytes)
    }
    while (!output.left.aborted) {
      const claim = await store.claim(request)
      if (claim === 'other-body') throw otherBody
      if (claim === 'own') {
        if (sent === undefined) return await answerOwn(request, output, serve)
        // Whoever made it died: another answer cannot go on where that one ended.
        await store.release(request)
        throw unavailable()
      }
      if ('running' in claim) {
        const { running } = claim
        const isFollowed =
          sent === undefined &&
          running !== undefined &&
          (await followLiveAnswer(deps, running, output.left, { begin, write }))
        if (!isFollowed) await wakeup.wait(lookMs)
      } else {
        if (sent === undefined) begin(claim.headers)
        return await output.end(claim.body.subarray(sent))
      }
    }
  }

  return {
    async once({ key, idempotencyKey, path, body }, output, serve) {
      if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) throw malformed
      const bodyHash = hashOf(`${path}\n${JSON.stringify(body)}`)
      const { keyId, userId } = key
      const request = { keyId, userId, idempotencyKey, bodyHash, generationId: deps.newId() }
      await woken(request, output.left, (wakeup) => answerOnce(request, output, wakeup, serve))
    },
    start() {
      sweeping.start()
      unsubscribe = signal.subscribe('answer-changed', ({ id }) => {
        for (const wake of waiting.get(id) ?? []) wake()
      })
    },
    async stop() {
      unsubscribe()
      await sweeping.stop()
    },
  }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const malformed = new AppError(
  'validation_failed',
  'The Idempotency-Key must be 1 to 255 ASCII characters without spaces',
)
const otherBody = new AppError('conflict', 'This Idempotency-Key was used with another request')

/**
 * Writes an answer and keeps it, before its last byte is sent; of a stream also what there is so far. It is made to its end also when its caller leaves, who may ask
 * for it again.
 * @param tellBegun is called when a stream begins
 */
function keptOutput(deps: IdempotencyDeps, request: RepeatableRequest, output: Output, tellBegun: () => void) {
  const { store, log } = deps
  const parts: Uint8Array[] = []
  let headers: Readonly<Record<string, string>> = {}
  let live: LiveAnswer | undefined
  const kept: Output = {
    left: new AbortController().signal,
    begin(told) {
      headers = told
      output.begin(told)
      if (!told['content-type']?.startsWith('text/event-stream')) return
      live = logLiveAnswer(deps, request.generationId, told)
      tellBegun()
    },
    async write(bytes) {
      parts.push(bytes)
      live?.write(bytes)
      await output.write(bytes)
    },
    async end(bytes) {
      const body = Buffer.concat([...parts, bytes])
      const done = body.length > longestKept ? store.release(request) : store.keep(request, { headers, body })
      await done.catch((error: unknown) => log.error({ err: error }, 'an answer could not be kept'))
      await output.end(bytes)
    },
  }
  return { output: kept, close: async () => await live?.close() }
}
