import type { CompletionLine } from '@parley/contracts'
import { AppError, isAppError, wholeSeconds } from '@parley/kit'
import { readLimited } from '../images/read-limited.ts'

type FailureCode = Extract<CompletionLine, { type: 'error' }>['code']

/** Why a provider's answer failed, without any text of the provider. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly code: FailureCode
  /** True when the same call may succeed later. */
  readonly retryable: boolean = false
  /** The provider's Retry-After in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** The provider rejected the request itself. */
  readonly isRefusal: boolean = false
  /** It rejected the prompt as longer than the model's context. */
  readonly isTooLong: boolean = false
  /** The field of the request that it rejected, if it named one. */
  readonly field: string | undefined
  /** The provider refused the account rather than the call: another account may succeed. */
  readonly isOfAccount: boolean = false
  /** HTTP status of the refusal; undefined without a response. */
  readonly status: number | undefined
  /** For the log: status and class of the error, never a body. */
  readonly reason: string

  constructor(code: FailureCode, reason: string, { text, ...traits }: FailureOptions = {}) {
    super(text ?? (code === 'provider_timeout' ? texts.timeout : texts.broken))
    this.code = code
    this.reason = reason
    Object.assign(this, traits)
  }
}
type FailureOptions = { readonly text?: string } & Partial<
  Pick<ProviderFailure, 'retryable' | 'retryAfterMs' | 'isRefusal' | 'isTooLong' | 'field' | 'isOfAccount' | 'status'>
>

const texts = {
  timeout: 'Response timeout. The AI model took too long to respond.',
  broken: 'The AI provider couldn’t answer. Please try again.',
  busy: 'The AI provider is overloaded. Please try again in a moment.',
  credentials: 'The AI provider didn’t accept this server’s credentials. Please choose another model.',
  refused: 'The AI provider refused this request. Please choose another model or shorten the chat.',
  unconfigured: 'No API key is configured for this AI provider. Please choose another model.',
  noImages: 'This AI provider doesn’t create images. Please choose another model.',
  noImage: 'The AI provider didn’t return an image. Please try again, or describe it differently.',
  interrupted: 'Streaming was interrupted',
}

/** A deadline was exceeded. */
export const timedOut = (which: string): ProviderFailure => new ProviderFailure('provider_timeout', which)

/** The provider has no key. */
export const unconfigured = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'no key configured', { text: texts.unconfigured })

/** The model's circuit breaker is open. */
export const overloaded = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'circuit open', { text: texts.busy })

/** The provider cannot generate images. */
export const makesNoImages = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'makes no images', { text: texts.noImages })

/** The provider's answer has no usable image. */
export const noImage = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'no image in the answer', { text: texts.noImage })

/** The provider's answer does not have one vector per text. */
export const noVectors = (): ProviderFailure => new ProviderFailure('provider_error', 'no vectors in the answer')

/** The provider's content filter ended the answer before its first piece: the same model would refuse again. */
export const filteredOut = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'content filter', { text: texts.refused, isRefusal: true })

/** The answer ended without a finish event. */
export const brokenOff = (): ProviderFailure =>
  new ProviderFailure('provider_error', 'ended early', { retryable: true })

const isRefusal = (status: unknown): boolean => status === 400 || status === 413 || status === 422

/** How providers say, by a code or in words, that a prompt is longer than the model's context. */
const overflow =
  /context_length_exceeded|(context|prompt) (length|window|limit)|(prompt|input) is too long|token count .{0,40}exceeds/i
const longestRefusal = 64 * 1024
/** How providers name a field at fault: OpenAI by itself, Anthropic at the start of its text. */
const fieldAtFault = /"param": ?"(\w+)|"message": ?"(\w+)[.:]/

/**
 * The error of a call that a provider refused. The texts in its body may contain keys and addresses, so all that is read from them is whether
 * the prompt was too long, and which field was at fault.
 * @param asked the body of the call, whose fields may be named
 */
