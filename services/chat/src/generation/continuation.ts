import { generationIdOf, wholeEnding } from '../store/continued.ts'
import type { Continued, Ending, Generation, NewGeneration, Progress, Seed } from '../store/entities.ts'
import type { Payer } from './charges.ts'
import { type Cause, decideEnding, hasVisibleText } from './ending.ts'

/** More generations than this no answer has. */
export const mostGenerations = 50

/** The payer of an answer's generation. */
export const payerOf = (generation: Payer & Pick<NewGeneration, 'continued'>): Payer => ({
  ...generation,
  id: generationIdOf(generation),
})

/** Whether an answer can be continued: it was stopped, broke off or reached its length limit, and some of it exists. */
export function hasRest(content: string, ending: Ending | null): boolean {
  if (ending === null || !hasVisibleText(content)) return false
  return ending.outcome === 'interrupted' || ending.finishReason === 'length' || ending.finishReason === 'stopped'
}

/** The initial state of an answer's next generation `id`; undefined when the answer cannot be continued. */
export function decideContinue(
  answer: Generation,
  id: string,
  at: Date,
): { readonly continued: Continued; readonly seed: Seed } | undefined {
  const { ending, model, status, content, reasoning, reasoningMs, events, search, attachments, continued } = answer
  const earlier = continued?.earlier ?? []
  if (ending === null || !hasRest(content, wholeEnding(answer)) || earlier.length + 2 > mostGenerations)
    return undefined
  const from = { content: content.length, reasoning: reasoning.length, events: events.length, reasoningMs }
  return {
    continued: {
      ...{ id, begunAt: at.toISOString(), from, status, model },
      earlier: [...earlier, { id: generationIdOf(answer), model, ending }],
    },
    seed: { content, reasoning, reasoningMs, events, search, attachments },
  }
}

/** The progress made by this generation alone. */
export function ownProgress(progress: Progress, continued: Continued | null): Progress {
  if (continued === null) return progress
  const { content, reasoning, events, reasoningMs } = continued.from
  return {
    ...progress,
    content: progress.content.slice(content),
    reasoning: progress.reasoning.slice(reasoning),
    events: progress.events.slice(events),
    reasoningMs: progress.reasoningMs - reasoningMs,
  }
}

/** The whole answer as it is stored, the part that this generation made, and how the generation ends. */
export type DecidedEnd = ReturnType<typeof decideEnd>

/** As `decideEnding`, judged by this generation's part alone. If that has nothing visible, an answer that was continued stays as it was. */
export function decideEnd(
  cause: Cause,
  generation: Pick<NewGeneration, 'createdAt' | 'guest' | 'price' | 'continued'>,
  progress: Progress,
  at: { readonly now: Date; readonly heldRemaining?: number | undefined },
) {
  const { continued } = generation
  const own = ownProgress(progress, continued)
  const createdAt = continued === null ? generation.createdAt : new Date(continued.begunAt)
  const ending = decideEnding(cause, { ...generation, createdAt }, own, at)
  if (continued === null || hasVisibleText(own.content)) return { kept: progress, own, ending }
  const { content, reasoning, events, reasoningMs } = continued.from
  const kept = {
    ...progress,
    content: progress.content.slice(0, content),
    reasoning: progress.reasoning.slice(0, reasoning),
    events: progress.events.slice(0, events),
    reasoningMs,
    model: continued.model,
  }
  return { kept, own, ending: { ...ending, unchanged: continued.status } }
}
