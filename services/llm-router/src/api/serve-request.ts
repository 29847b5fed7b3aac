import { eventOf } from '@parley/bus'
import type { EventOf, GenerationOutcome, KeyPrincipal, Model, ProviderId, Usage } from '@parley/contracts'
import { AppError, type Clock, eventStreamHeaders, isAppError, type NewId, validationFailed } from '@parley/kit'
import type { Target } from '../adapters/adapter.ts'
import { type Asked, type AskModelsDeps, askModels } from '../completion/ask-models.ts'
import { answering, type CandidatesDeps, wrongType } from '../completion/candidates.ts'
import { type ProviderFailure, readFailure, timedOut, toAppError } from '../completion/failure.ts'
import { type MovingReservation, movingReservation } from '../completion/model-limit.ts'
import { type RecordDeps, recordAnswer } from '../completion/record-answer.ts'
import type { ApiAnswer, AskOptions } from './api-answer.ts'
import type { FinishedRequests } from './finished-requests.ts'
import { type LimitDeps, type LimitHeaders, takeLimits } from './limits.ts'
import type { Output } from './output.ts'
import type { Payment, Payments } from './payments.ts'

export interface ServeDeps extends AskModelsDeps, CandidatesDeps, RecordDeps, LimitDeps {
  readonly payments: Payments
  readonly finished: FinishedRequests
  readonly now: Clock
  readonly newId: NewId
}

/** Makes one call of a model. @throws ProviderFailure, or an adapter's error */
export type ApiCall = (options: AskOptions) => Promise<ApiAnswer>

/** Builds the request of one call, before the call. @param generationId names a translated answer */
export type BuildApiCall = (target: Target, generationId: string) => ApiCall

/** A request in its caller's dialect. */
export interface ApiRequest {
  readonly model: string
  readonly modelType: Model['modelType']
  /** A second model type that can serve it. */
  readonly otherType?: Model['modelType']
  readonly isStream: boolean
  /** Estimated tokens of the prompt. */
  readonly inputTokens: number
  /** Requested tokens of the answer; undefined for the model's maximum. */
  readonly outputTokens: number | undefined
  /** Why a model cannot serve this kind of request; undefined if it can. */
  fault(model: Model): string | undefined
  /**
   * Prepares the calls of a model at a target, such as by fetching the prompt's images, which is done once.
   * @param signal aborts when the caller has left
   * @throws AppError when the request cannot be made of the model
   */
  prepare(model: Model, target: Target, signal: AbortSignal): Promise<BuildApiCall>
  /** Stores a complete answer before its last bytes are sent: the last events of a stream, or all of it. Never rejects. Absent where nothing is stored. */
  keep?: ((last: Uint8Array) => Promise<void>) | undefined
  /** What reports a broken answer in a stream. */
  errorEvent(error: AppError, requestId: string, answerId?: string): Uint8Array
}

/** The caller, and the destination of the answer. */
export interface Caller {
  readonly key: KeyPrincipal
  readonly requestId: string
  readonly output: Output
  /** Sets response headers, whatever the outcome. */
  readonly setHeaders: (headers: LimitHeaders) => void
}

/** Providers that charge for the whole answer even if its call is cancelled: it is read to its end, so that the cost is known. */
const chargingAnyway: ReadonlySet<ProviderId> = new Set(['google'])
/** Maximum milliseconds for reading such an answer to its end. */
const longestDrainMs = 60_000

/**
 * Serves one request of a program: applies limits, holds the price, calls the model and its fallbacks, and relays the answer. The end is
 * recorded before the last byte is sent.
 * @throws AppError before the first byte of an answer, without a charge
 */
