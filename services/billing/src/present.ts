import type { billingInternalRoutes, Credits, CreditWarning } from '@parley/contracts'
import type { z } from 'zod'
import type { CreditAccount } from './store/account-store.ts'

type AccountSummary = z.input<typeof billingInternalRoutes.accounts.answer & {}>['accounts'][number]

/** Presents a user's credits to the user and to admins. @param unlimited whether this user's answers are free */
export const presentCredits = (
  { plan, remaining, held, used, periodEnd }: CreditAccount,
  unlimited: boolean,
): Credits => ({ plan, remaining, held, used, resetDate: periodEnd.toISOString(), unlimited })

/** The month's warning for the web app. @param threshold percentage of the month's credits */
export function presentWarning(
  { warning: { usagePercentage, told, acknowledged }, plan }: CreditAccount,
  threshold: number,
  unlimited: boolean,
): CreditWarning {
  const warningShown = told || (plan.monthlyCredits > 0 && usagePercentage >= threshold)
  return {
    shouldShow: warningShown && !acknowledged && !unlimited,
    threshold,
    usagePercentage,
    acknowledged,
    warningShown,
  }
}

/** An account in the admin's list of users. */
export const presentAccount = (account: CreditAccount): AccountSummary => ({
  userId: account.userId,
  plan: { id: account.plan.id, name: account.plan.name },
  credits: {
    remaining: account.remaining,
    monthly: account.plan.monthlyCredits,
    resetDate: account.periodEnd.toISOString(),
  },
})
