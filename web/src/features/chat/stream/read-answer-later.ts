import { retryImport } from '../../../shared/lazy/index.ts'
import type { AnswerStep } from './answer-event.ts'
import type { AnswerEnd, AnswerReaderDeps, AnswerRequest } from './read-answer.ts'

type Reader = typeof import('./read-answer.ts')

let loaded: Reader | null = null
const loadReader = async (): Promise<Reader> => {
  loaded = await import('./read-answer.ts')
  return loaded
}

/** Loads what reads answers, so that it is there with the first message; what fails is tried again then. */
export const prepareReader = (): Promise<unknown> => loadReader().catch(() => undefined)

/**
 * As `readAnswer`, whose code a page needs only once something is sent; where it cannot be had the call has failed for want of a network. Where it has been loaded
 * the call is made at once, before the page draws what is sent.
 */
export async function* readAnswerLater(
  deps: Omit<AnswerReaderDeps, 'limits'>,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep, AnswerEnd> {
  const reader = loaded ?? (await retryImport(loadReader).catch(() => null))
  if (reader) return yield* reader.readAnswer({ ...deps, limits: reader.streamLimits }, request, signal)
  if (request.type === 'resume') return { type: 'interrupted', reason: 'failed' }
  return { type: 'refused', failure: { status: 0, code: 'network', message: 'No answer' } }
}