export async function serveRequest(deps: ServeDeps, request: ApiRequest, caller: Caller): Promise<void> {
  const arrivedAt = performance.now()
  const model = await findModel(deps, request, caller.key)
  const asked = { model, tokens: tokensOf(request, model) }
  const taken = await takeLimits(deps, caller.key, asked, caller.setHeaders)
  const reservation = movingReservation(deps.counter, taken, (fallback) => tokensOf(request, fallback))
  const generationId = deps.newId()
  const held = deps.payments.hold(generationId, caller.key, model)
  const payment = await held.catch(async (error: unknown) => {
    await reservation.settle(0)
    throw error
  })
  await serveHeld({ deps, request, caller, model, reservation, generationId, arrivedAt, payment })
}

/** Tokens that a request may take of a model. */
const tokensOf = ({ inputTokens, outputTokens }: ApiRequest, { maxTokens }: Model): number =>
  inputTokens + Math.min(outputTokens ?? maxTokens, maxTokens)

interface Running {
  readonly deps: ServeDeps
  readonly request: ApiRequest
  readonly caller: Caller
  readonly model: Model
  readonly reservation: MovingReservation
  readonly generationId: string
  readonly arrivedAt: number
  readonly payment: Payment
}

async function serveHeld(running: Running): Promise<void> {
  const { deps, request, caller, model, reservation, generationId } = running
  const { left } = caller.output
  const idleMs = deps.timeouts.idle
  const withinMs = request.isStream ? deps.timeouts.firstToken : deps.timeouts.total
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  left.addEventListener('abort', stop, { once: true })
  if (left.aborted) stop()
  const total = setTimeout(() => stopped.abort(timedOut('total')), deps.timeouts.total)
  let asked: Asked<ApiAnswer>
  const startedAt = performance.now()
  try {
    const limits = { withinMs, signal: stopped.signal }
    asked = await askModels(deps, answering(deps, model, reservation.take), limits, async (candidate, at) => {
      const fault = request.fault(candidate)
      if (fault !== undefined) throw new AppError('validation_failed', fault)
      const build = await request.prepare(candidate, at, stopped.signal)
      return (target) => {
        const call = build(target, generationId)
        return (deadline) => call({ deadline, idleMs, signal: stopped.signal })
      }
    })
  } catch (error) {
    const outcome = left.aborted ? 'stopped' : 'error'
    const usage = { inputTokens: 0, outputTokens: 0, estimated: false }
    void deps.finished.record(endOf(running, { ...{ outcome, usage, model }, charge: 0, startedAt }))
    running.payment.settle(0)
    await reservation.settle(0)
    clearTimeout(total)
    if (left.aborted) return
    // A refusal of the request, in our own words.
    throw isAppError(error) ? error : answerOf(readFailure(error), model)
  }
  // From now on the provider determines what happens when the caller leaves.
  left.removeEventListener('abort', stop)
  await handOn(running, asked).finally(() => clearTimeout(total))
}

/** Relays the answer to its end, records that, and sends the last part. */
async function handOn(running: Running, asked: Asked<ApiAnswer>): Promise<void> {
  const { deps, request, caller, payment, reservation } = running
  const { output, key } = caller
  const { answer, model, startedAt } = asked
  const leave = leaving(output.left, model, answer)
  if (request.isStream) output.begin(headersOf(running, eventStreamHeaders))
  let failure: ProviderFailure | undefined
  try {
    for await (const piece of answer.pieces) await output.write(piece)
  } catch (error) {
    failure = readFailure(error)
  } finally {
    leave.end()
  }
  const outcome = output.left.aborted ? 'stopped' : failure === undefined ? 'complete' : 'interrupted'
  const usage = await answer.usage(failure === undefined)
  const charge = answer.hasOutput() ? Math.min(running.model.creditsPerMessage, model.creditsPerMessage) : 0
  const charged = key.rights.isAdmin ? 0 : charge
  const held = key.rights.isAdmin ? 0 : running.model.creditsPerMessage
  const credits = { charged, remaining: payment.remaining + held - charged }
  if (!request.isStream) {
    output.begin(
      headersOf(running, {
        'content-type': 'application/json',
        'x-credits-charged': String(credits.charged),
        'x-credits-remaining': String(credits.remaining),
      }),
    )
  }
  const last =
    failure === undefined
      ? answer.closing(usage, credits)
      : request.errorEvent(answerOf(failure, model), caller.requestId, answer.id())
  const event = endOf(running, { outcome, usage, model, charge, startedAt, answerId: answer.id() })
  const record = async (): Promise<void> => {
    // Stored apart, an answer could be charged and lost, and then charged again when it is asked for again.
    if (!(await output.keep?.(last, event))) await deps.finished.record(event)
  }
  await Promise.all([record(), outcome === 'complete' && request.keep?.(last)])
  payment.settle(charge)
  await reservation.settle(usage.inputTokens + usage.outputTokens)
  recordAnswer(deps, asked, usage)
  await output.end(last)
}

