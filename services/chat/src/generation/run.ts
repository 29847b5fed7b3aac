import type { CacheEngine } from '@parley/cache'
import {
  modelInternalRoutes,
  type PromptMessage,
  type PromptTool,
  type StartEvent,
  type StreamEvent,
} from '@parley/contracts'
import { isAppError, type Limiter, limitOf, unavailable } from '@parley/kit'
import type { Common } from '../common.ts'
import type { HeldPrompt, PromptMemory } from '../files/prompt-memory.ts'
import { nothingRecalled, recalledEvents } from '../memory/memory-events.ts'
import type { AnswerPrompt } from '../sending/prompt.ts'
import { generationIdOf } from '../store/continued.ts'
import type { Ending, NewGeneration, Seed } from '../store/entities.ts'
import type { Lease } from '../store/generation-store.ts'
import type { Titler, Untitled } from '../titles/titler.ts'
import type { Reservation } from './charges.ts'
import { type Coalescer, createCoalescer } from './coalescer.ts'
import { completionLines } from './completion-lines.ts'
import { decideEnd, payerOf } from './continuation.ts'
import type { SendKey } from './early-stops.ts'
import { type Cause, hasVisibleText } from './ending.ts'
import { type FinalizeDeps, finalize, type GenerationOutcome } from './finalize.ts'
import { type LeaseRenewerDeps, startLeaseRenewer } from './lease-renewer.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import { refusalOf } from './refusal.ts'
import { terminalLines } from './replay.ts'
import { createSeam } from './seam.ts'
import { type RetainedPrompt, runToolLoop, type ToolLoopDeps } from './tool-loop.ts'
import { createTranscript, type Delta, type Transcript } from './transcript.ts'

export interface RunDeps extends FinalizeDeps, LeaseRenewerDeps, Pick<Common, 'client'> {
  readonly streamLog: CacheEngine['streamLog']
  /** Bounds how many answers are paid for and prepared at once. */
  readonly limiter: Limiter
  readonly titler: Pick<Titler, 'begin'>
  readonly promptMemory: PromptMemory
}

/** An answer to be made: what was begun in the store and what else the making needs. */
export interface RunRequest {
  readonly generation: NewGeneration
  readonly lease: Lease
  /** The content so far of an answer that is continued. */
  readonly seed?: Seed | undefined
  /** The first event; its model becomes the one that answers. */
  readonly start: StartEvent
  /** The send that it answers, if its sender gave it an id. */
  readonly send?: SendKey | undefined
  /** A guest's signed session id. */
  readonly guestToken?: string | undefined
  /** Credits of the model and whether the user is free. */
  readonly price: { readonly credits: number; readonly unlimited: boolean }
  readonly prompt: (held: Pick<HeldPrompt, 'add'>) => Promise<AnswerPrompt>
  /** The chat that begins with this answer, unless the user has titled it. */
  readonly untitled: Untitled | undefined
  /** Admins may use disabled models. */
  readonly allowLocked: boolean
  readonly requestId: string
}

/** The parts of one running answer. */
interface AnswerParts {
  readonly transcript: Transcript
  readonly writer: LogWriter
  readonly coalescer: Coalescer
  readonly end: AbortController
}

const timeoutFailure: Cause = {
  kind: 'failed',
  error: 'Response timeout. The AI model took too long to respond.',
  code: 'provider_timeout',
}
const connectionLost: Cause = {
  kind: 'failed',
  error: 'Connection lost during streaming. The answer may be incomplete.',
  code: 'provider_error',
}

/**
 * Makes one answer from reservation to settlement, apart from any connection.
 * @param end ends it when aborted with a Cause as its reason; the first one counts
 * @param opened called once: without an error when the log can be read, with it when the answer failed before its first event
 */
