import { type DeadLetters, retryWithBackoff, usageError } from '@parley/kit'
import type { EventBus, Subscription } from './event-bus.ts'

/** Milliseconds that an operator waits for a bus that does not answer. */
const patienceMs = 30_000

/** The letters of the subscriptions' groups are shown; a replay calls their handlers. */
export interface DeadLetterWork extends DeadLetters {
  readonly bus: EventBus
}

/**
 * An operator's `list` or `replay` of the events that groups gave up: of all of these, or of the one that is named.
 * @returns lines to show
 * @throws Error when the bus does not answer, or for any other word or group
 */
export async function runDeadLetterCommand(work: DeadLetterWork, args: readonly string[]): Promise<readonly string[]> {
  const { bus, subscriptions, log } = work
  const [word, name, ...rest] = args
  const wanted = subscriptions.filter(({ group }) => name === undefined || name === group)
  if (rest.length > 0 || (word !== 'list' && word !== 'replay') || wanted.length === 0) {
    const groups = subscriptions.map(({ group }) => group).join(', ')
    throw usageError(`Usage: dead-letters list | replay, with or without the name of a group: ${groups}`)
  }
  const signal = AbortSignal.timeout(patienceMs)
  let lines: string[] = []
  const list = async (): Promise<void> => {
    lines = (await Promise.all(wanted.map(({ group }) => listed(bus, group)))).flat()
  }
  if (!(await retryWithBackoff({ what: 'reading dead letters', act: list, log, signal })))
    throw usageError('The event bus does not answer')
  if (word === 'list') return lines
  lines = []
  for (const subscription of wanted) lines.push(await replayed(bus, subscription))
  return lines
}

/** A headline and one line for each letter. */
async function listed(bus: EventBus, group: string): Promise<string[]> {
  const letters = await bus.deadLetters(group)
  return [
    `${group}: ${letters.length}`,
    ...letters.map(({ at, event, error }) => `  ${at.toISOString()} ${event.type} ${event.id}: ${error}`),
  ]
}

const replayed = async (bus: EventBus, subscription: Subscription): Promise<string> =>
  `${subscription.group}: ${await bus.replayDeadLetters(subscription)} handled`
