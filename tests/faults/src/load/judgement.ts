import type { Books } from './books.ts'
import type { Completion } from './key-request.ts'

/** One generation as its clients saw it; there are two when it was requested twice at once. */
export interface Asked {
  readonly said: string
  readonly source: 'web' | 'key'
  readonly answers: readonly Readonly<Completion>[]
}

/** Everything to be compared. */
export interface Seen {
  readonly asked: readonly Asked[]
  readonly books: Books
  /** The provider's calls with this message, and its answers. */
  readonly calls: (said: string) => number
  readonly told: (said: string) => string
}

/** Figures by name. */
export type LoadFigures = Readonly<Record<string, number>>

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)
const count = <T>(values: Iterable<T>, matches: (value: T) => boolean): number => [...values].filter(matches).length

/** Counts of what was requested, called, charged, and free. */
export function figuresOf({ asked, books, calls }: Seen): LoadFigures {
  const booked = [...books.generations.values()]
  const free = booked.filter(({ captured }) => captured === 0)
  const answers = asked.flatMap(({ answers: [first] }) => first ?? [])
  return {
    'generations asked for': asked.length,
    'answers that ended well': count(answers, ({ ending }) => ending === 'done'),
    'answers that broke off': count(answers, ({ ending }) => ending === 'error'),
    'requests that were given up': count(answers, ({ ending }) => ending === undefined),
    'requests that failed on the way': sum(asked.flatMap((one) => one.answers.map(({ failures }) => failures.length))),
    'calls of the provider': sum(asked.map(({ said }) => calls(said))),
    'holds made': booked.length,
    'charged by the ledger': sum(booked.map(({ captured }) => captured)),
    'charged by the receipts': sum([...books.receipts.values()].map(({ charged }) => charged)),
    'free: its replica died, the hold ran out': count(free, ({ state }) => state === 'expired'),
    'free: it ended without output': count(free, ({ state }) => state === 'released'),
    'still held': count(free, ({ state }) => state === 'held'),
  }
}

/** Reasons of failed requests, with their counts. */
export function failuresOf(asked: readonly Asked[]): LoadFigures {
  const reasons = asked.flatMap(({ source, answers }) =>
    answers.flatMap(({ failures }) =>
      failures.map((failure) => `${source}: ${failure.replace(/"requestId".*/, '').slice(0, 90)}`),
    ),
  )
  return Object.fromEntries([...new Set(reasons)].map((reason) => [reason, count(reasons, (one) => one === reason)]))
}

/** The conditions of the load. */
export interface Judged {
  /** Whether programs retried failed requests until they succeeded. */
  readonly retried: boolean
  readonly longestOverdue: number
}

/** Seconds past its limit after which a hold must have been released: two replicas sweep every 5 s, starting 30 s after their start. */
const mostOverdue = 60

/** All contradictions; empty if there are none. */
export function violationsOf(seen: Seen, { retried, longestOverdue }: Judged): string[] {
  const { asked, books } = seen
  const booked = [...books.generations.values()]
  const figures = figuresOf(seen)
  const ofKeys = asked.filter(({ source }) => source === 'key')
  const charged = sum(booked.filter(({ source }) => source === 'key').map(({ captured }) => captured))
  const expected = count(ofKeys, ({ answers }) => answers.some(({ text }) => text !== ''))
  return [
    ...books.wrongAccounts.map((user) => `the ledger of ${user} does not add up to its balance`),
    ...booked.flatMap(({ id, captures }) => (captures > 1 ? [`${id} was charged ${captures} times`] : [])),
    ...booked.flatMap(({ id, captured, outcome }) => {
      const told = books.receipts.get(id)?.charged
      return outcome !== null && told !== captured ? [`the receipt of ${id} says ${told}, the ledger ${captured}`] : []
    }),
    ...asked.flatMap((one) => faultsOf(one, seen)),
    ...(Number(figures['charged by the ledger']) > Number(figures['calls of the provider'])
      ? ['more was charged for than the provider was called for']
      : []),
    ...(retried && charged !== expected ? [`${charged} requests by key were charged, ${expected} were answered`] : []),
    ...(longestOverdue > mostOverdue ? [`a hold was ${longestOverdue} s over its limit`] : []),
  ]
}

/**
 * The faults of one message. A client that received the end must have the whole text, and each message is charged once. Of two concurrent
 * copies one may be refused while nothing has been generated yet; copies of the same answer must be identical.
 */
function faultsOf({ said, answers }: Asked, { books, told, calls }: Seen): string[] {
  const seen = answers.map(({ generationId, ending, text }) => `${generationId} ${ending} ${text.length}`).join(', ')
  const failures = answers.flatMap((answer) => answer.failures).join('; ')
  const fault = (what: string): string[] => [`${said}: ${what} (${seen}; ${failures})`]
  if (answers.some(({ ending }) => ending === undefined)) return []
  const texts = Map.groupBy(answers, ({ generationId }) => generationId)
  const due = [...texts.values()].filter(([first]) => first?.text !== '').length
  return [
    ...[...texts].flatMap(([id, [first, ...others]]) => {
      const owed = first?.text === '' ? 0 : 1
      const paid = books.generations.get(id)?.captured
      return [
        ...(others.every(({ text }) => text === first?.text) ? [] : fault('one answer was told differently')),
        ...((paid ?? 0) === owed ? [] : fault(`${paid ?? 'nothing'} was charged, ${owed} was due`)),
      ]
    }),
    ...(due > 1 ? fault('it was answered and charged more than once') : []),
    ...(answers.every(({ ending, text }) => ending === 'error' || text === told(said))
      ? []
      : fault('its end came without all of it')),
    ...(calls(said) < due ? fault('the provider was not asked for it') : []),
  ]
}
