import type { TestFunction } from 'vitest'
import { it } from './shared-system.ts'
import { type SystemKind, systemKind } from './system-kinds.ts'

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
]

/** `it` for specs with deviations: registers nothing on a system to which the spec does not apply. */
export function itWhereItApplies(spec: string, test: TestFunction): void {
  if (deviations.some((deviation) => deviation.on === systemKind() && deviation.spec === spec)) return
  it(spec, test)
}
