import type { UserPrincipal } from '@parley/contracts'
import { createKeyedLimiter, createLimiter } from '@parley/kit'

/** Acts at once, and how many more may wait. */
type Count = readonly [atOnce: number, waiting: number]

/** How many bodies are held at once: in all, of one network, whose accounts may be one person's, and of one user. */
export interface SlotCounts {
  readonly all: Count
  readonly network: Count
  readonly user: Count
}

/** Slots for bodies that are held in memory. */
export interface BodySlots {
  /** @throws AppError unavailable when too many wait, and what the act throws */
  run<T>(user: Pick<UserPrincipal, 'userId' | 'network'>, act: () => Promise<T>): Promise<T>
}

/** A body waits for a slot of its user first, then of its network, then of all. */
export function createBodySlots({ all, network, user }: SlotCounts): BodySlots {
  const everybody = createLimiter(...all)
  const networks = createKeyedLimiter(...network)
  const users = createKeyedLimiter(...user)
  return {
    run: (by, act) => users.run(by.userId, () => networks.run(by.network, () => everybody.run(act))),
  }
}
