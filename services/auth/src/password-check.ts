import { knownBrowserOf } from './browser-session.ts'
import type { Caller } from './caller.ts'
import type { AuthParts } from './parts.ts'
import { tooManyTries } from './refusals.ts'
import type { TryBudget } from './store/try-store.ts'

const windowSeconds = 3600
/** Wrong passwords per hour. A browser that signed in before has a budget of its own, so nobody can lock the owner out of it. */
const wrongTries = { knownBrowser: 20, accountFromNetwork: 10, account: 20, network: 200 }

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
  const budgets = budgetsOf(claim.subject, caller.principal.network, knownBrowserOf(parts, caller, claim.subject))
  return await parts.hasher.check(claim.passwordHash, claim.password, {
    async before() {
      const spent = await tries.take(budgets)
      if (spent !== undefined) throw tooManyTries(spent)
    },
    async after(right) {
      if (right) await tries.giveBack(budgets)
    },
  })
}

function budgetsOf(subject: string, network: string, browserId: string | undefined): TryBudget[] {
  if (browserId !== undefined) return [{ key: `browser:${browserId}`, tries: wrongTries.knownBrowser, windowSeconds }]
  return [
    { key: `account-network:${subject}:${network}`, tries: wrongTries.accountFromNetwork, windowSeconds },
    { key: `account:${subject}`, tries: wrongTries.account, windowSeconds },
    { key: `network:${network}`, tries: wrongTries.network, windowSeconds },
  ]
}
