import { it, type TestFunction } from 'vitest'
import { type SystemKind, systemKind } from './system-kinds.ts'

/** Specs that say nothing about a kind of system, with the reason; all others run on every kind, word for word the same. */
export const deviations: readonly { readonly on: SystemKind; readonly spec: string; readonly reason: string }[] = [
  {
    on: 'split',
    spec: 'names every wrong variable at once and does not start',
    reason: 'the variables are those of npm start; each service is held to its own by its own tests',
  },
  {
    on: 'split',
    spec: 'answers with the demo, and says so, where no provider is configured',
    reason:
      'the demo that it would ask is part of the launcher, and a start of eighteen processes for it says nothing more',
  },
  {
    on: 'split',
    spec: 'without a server: says so, keeps what was entered, and goes on once it is back',
    reason: 'what a page makes of a server that is unavailable does not depend on what was there',
  },
]

/** `it`, for specs that deviate: they are not there on a kind of system that they say nothing about. */
export function itWhereItApplies(spec: string, test: TestFunction): void {
  if (deviations.some((deviation) => deviation.on === systemKind() && deviation.spec === spec)) return
  it(spec, test)
}