export async function refusedCall(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: AsyncIterable<Uint8Array> | null,
  asked: object = {},
): Promise<Error> {
  const told = isRefusal(status) ? String(await readLimited(body, longestRefusal).catch(() => '')) : ''
  const [, ofOpenAi, ofAnthropic] = fieldAtFault.exec(told) ?? []
  const field = Object.keys(asked).find((name) => name === (ofOpenAi ?? ofAnthropic))
  return Object.assign(new Error('The provider refused the call'), {
    ...{ status, headers, field },
    isTooLong: overflow.test(told),
  })
}

const isProviderFailure = (thrown: unknown): thrown is ProviderFailure =>
  thrown instanceof Error && thrown.name === 'ProviderFailure'

/** Interprets an adapter's error. */
export function readFailure(thrown: unknown): ProviderFailure {
  if (isProviderFailure(thrown)) return thrown
  const { status, headers, cause, name, code, message, isTooLong, field } = (thrown ?? {}) as ThrownByAdapter
  if (isTimeoutOfConnect(cause) || isTimeoutOfConnect(thrown)) return timedOut('connect')
  const reason = typeof status === 'number' ? `status ${status}` : `${name ?? 'error'} ${codeOf(thrown)}`.trim()
  const fail = (text: string, retryable: boolean): ProviderFailure =>
    new ProviderFailure('provider_error', reason, {
      ...{ text, retryable, retryAfterMs: readRetryAfter(headers) },
      status: typeof status === 'number' ? status : undefined,
      isRefusal: isRefusal(status),
      isTooLong: isRefusal(status) && (isTooLong ?? overflow.test(`${code} ${message}`)),
      field,
      isOfAccount: status === 401 || status === 402 || status === 403 || status === 429,
    })
  if (typeof status !== 'number') return fail(texts.broken, true)
  if (status === 401 || status === 402 || status === 403) return fail(texts.credentials, false)
  if (status === 429) return fail(texts.busy, true)
  if (status === 408 || status === 409 || status >= 500) return fail(texts.broken, true)
  return fail(texts.refused, false)
}
interface ThrownByAdapter {
  readonly name?: string
  /** An SDK's are those of the provider. */
  readonly code?: unknown
  readonly message?: string
  readonly isTooLong?: boolean
  readonly field?: string
  readonly status?: unknown
  readonly headers?: Headers
  readonly cause?: unknown
}

/** The code of the innermost cause. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return cause === undefined ? String(code ?? '') : codeOf(cause)
}

const isTimeoutOfConnect = (error: unknown): boolean => codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT'

function readRetryAfter(headers: Headers | undefined): number | undefined {
  const value = headers?.get?.('retry-after')
  if (!value) return undefined
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The error for a response whose status has not been sent yet. */
export const toAppError = ({ code, message, reason, retryAfterMs }: ProviderFailure): AppError =>
  new AppError(code, message, {
    cause: reason,
    // Official clients wait as long before they try again.
    ...(retryAfterMs !== undefined && { headers: { 'retry-after': String(wholeSeconds(retryAfterMs)) } }),
  })

/** The same for whatever `askModels` throws: a refusal, or a fault of ours, is no failure of a provider. */
export const appErrorOf = (thrown: unknown): AppError => (isAppError(thrown) ? thrown : toAppError(readFailure(thrown)))

/** Why a model did not answer: anything unforeseen outside of its call is a fault of ours. */
export const knownFailure = (thrown: unknown): ProviderFailure | AppError =>
  isAppError(thrown) || isProviderFailure(thrown)
    ? thrown
    : new AppError('internal_error', 'Something went wrong on our side. Please try again.', { cause: thrown })

/** The text for an answer that breaks off after its start. */
export const interruptedText = (failure: ProviderFailure): string =>
  failure.code === 'provider_timeout' ? failure.message : texts.interrupted
