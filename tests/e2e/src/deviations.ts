import type { TestFunction } from 'vitest'
import type { Visitor } from './browser.ts'
import { it, type SharedSystem } from './shared-system.ts'
import { type SystemKind, systemKind } from './system-kinds.ts'

const ofPage =
  'what a page keeps, or does with a response that the test makes up, does not depend on the kind of server'
/** What a page does by itself. */
const ofPages = [
  'a chat that could not be migrated is removed without a notice at sign-out',
  'a chat that could not be migrated survives a reload',
  'a code that cannot be delivered is reported, with the way to another address',
  'a retried migration keeps the composer, and a chat that is refused for good can be discarded',
  'has an export whose progress is shown after a failed request, and after a lost response',
  'inserts stored messages before one that was sent while they loaded',
  'is told that live updates have stopped after twenty attempts, and resumes them on request',
  'keeps one draft per chat through a reload',
  'says why a message is not sent when the models cannot be loaded',
  'sends a message written before the models were loaded',
  'the sign-in form promises to keep a draft only if there is one',
  'works on a phone: drawer, a composer that stays, send, stop',
]

/** Specs that do not apply to a kind of system, with the reason; all others run unchanged on every kind. */
export const deviations: readonly { readonly on: SystemKind; readonly spec: string; readonly reason: string }[] = [
  {
    on: 'split',
    spec: 'names every wrong variable at once and does not start',
    reason: 'these are the variables of npm start; each service tests its own',
  },
  {
    on: 'split',
    spec: 'answers with the demo, and says so, where no provider is configured',
    reason: 'the demo is part of the launcher, so starting eighteen processes would show nothing more',
  },
  {
    on: 'split',
    spec: 'without a server: says so, keeps what was entered, and goes on once it is back',
    reason: 'how a page handles an unavailable server does not depend on the kind of server',
  },
  {
    on: 'split',
    spec: 'shows an answer as interrupted when the server dies, and retries it',
    reason:
      'a test of the process kills all of it in an answer; how a page shows that does not depend on the kind of server',
  },
  ...ofPages.map((spec) => ({ on: 'split', spec, reason: ofPage }) as const),
]

/** `it` for specs with deviations: registers nothing on a system to which the spec does not apply. */
export function itWhereItApplies(
  spec: string,
  test: TestFunction<{ readonly shared: SharedSystem; readonly visitor: Visitor }>,
): void {
  if (deviations.some((deviation) => deviation.on === systemKind() && deviation.spec === spec)) return
  it(spec, test)
}
