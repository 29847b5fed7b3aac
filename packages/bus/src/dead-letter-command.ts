import { keepTrying, type Logger, usageError } from '@parley/kit'
import type { EventBus, Subscription } from './event-bus.ts'

/** Milliseconds that an operator waits for a bus that does not answer. */
const patienceMs = 30_000

/** What the command works with. */
export interface DeadLetterWork {
  readonly bus: EventBus
  /** Whose letters; a replay hands them to its handlers. */
  readonly subscription: Subscription
  readonly log: Logger
}

/**
 * An operator's `list` or `replay` of the events that a group gave up.
 * @returns lines to show
 * @throws Error when the bus does not answer, or for any other word
 */
export async function runDeadLetterCommand(work: DeadLetterWork, args: readonly string[]): Promise<readonly string[]> {
  const { bus, subscription, log } = work
  const [word, ...rest] = args
  if (rest.length > 0 || (word !== 'list' && word !== 'replay')) throw usageError('Usage: dead-letters list | replay')
  const signal = AbortSignal.timeout(patienceMs)
  if (
    !(await keepTrying({ what: 'reading dead letters', act: () => bus.deadLetters(subscription.group), log, signal }))
  )
    throw usageError('The event bus does not answer')
  return word === 'list' ? await listDeadLetters(bus, subscription.group) : [await replayed(bus, subscription)]
}

/** A headline and one line for each letter. */
export async function listDeadLetters(bus: EventBus, group: string): Promise<readonly string[]> {
  const letters = await bus.deadLetters(group)
  return [
    `${group}: ${letters.length}`,
    ...letters.map(({ at, event, error }) => `  ${at.toISOString()} ${event.type} ${event.id}: ${error}`),
  ]
}

const replayed = async (bus: EventBus, subscription: Subscription): Promise<string> =>
  `${await bus.replayDeadLetters(subscription)} handled`
