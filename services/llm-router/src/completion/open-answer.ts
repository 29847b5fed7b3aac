import type { Model } from '@parley/contracts'
import type { Adapter, Prompt, ProviderCall, ProviderEvent } from '../adapters/adapter.ts'
import { type Asked, type AskLimits, type AskModelsDeps, askModels, type Candidate } from './ask-models.ts'
import { type Attempt, startAttempt } from './attempt.ts'
import { brokenOff, filteredOut, timedOut } from './failure.ts'
import { fitPrompt } from './fit-prompt.ts'

/** An answer whose first piece has arrived: from now on there is neither retry nor fallback. */
export interface OpenAnswer {
  /** All events read so far, including text, reasoning or a tool call, or the end of an empty answer that is accepted. */
  readonly opening: readonly ProviderEvent[]
  readonly attempt: Attempt
  /** The prompt as sent to the model. */
  readonly prompt: Prompt
}

export interface OpenAnswerDeps extends AskModelsDeps {
  readonly adapterOf: (model: Model) => Adapter
}

/**
 * Tries the models in order, each with its retries, until one delivers its first piece.
 * @throws ProviderFailure of the first model when none answers, or when `signal` aborts; AppError if its request could not be built
 */
export const openAnswer = (
  deps: OpenAnswerDeps,
  candidates: AsyncIterable<Candidate>,
  asked: Prompt,
  { signal, onDelay }: Omit<AskLimits, 'withinMs'>,
): Promise<Asked<OpenAnswer>> =>
  askModels(deps, candidates, { withinMs: deps.timeouts.firstToken, signal, onDelay }, async (model) => {
    const prompt = fitPrompt(asked, model)
    return (target) => {
      const call = deps.adapterOf(model)(target, prompt)
      return (deadline) => openModel(call, { prompt, signal, deadline })
    }
  })

/** How one call is made. */
interface OpenOptions {
  readonly prompt: Prompt
  readonly signal: AbortSignal
  /** By `performance.now()`. */
  readonly deadline: number
  /** Accepts a complete answer without a piece; it is a failure by default. */
  readonly acceptsEmpty?: boolean
}

/** Makes one call and waits for its first piece. @throws ProviderFailure, which ends the call */
export async function openModel(
  call: ProviderCall,
  { prompt, signal, deadline, acceptsEmpty = false }: OpenOptions,
): Promise<OpenAnswer> {
  const attempt = startAttempt(call, signal)
  try {
    const opening = await readOpening(attempt, deadline, acceptsEmpty ? isFinish : isFiltered)
    if (!acceptsEmpty && !opening.some(isPiece)) throw filteredOut()
    return { opening, attempt, prompt }
  } catch (error) {
    attempt.cancel()
    throw error
  }
}

/** The events up to the first piece, or up to an end without any. */
async function readOpening(
  attempt: Attempt,
  deadline: number,
  isEnd: (event: ProviderEvent) => boolean,
): Promise<ProviderEvent[]> {
  const opening: ProviderEvent[] = []
  for (;;) {
    const left = deadline - performance.now()
    if (left <= 0) throw timedOut('first token')
    const events = await attempt.next(left, 'first token')
    // Cut off, or complete without any of these.
    if (events === undefined) throw brokenOff()
    opening.push(...events)
    if (events.some((event) => isPiece(event) || isEnd(event))) return opening
  }
}

/** A partial tool call counts as a piece, because its arguments may be long. */
const isPiece = ({ type }: ProviderEvent): boolean => type === 'text' || type === 'reasoning' || type === 'tool-piece'

const isFinish = ({ type }: ProviderEvent): boolean => type === 'finish'

const isFiltered = (event: ProviderEvent): boolean => event.type === 'finish' && event.reason === 'content_filter'
