import type { Message, Usage } from '@parley/contracts'
import type { EndedGeneration, Ending, Generation, NewGeneration, ThreadMessage } from './entities.ts'

/** An answer, by its message's id and its latest generation. */
type AnswerIds = Pick<NewGeneration, 'id' | 'continued'>
/** An answer as far as its generations have come. */
type AnswerState = AnswerIds & { readonly model: string | null; readonly ending: Ending | null }

/** The id of an answer's latest generation: its hold's at billing, its event's and its stream's. It is the message's own unless the answer was continued. */
export const generationIdOf = ({ id, continued }: AnswerIds): string => continued?.id ?? id

const statuses = { complete: 'complete', stopped: 'complete', interrupted: 'interrupted', error: 'error' } as const

/** The status of an answer that ended like this. */
export const statusOf = ({ outcome, unchanged }: Ending): Message['status'] => unchanged ?? statuses[outcome]

/** An answer as it was at the end of one of its generations; as it is, for the latest one and for its own id. */
export function atGeneration(answer: Generation, id: string): Generation {
  const earlier = id === answer.id ? undefined : answer.continued?.earlier.find((each) => each.id === id)
  return earlier === undefined ? answer : { ...answer, ending: earlier.ending, status: statusOf(earlier.ending) }
}

/** The ending and the generations of an answer as a thread shows them. */
export function endOf(answer: AnswerState): Pick<ThreadMessage, 'ending' | 'generations' | 'generationId'> {
  const { ending, continued } = answer
  if (continued === null) return { ending }
  const generations = endedGenerations(answer)
  return { ending: wholeEnding(answer), generations, ...(ending === null && { generationId: continued.id }) }
}

/** The generations of an answer that added something, in order; empty while the first one runs. */
function endedGenerations({ id, model, ending, continued }: AnswerState): readonly EndedGeneration[] {
  const last = ending === null ? [] : [{ id: continued?.id ?? id, model: model ?? '', ending }]
  return [...(continued?.earlier ?? []), ...last].filter((each) => each.ending.unchanged === undefined)
}

/** The ending of an answer as a whole: that of the last generation that added something, with the sums of all of those. Null while one runs. */
export function wholeEnding(answer: AnswerState): Ending | null {
  const { ending, continued } = answer
  if (ending === null || continued === null) return ending
  const endings = endedGenerations(answer).map((each) => each.ending)
  const last = endings.at(-1) ?? ending
  const total = (of: (ending: Ending) => number): number => endings.reduce((sum, each) => sum + of(each), 0)
  return {
    ...last,
    usage: endings.map(({ usage }) => usage).reduce(sumUsage, noUsage),
    credits: { charged: total(({ credits }) => credits.charged), remaining: ending.credits.remaining },
    durationMs: total(({ durationMs }) => durationMs),
  }
}

/** No tokens. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }

/** Two counts of tokens as one. */
export const sumUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  estimated: one.estimated || other.estimated,
})
