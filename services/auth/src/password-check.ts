import { networkBuckets } from '@parley/kit'
import { trustedDeviceOf } from './browser-session.ts'
import type { Caller } from './caller.ts'
import type { AuthParts } from './parts.ts'
import { tooManyTries } from './refusals.ts'
import type { TryBudget } from './store/try-store.ts'

const windowSeconds = 3600
/**
 * Wrong passwords per hour. A session, and a browser that signed in before, have a budget of their own, so nobody can
 * lock the owner out of them.
 */
const wrongTries = { session: 20, trustedDevice: 20, accountFromNetwork: 10, account: 20, network: 200 }

/** A claim to be the owner of an account that may not exist. */
export interface Claim {
  /** The user's id, or a hash of the name that nobody has: both are counted alike. */
  readonly subject: string
  /** Undefined when there is no account or it has no password; the work done is the same. */
  readonly passwordHash: string | undefined
  readonly password: string
}

/** Whether the password is right. @throws AppError rate_limited when too many were wrong, unavailable when too many wait */
export async function checkPassword(parts: AuthParts, claim: Claim, caller: Caller): Promise<boolean> {
  const { tries } = parts.stores
  const budgets = budgetsOf(parts, claim, caller)
  let usedUp: readonly TryBudget[] = []
  return await parts.hasher.check(claim.passwordHash, claim.password, {
    async before() {
      const taken = await tries.take(budgets)
      if (taken.kind === 'spent') {
        parts.alarm.refused('password')
        throw tooManyTries(taken.spent)
      }
      usedUp = taken.usedUp
    },
    async after(right) {
      if (right) await tries.giveBack(budgets)
      else parts.alarm.wrong('password', usedUp)
    },
  })
}

function budgetsOf(parts: AuthParts, { subject, passwordHash }: Claim, caller: Caller): TryBudget[] {
  const { principal } = caller
  if (principal.kind === 'user' && principal.userId === subject) {
    return [{ key: `session:${principal.sessionId}`, tries: wrongTries.session, windowSeconds }]
  }
  const browserId = trustedDeviceOf(parts, caller, { userId: subject, passwordHash })
  if (browserId !== undefined) return [{ key: `browser:${browserId}`, tries: wrongTries.trustedDevice, windowSeconds }]
  return [...strangersBudgets(subject, principal.network), ...networkBudgets(principal.network)]
}

const strangersBudgets = (subject: string, network: string): TryBudget[] => [
  { key: `account-network:${subject}:${network}`, tries: wrongTries.accountFromNetwork, windowSeconds },
  { key: `account:${subject}`, tries: wrongTries.account, windowSeconds },
]
const networkBudgets = (network: string): TryBudget[] =>
  networkBuckets(network).map((bucket) => ({
    key: `network:${bucket.network}`,
    tries: wrongTries.network * bucket.times,
    windowSeconds,
  }))

/** Budgets that start anew for an owner who proved themself in another way. That of the network is not theirs alone. */
export const ownBudgets = (userId: string, { principal }: Pick<Caller, 'principal'>): string[] =>
  strangersBudgets(userId, principal.network).map(({ key }) => key)
