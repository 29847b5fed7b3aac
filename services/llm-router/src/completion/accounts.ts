import type { ProviderId } from '@parley/contracts'

/** How an account of a provider has fared. Moments are of one monotonic clock, in milliseconds. */
export interface AccountState {
  /** The number of the last call that was made with it; 0 for none. */
  readonly lastCall: number
  /** Refusals since the last call that was answered. */
  readonly refusals: number
  readonly refusedAt: number
  /** It is passed over until then. */
  readonly restsUntil: number
}

/** One that was never used. */
export const newAccount: AccountState = { lastCall: 0, refusals: 0, refusedAt: 0, restsUntil: 0 }

/** How long an account rests after its first refusal; twice as long after each further one. Milliseconds. */
const firstRestMs = 5_000
const longestRestMs = 600_000
/** Of what a provider asks for. Milliseconds. */
const longestAskedMs = 3_600_000

/**
 * The account for the next call: of those that do not rest the one whose last call is the longest ago, and while all rest the one that was refused
 * the longest ago, as a call that may be refused is better than none.
 * @param isTried whether the account refused this very request
 * @returns its place; undefined when there is none but those that were tried
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

/** An account after a refusal. @param retryAfterMs as the provider asked */
export function refused(account: AccountState, nowMs: number, retryAfterMs: number | undefined): AccountState {
  const grown = Math.min(firstRestMs * 2 ** account.refusals, longestRestMs)
  const restMs = retryAfterMs === undefined ? grown : Math.min(retryAfterMs, longestAskedMs)
  return { ...account, refusals: account.refusals + 1, refusedAt: nowMs, restsUntil: nowMs + restMs }
}

/** The accounts of every provider, each known by its key, as this replica has come to know them. */
export interface Accounts {
  /** The key for the next call; undefined when the provider has none, or none but those in `tried`. */
  next(provider: ProviderId, tried?: ReadonlySet<string>): string | undefined
  /** A call with the key was answered. */
  answered(provider: ProviderId, key: string): void
  /** The provider refused the key, or has enough of it for now. @returns which of the provider's accounts it is, from 1, and how long it rests */
  refused(
    provider: ProviderId,
    key: string,
    retryAfterMs: number | undefined,
  ): { readonly account: number; readonly restMs: number }
}

/** No account has been used yet. @param nowMs a monotonic clock */
export function createAccounts(
  keysOf: (provider: ProviderId) => readonly string[],
  nowMs: () => number = () => performance.now(),
): Accounts {
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
    next(provider, tried) {
      const keys = keysOf(provider)
      const place = decideAccount(of(provider), nowMs(), (at) => tried?.has(keys[at] ?? '') === true)
      if (place === undefined) return undefined
      calls += 1
      change(provider, place, (state) => ({ ...state, lastCall: calls }))
      return keys[place]
    },
    answered(provider, key) {
      // A rest stays: this call may have begun before the refusal.
      change(provider, keysOf(provider).indexOf(key), (state) => ({ ...state, refusals: 0 }))
    },
    refused(provider, key, retryAfterMs) {
      const now = nowMs()
      const place = keysOf(provider).indexOf(key)
      const { restsUntil } = change(provider, place, (state) => refused(state, now, retryAfterMs))
      return { account: place + 1, restMs: restsUntil - now }
    },
  }
}
