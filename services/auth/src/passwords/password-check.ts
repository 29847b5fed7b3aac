import type { Caller } from '../caller.ts'
import { networkBudgets } from '../network-budgets.ts'
import type { AuthParts } from '../parts.ts'
import { tooManyAttempts } from '../refusals.ts'
import { trustedDeviceOf } from '../sessions/browser-session.ts'
import type { AttemptBudget } from '../store/sessions/attempt-store.ts'

const windowSeconds = 3600
/** Wrong passwords per hour. A session and a trusted device have a budget of their own, so that strangers cannot lock the owner out of them. */
const wrongPerHour = { session: 20, trustedDevice: 20, accountFromNetwork: 10, account: 20, network: 200 }

/** A claim to be the owner of an account that may not exist. */
export interface Claim {
  /** The user's id, or a hash of a name that nobody has: both are counted alike. */
  readonly subject: string
  /** Undefined when there is no account or it has no password; the work done is the same. */
  readonly passwordHash: string | undefined
  readonly password: string
}

/** Whether the password is right. @throws AppError rate_limited after too many wrong ones, unavailable when too many wait */
export async function checkPassword(parts: AuthParts, claim: Claim, caller: Caller): Promise<boolean> {
  const { attempts } = parts.stores
  const budgets = budgetsOf(parts, claim, caller)
  let usedUp: readonly AttemptBudget[] = []
  return await parts.hasher.check(claim.passwordHash, claim.password, {
    async before() {
      const taken = await attempts.take(budgets)
      if (taken.kind === 'exhausted') {
        parts.attemptMetrics.refused('password')
        throw tooManyAttempts(taken.exhausted)
      }
      usedUp = taken.usedUp
    },
    async after(right) {
      if (right) await attempts.giveBack(budgets)
      else parts.attemptMetrics.wrong('password', usedUp)
    },
  })
}

function budgetsOf(parts: AuthParts, { subject, passwordHash }: Claim, caller: Caller): AttemptBudget[] {
  const { principal } = caller
  if (principal.kind === 'user' && principal.userId === subject) {
    return [{ key: `session:${principal.sessionId}`, attempts: wrongPerHour.session, windowSeconds }]
  }
  const browserId = trustedDeviceOf(parts, caller, { userId: subject, passwordHash })
  if (browserId !== undefined)
    return [{ key: `browser:${browserId}`, attempts: wrongPerHour.trustedDevice, windowSeconds }]
  const ofNetwork = networkBudgets('network', principal.network, { attempts: wrongPerHour.network, windowSeconds })
  return [...strangersBudgets(subject, principal.network), ...ofNetwork]
}

const strangersBudgets = (subject: string, network: string): AttemptBudget[] => [
  { key: `account-network:${subject}:${network}`, attempts: wrongPerHour.accountFromNetwork, windowSeconds },
  { key: `account:${subject}`, attempts: wrongPerHour.account, windowSeconds },
]

/** Budgets that start over for an owner who proved their identity in another way. The network's budget is not theirs alone. */
export const ownBudgets = (userId: string, { principal }: Pick<Caller, 'principal'>): string[] =>
  strangersBudgets(userId, principal.network).map(({ key }) => key)