export async function runGeneration(
  deps: RunDeps,
  request: RunRequest,
  end: AbortController,
  opened: (refusal?: Error) => void,
): Promise<void> {
  const { generation, lease } = request
  const startedMs = performance.now()
  const transcript = createTranscript(generation, deps.now, request.seed)
  const endWith = (cause: Cause): void => end.abort(cause)
  const renewer = startLeaseRenewer(deps, generation, transcript, lease, endWith)
  const { after } = transcript
  const writer = createLogWriter({
    log: deps.streamLog,
    streamId: generationIdOf(generation),
    after,
    isOurs: renewer.save,
  })
  let firstTokenMs: number | undefined
  const coalescer = createCoalescer(deps.timing.coalesceMs, (deltas) => {
    writer.write(transcript.add(deltas))
    if (firstTokenMs !== undefined || !deltas.some(({ kind, text }) => kind === 'text' && hasVisibleText(text))) return
    firstTokenMs = Math.round(performance.now() - startedMs)
    deps.metrics.textBegan(transcript.progress().model, firstTokenMs)
    renewer.textBegan()
  })
  const parts: AnswerParts = { transcript, writer, coalescer, end }
  const total = setTimeout(() => endWith(timeoutFailure), deps.timing.totalMs)
  const run = createRun(deps, request, parts, opened)
  const cause = await run.make()
  clearTimeout(total)
  coalescer.flush()
  // The lease is renewed until the end is stored, as hundreds may end in one moment and wait for each other.
  await run.finish(cause, firstTokenMs).finally(renewer.stop)
}

function createRun(deps: RunDeps, request: RunRequest, parts: AnswerParts, opened: (refusal?: Error) => void) {
  const { generation, lease } = request
  const { transcript, writer, coalescer, end } = parts
  let reservation: Reservation | undefined
  let reserved: GenerationOutcome['reserved'] = 'unknown'
  let isOpen = false
  let recalled = nothingRecalled
  const open = (model: string, price: number): void => {
    isOpen = true
    writer.write(transcript.open({ model, price, opening: openingOf(request, model, reservation?.allowance) }))
    const told = recalledEvents(recalled).map((event) => ({ kind: 'event' as const, event }))
    if (told.length > 0) writer.write(transcript.add(told))
    void writer.settled().then(() => opened())
  }
  const seam = request.seed && createSeam(request.seed.content)
  /** Text of a continuation goes through the seam. */
  const join = (delta: Delta): void => {
    const text = delta.kind === 'text' && seam !== undefined ? seam.take(delta.text) : delta.text
    if (text !== '') coalescer.add({ ...delta, text })
  }
  const joinRest = (): void => {
    if (seam !== undefined) coalescer.add({ kind: 'text', text: seam.rest() })
  }
  const emit = (event: StreamEvent): void => {
    // Text that came before the event is emitted before it.
    coalescer.flush()
    writer.write(transcript.add([{ kind: 'event', event }]))
  }
  const onStart: ToolLoopDeps['onStart'] = ({ model, creditsPerMessage }) => {
    const price = Math.min(transcript.progress().price, creditsPerMessage)
    if (isOpen) transcript.answeredBy({ model, price })
    else open(model, price)
  }
  const stream = async (building: Promise<AnswerPrompt>): Promise<Cause> => {
    end.signal.throwIfAborted()
    const prompt = await building
    end.signal.throwIfAborted()
    transcript.notePrompt(prompt.tokens)
    recalled = prompt.recalled
    const { newId, log, timing } = deps
    const loop: ToolLoopDeps = {
      openCompletion: (messages, tools, retained) => openCompletion(deps, request, { messages, tools, retained }, end),
      openStream: () => open(generation.model, generation.price),
      onStart,
      emit: join,
      notePrompt: transcript.notePrompt,
      calls: { newId, log, toolMs: timing.toolMs, emit, signal: end.signal },
    }
    const cause = await runToolLoop(loop, prompt).finally(joinRest)
    return cause ?? (end.signal.aborted ? (end.signal.reason as Cause) : connectionLost)
  }
  const answer = async (held: HeldPrompt): Promise<Cause> => {
    const wanted = { ...request.price, model: generation.model, source: 'web' } as const
    // The prompt is put together while the answer is paid for, and sent once it is.
    const building = deps.limiter.runFirst(() => request.prompt(held))
    building.catch(() => undefined)
    try {
      reservation = await deps.limiter.runFirst(() => deps.charges.reserve(payerOf(generation), wanted))
      reserved = 'yes'
    } catch (error) {
      if (isAppError(error) && error.code !== 'unavailable') reserved = 'no'
      return causeOf(error, end)
    }
    try {
      return await stream(building)
    } catch (error) {
      if (!end.signal.aborted) deps.log.warn({ err: error, generationId: generation.id }, 'a generation broke off')
      const isRefusal = isAppError(error) && error.code !== 'unavailable'
      return isOpen && !isRefusal && !end.signal.aborted ? connectionLost : causeOf(error, end)
    }
  }
  return {
    /** Resolves to why the answer ended. */
    async make(): Promise<Cause> {
      const held = deps.promptMemory.hold(generation.ownerId)
      return await answer(held).finally(held.release)
    },
    /** Stores the end, then sends it to the readers. */
    async finish(cause: Cause, firstTokenMs: number | undefined): Promise<void> {
      if (!isOpen && cause.kind === 'stopped') open(generation.model, generation.price)
      const heldRemaining = reservation?.remaining
      const decided = decideEnd(cause, generation, transcript.progress(), { now: deps.now(), heldRemaining })
      const stored = await finalize(deps, lease.owner, { generation, end: decided, firstTokenMs, reserved })
      if (stored !== undefined && isOpen) transcript.end(terminalLines(generation.id, stored))
      await writer.close()
      opened(isOpen ? undefined : refusalNow(stored, deps))
      const { untitled } = request
      if (untitled !== undefined && stored?.failure === null && hasVisibleText(decided.kept.content))
        deps.titler.begin(untitled, decided.kept.content)
    },
  }
}

