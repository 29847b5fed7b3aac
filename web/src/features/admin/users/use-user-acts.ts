import type { AdminUser } from '@parley/contracts'
import { endpoints, request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { startViewing } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { useAct } from '../data/use-act.ts'
import { useAsked } from '../data/use-asked.ts'

/** A dialog about users: asks for an amount, a plan, or confirmation. */
interface Question {
  readonly question: 'ban' | 'grant' | 'plan' | 'sessions'
  readonly users: readonly AdminUser[]
}

const remaining = ({ question, users }: Question, failed: readonly number[]): Question => ({
  question,
  users: users.filter((_, place) => failed.includes(place)),
})

/** Actions on one or many users. */
export function useUserActs() {
  const { t } = useText()
  const { act, busy } = useAct()
  const { asked, ask, failure, failureReporter } = useAsked(remaining)
  const setBanned = (users: readonly AdminUser[], banned: boolean) =>
    act(
      users.map(
        (user) => (requestId: string) =>
          request(calls.updateUser, { params: { id: user._id }, body: { banned }, requestId }),
      ),
      {
        done: t(banned ? 'people.banned' : 'people.unbanned', { count: users.length }),
        failed: t('people.banFailed'),
        undo: true,
        report: failureReporter(),
      },
    )
  const setAdmin = (user: AdminUser, isAdmin: boolean) =>
    act((requestId) => request(calls.updateUser, { params: { id: user._id }, body: { isAdmin }, requestId }), {
      done: t(isAdmin ? 'people.madeAdmin' : 'people.unmadeAdmin', { name: user.username }),
      failed: t('people.failed'),
      undo: true,
    })
  const grant = (users: readonly AdminUser[], amount: number) =>
    act(
      users.map(
        (user) => (requestId: string) =>
          request(calls.grantCredits, { params: { id: user._id }, body: { amount }, requestId }),
      ),
      {
        done: t('people.granted', { amount, count: users.length }),
        failed: t('people.grantFailed'),
        report: failureReporter(),
      },
    )
  const assign = (users: readonly AdminUser[], planId: string) =>
    act(
      users.map(
        (user) => (requestId: string) =>
          request(calls.assignPlan, { params: { id: user._id }, body: { planId }, requestId }),
      ),
      { done: t('people.assigned'), failed: t('people.assignFailed'), undo: true, report: failureReporter() },
    )
  const endSessions = (users: readonly AdminUser[]) =>
    act(
      users.map(
        (user) => (requestId: string) => request(calls.endUserSessions, { params: { id: user._id }, requestId }),
      ),
      { done: t('people.sessionsEnded'), failed: t('people.failed'), report: failureReporter() },
    )
  const resend = (user: AdminUser) =>
    act((requestId) => request(endpoints.resendVerification, { body: { username: user.username }, requestId }), {
      done: t('people.resent', { email: user.email }),
      failed: t('people.resendFailed'),
    })
  const viewAs = async (user: AdminUser) => {
    try {
      const view = await request(calls.viewAs, { params: { id: user._id } })
      if (!startViewing(view)) notify.error(t('people.viewBlocked'), { id: 'admin' })
    } catch (error) {
      notify.error(failureText(error, t('people.viewFailed'), t), { id: 'admin' })
    }
  }
  return { asked, ask, failure, busy, viewAs, setBanned, setAdmin, grant, assign, endSessions, resend }
}

export type UserActs = ReturnType<typeof useUserActs>
