import { retryImport } from '../../../shared/lazy/index.ts'
import type { AnswerStep } from './answer-event.ts'
import type { AnswerEnd, AnswerReaderDeps, AnswerRequest } from './read-answer.ts'

const loadReader = () => import('./read-answer.ts')

/** Loads what reads answers, so that it is there with the first message; what fails is tried again then. */
export const prepareReader = (): void => void loadReader().catch(() => undefined)

/** As `readAnswer`, whose code a page needs only once something is sent; where it cannot be had the call has failed for want of a network. */
export async function* readAnswerLater(
  deps: Omit<AnswerReaderDeps, 'limits'>,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep, AnswerEnd> {
  const reader = await retryImport(loadReader).catch(() => null)
  if (reader) return yield* reader.readAnswer({ ...deps, limits: reader.streamLimits }, request, signal)
  if (request.type === 'resume') return { type: 'interrupted', reason: 'failed' }
  return { type: 'refused', failure: { status: 0, code: 'network', message: 'No answer' } }
}