const refusalNow = (ending: Ending | undefined, { now }: RunDeps): Error =>
  (ending && refusalOf(ending, now())) ?? unavailable()

/** The events before any text: who and what, then a guest's allowance. */
function openingOf(
  { start, guestToken }: RunRequest,
  model: string,
  allowance: Reservation['allowance'],
): StreamEvent[] {
  const events: StreamEvent[] = [{ ...start, model }]
  if (allowance !== undefined) events.push({ guestInfo: { id: guestToken ?? '', ...allowance } })
  return events
}

interface CompletionPrompt {
  readonly messages: readonly PromptMessage[]
  readonly tools: readonly PromptTool[]
  readonly retained: RetainedPrompt
}

async function openCompletion(deps: RunDeps, request: RunRequest, prompt: CompletionPrompt, end: AbortController) {
  const { generation, allowLocked, requestId } = request
  const { guest, ownerId, chatId } = generation
  const { timing, client } = deps
  const late = setTimeout(() => end.abort(timeoutFailure), timing.firstFrameMs)
  const { messages, tools } = prompt
  const open = ({ messages: retained, at }: RetainedPrompt) =>
    client.open(modelInternalRoutes.complete, {
      body: {
        ...{ generationId: generationIdOf(generation), model: generation.model, allowLocked },
        messages: messages.slice(retained),
        ...(retained > 0 && { after: retained }),
        ...(guest === null && { watcher: { userId: ownerId, chatId, messageId: generation.id } }),
        ...(tools.length > 0 && { tools: [...tools] }),
      },
      signal: end.signal,
      timeoutMs: timing.totalMs,
      requestId,
      // An answer has no status before its first piece, so a retry repeats nothing.
      repeat: true,
      replica: at,
    })
  try {
    const body = await open(prompt.retained).catch((error: unknown) => {
      if (prompt.retained.messages > 0 && isNotRetained(error)) return open({ messages: 0 })
      throw error
    })
    return completionLines(body, timing.silenceMs)
  } finally {
    clearTimeout(late)
  }
}

/** The prompt was dropped, or the replica that kept it has gone; another service may have its address now. */
const isNotRetained = (error: unknown): boolean =>
  isAppError(error) && ['conflict', 'not_found', 'unavailable'].includes(error.code)

function causeOf(error: unknown, end: AbortController): Cause {
  if (end.signal.aborted) return end.signal.reason as Cause
  const { code, message } = isAppError(error) ? error : unavailable(error)
  return { kind: 'failed', error: message, code, limit: limitOf(error) }
}
