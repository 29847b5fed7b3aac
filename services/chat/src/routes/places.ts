import type { UserPrincipal } from '@parley/contracts'
import { createKeyedLimiter, createLimiter } from '@parley/kit'

/** Acts at once, and how many more may wait. */
type Count = readonly [atOnce: number, waiting: number]

/** For how many bodies there is room: in all, of one network, whose accounts may be one person's, and of one user. */
export interface PlaceCounts {
  readonly all: Count
  readonly network: Count
  readonly user: Count
}

/** Places for bodies that are held in memory. */
export interface Places {
  /** @throws AppError unavailable when too many wait, and what the act throws */
  run<T>(user: Pick<UserPrincipal, 'userId' | 'network'>, act: () => Promise<T>): Promise<T>
}

/** Nobody waits for a common place before having one of their own. */
export function createPlaces({ all, network, user }: PlaceCounts): Places {
  const everybody = createLimiter(...all)
  const networks = createKeyedLimiter(...network)
  const users = createKeyedLimiter(...user)
  return {
    run: (by, act) => users.run(by.userId, () => networks.run(by.network, () => everybody.run(act))),
  }
}
