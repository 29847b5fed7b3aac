import { eventOf } from '@parley/bus'
import type { authRoutes } from '@parley/contracts'
import { AppError, type Call, notFound } from '@parley/kit'
import type { Caller } from '../caller.ts'
import { emailKey } from '../names.ts'
import { networkBudgets } from '../network-budgets.ts'
import type { AuthParts } from '../parts.ts'
import { recipientOf } from '../present.ts'
import { hashToken, randomToken } from '../secrets.ts'
import { trustDevice, trustedDeviceOf } from '../sessions/browser-session.ts'
import type { AttemptBudget } from '../store/sessions/attempt-store.ts'
import { newPassword } from './password-change.ts'
import { ownBudgets } from './password-check.ts'

const windowSeconds = 3600
/** Mails an hour. A trusted device has its own, so that strangers cannot use up all of the owner's. */
const mails = { account: 3, network: 20 }

/**
 * Has a link for a new password mailed if the address belongs to an account. An unknown address costs the same work,
 * and nothing is mailed after too many requests; callers cannot tell the cases apart.
 */
export async function requestReset(parts: AuthParts, email: string, caller: Caller): Promise<void> {
  const { newId, now, stores } = parts
  const key = emailKey(email)
  const found = await stores.accounts.withPassword({ emailKey: key })
  const userId = found?.account.id ?? null
  const subject = userId ?? hashToken(key).toString('hex')
  const browserId = trustedDeviceOf(parts, caller, { userId: subject, passwordHash: found?.passwordHash })
  const taken = await stores.attempts.take(mailBudgets(subject, browserId, caller.principal.network))
  if (taken.kind === 'exhausted') return
  parts.attemptMetrics.usedUp(taken.usedUp)
  const id = newId()
  const requested = eventOf('auth.password-reset-requested', id, { resetId: id }, { id: newId(), at: now() })
  await stores.passwordResets.request({ id, userId, requested })
}

const mailBudgets = (subject: string, browserId: string | undefined, network: string): AttemptBudget[] => [
  {
    key: browserId === undefined ? `reset:${subject}` : `reset-browser:${browserId}`,
    attempts: mails.account,
    windowSeconds,
  },
  ...networkBudgets('reset-network', network, { attempts: mails.network, windowSeconds }),
]

/** Makes the token that the mailed link will carry; only its hash is kept. @throws AppError not_found when nobody has the address or the request is over */
export async function issueReset({ stores }: AuthParts, resetId: string) {
  const token = randomToken()
  const issued = await stores.passwordResets.issue(resetId, hashToken(token))
  if (issued === undefined) throw notFound()
  return { token, ...recipientOf(issued.account), expiresAt: issued.expiresAt.toISOString() }
}

/** The token of a mailed link, and the new password. */
type PasswordReset = Call<typeof authRoutes.confirmPasswordReset>['body']

/**
 * Sets a password by a mailed link; every session ends, and single sign-on is unlinked. A banned user may, and stays banned.
 * @returns `set-cookie` values: this browser is a trusted device
 * @throws AppError validation_failed for a link that does not hold, and for a password that is easily guessed
 */
export async function confirmReset(parts: AuthParts, request: PasswordReset, caller: Caller): Promise<string[]> {
  const { passwordResets } = parts.stores
  const link = { tokenHash: hashToken(request.token), emailKey: emailKey(request.email) }
  const account = await passwordResets.find(link)
  if (account === undefined) throw invalidLink()
  parts.policy.accept(request.newPassword, account, 'newPassword')
  const password = await newPassword(parts, account.id, request.newPassword)
  if (!(await passwordResets.use(link, account.id, password, ownBudgets(account.id, caller)))) throw invalidLink()
  await parts.signalPrincipalChanged(account.id)
  return [
    trustDevice(parts, caller, { userId: account.id, passwordHash: password.hash }),
    parts.cookies.refresh.clear(),
  ]
}

const invalidLink = (): AppError =>
  new AppError('validation_failed', 'Invalid or expired reset link. Links expire after 30 minutes.')
