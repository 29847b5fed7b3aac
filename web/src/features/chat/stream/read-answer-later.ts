import { retryImport } from '../../../shared/lazy/index.ts'
import type { AnswerStep } from './answer-event.ts'
import type { AnswerEnd, AnswerReaderDeps, AnswerRequest } from './read-answer.ts'

type Reader = typeof import('./read-answer.ts')

let loaded: Reader | null = null
const loadReader = async (): Promise<Reader> => {
  loaded = await import('./read-answer.ts')
  return loaded
}

/** Preloads the stream reader for the first message; a failure is retried then. */
export const prepareReader = (): Promise<unknown> => loadReader().catch(() => undefined)

/**
 * Like `readAnswer`, with its code loaded on first use; if that fails the call has failed with a network error. Once loaded, the call
 * starts synchronously, before the page renders the sent message.
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