/** What happens to a call when its caller leaves. */
function leaving(left: AbortSignal, { provider }: Model, answer: ApiAnswer): { end(): void } {
  let timer: NodeJS.Timeout | undefined
  const leave = (): void => {
    if (chargingAnyway.has(provider)) timer = setTimeout(() => answer.cancel(), longestDrainMs)
    else answer.cancel()
  }
  left.addEventListener('abort', leave, { once: true })
  if (left.aborted) leave()
  return {
    end() {
      clearTimeout(timer)
      left.removeEventListener('abort', leave)
    },
  }
}

interface End {
  readonly outcome: GenerationOutcome
  readonly usage: Usage
  readonly model: Model
  readonly charge: number
  readonly startedAt: number
  readonly answerId?: string | undefined
}

const endOf = (
  { deps, caller: { key }, generationId }: Running,
  { outcome, usage, model, charge, startedAt, answerId }: End,
): EventOf<'llm-router.request-finished'> =>
  eventOf(
    'llm-router.request-finished',
    generationId,
    {
      ...{ generationId, keyId: key.keyId, userId: key.userId, model: model.id, outcome, charge, usage },
      responseMs: Math.round(performance.now() - startedAt),
      ...(answerId !== undefined && { answerId }),
    },
    { id: deps.newId(), at: deps.now() },
  )

const headersOf = (
  { arrivedAt, generationId }: Running,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...headers,
  'openai-processing-ms': String(Math.round(performance.now() - arrivedAt)),
  'x-generation-id': generationId,
})

/** A provider's rejection of the request itself is not our failure. */
function answerOf(failure: ProviderFailure, { contextLength }: Model): AppError {
  if (failure.isTooLong) {
    // Agents find these words of Anthropic and OpenAI in the text, and shorten their conversation then.
    const message = `prompt is too long: this model's maximum context length is ${contextLength} tokens (context_length_exceeded)`
    return validationFailed([{ path: 'messages', message }])
  }
  const { field } = failure
  if (field !== undefined) return validationFailed([{ path: field, message: `The AI provider refused “${field}”` }])
  return failure.isRefusal ? new AppError('validation_failed', failure.message) : toAppError(failure)
}

/** @throws AppError not_found, model_locked, or validation_failed for a model that cannot serve this */
export async function findModel(
  { registry }: Pick<ServeDeps, 'registry'>,
  request: ApiRequest,
  key: KeyPrincipal,
): Promise<Model> {
  const model = await registry.find(request.model)
  const ofModel = (code: 'not_found' | 'model_locked' | 'validation_failed', message: string): AppError =>
    new AppError(code, message, { details: [{ path: 'model', message }] })
  if (model === undefined) {
    throw ofModel('not_found', 'Model not found, or this key may not use it.')
  }
  if (!model.enabled && !key.rights.isAdmin) {
    throw ofModel('model_locked', 'This model is currently unavailable. Please select a different model.')
  }
  const isOfType = model.modelType === request.modelType || model.modelType === request.otherType
  const fault = isOfType ? request.fault(model) : wrongType[request.modelType]
  if (fault !== undefined) throw ofModel('validation_failed', fault)
  return model
}
