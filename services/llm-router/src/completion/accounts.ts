import type { ProviderId } from '@parley/contracts'

/** The call history of a provider's account. Times are from one monotonic clock, in milliseconds. */
export interface AccountState {
  /** Sequence number of the account's last call; 0 for none. */
  readonly lastCall: number
  /** Refusals since the last answered call. */
  readonly refusals: number
  readonly refusedAt: number
  /** The account is skipped until then. */
  readonly restsUntil: number
}

/** The state of an unused account. */
export const newAccount: AccountState = { lastCall: 0, refusals: 0, refusedAt: 0, restsUntil: 0 }

/** Rest of an account after its first refusal, in milliseconds; doubled by each further one. */
const firstRestMs = 5_000
const longestRestMs = 600_000
/** Maximum Retry-After in milliseconds. */
const longestAskedMs = 3_600_000

/**
 * Chooses the account for the next call: the least recently used one that is not resting or, while all rest, the one whose refusal is oldest,
 * because a call that may be refused is better than none.
 * @param isTried whether the account has refused this request
 * @returns its index; undefined when all have been tried
 */
export function decideAccount(
  accounts: readonly AccountState[],
  nowMs: number,
  isTried: (place: number) => boolean = () => false,
): number | undefined {
  const untried = [...accounts.keys()].filter((place) => !isTried(place))
  const awake = untried.filter((place) => stateAt(accounts, place).restsUntil <= nowMs)
  const [some, by] = awake.length > 0 ? [awake, 'lastCall' as const] : [untried, 'refusedAt' as const]
  return some.toSorted((a, b) => stateAt(accounts, a)[by] - stateAt(accounts, b)[by])[0]
}

const stateAt = (accounts: readonly AccountState[], place: number): AccountState => accounts[place] as AccountState

/** The state after a refusal. @param retryAfterMs as requested by the provider */
export function refused(account: AccountState, nowMs: number, retryAfterMs: number | undefined): AccountState {
  const grown = Math.min(firstRestMs * 2 ** account.refusals, longestRestMs)
  const restMs = retryAfterMs === undefined ? grown : Math.min(retryAfterMs, longestAskedMs)
  return { ...account, refusals: account.refusals + 1, refusedAt: nowMs, restsUntil: nowMs + restMs }
}

/** The accounts of every provider, identified by key, with their state on this replica. */
export type Accounts = ReturnType<typeof createAccounts>

/** Creates unused accounts. @param nowMs a monotonic clock */
export function createAccounts(
  keysOf: (provider: ProviderId) => readonly string[],
  nowMs: () => number = () => performance.now(),
) {
  const states = new Map<ProviderId, AccountState[]>()
  let calls = 0
  const of = (provider: ProviderId): AccountState[] => {
    const known = states.get(provider) ?? keysOf(provider).map(() => newAccount)
    states.set(provider, known)
    return known
  }
  const change = (provider: ProviderId, place: number, to: (state: AccountState) => AccountState): AccountState => {
    const known = of(provider)
    const state = to(known[place] ?? newAccount)
    known[place] = state
    return state
  }
  return {
    /** The key for the next call; undefined when the provider has none left that is not in `tried`. */
    next(provider: ProviderId, tried?: ReadonlySet<string>): string | undefined {
      const keys = keysOf(provider)
      const place = decideAccount(of(provider), nowMs(), (at) => tried?.has(keys[at] ?? '') === true)
      if (place === undefined) return undefined
      calls += 1
      change(provider, place, (state) => ({ ...state, lastCall: calls }))
      return keys[place]
    },
    /** Records that a call with the key was answered. */
    answered(provider: ProviderId, key: string): void {
      // The rest is kept: this call may have started before the refusal.
      change(provider, keysOf(provider).indexOf(key), (state) => ({ ...state, refusals: 0 }))
    },
    /** Records that the provider refused the key or limits it. @returns the account's number, from 1, and its rest */
    refused(provider: ProviderId, key: string, retryAfterMs: number | undefined) {
      const now = nowMs()
      const place = keysOf(provider).indexOf(key)
      const { restsUntil } = change(provider, place, (state) => refused(state, now, retryAfterMs))
      return { account: place + 1, restMs: restsUntil - now }
    },
  }
}
