import type { AdminUser } from '@parley/contracts'
import { useRef } from 'react'
import { newTrace, request } from '../../../shared/api/index.ts'
import { startViewing } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { useAct } from '../data/use-act.ts'

/** A dialog about users: asks for an amount, a plan, or confirmation. */
interface Question {
  readonly question: 'ban' | 'grant' | 'plan' | 'sessions'
  readonly users: readonly AdminUser[]
}

const remaining = ({ question, users }: Question, failed: readonly number[]): Question => ({
  question,
  users: users.filter((_, place) => failed.includes(place)),
})

export function useUserActs() {
  const { act, actOnEach, ...dialog } = useAct(remaining)
  /** By user and amount, until it succeeds: the try before may have succeeded without an answer. */
  const grantKeys = useRef(new Map<string, string>())
  const setBanned = (users: readonly AdminUser[], banned: boolean) =>
    actOnEach(
      users,
      (user, requestId) => request(calls.updateUser, { params: { id: user._id }, body: { banned }, requestId }),
      {
        done: (now) => now(banned ? 'people.banned' : 'people.unbanned', { count: users.length }),
        failed: (now) => now('people.banFailed'),
        undo: true,
      },
    )
  const setAdmin = (user: AdminUser, isAdmin: boolean) =>
    act((requestId) => request(calls.updateUser, { params: { id: user._id }, body: { isAdmin }, requestId }), {
      done: (now) => now(isAdmin ? 'people.madeAdmin' : 'people.unmadeAdmin', { name: user.username }),
      failed: (now) => now('people.failed'),
      undo: true,
    })
  const grant = (users: readonly AdminUser[], amount: number) => {
    const grants = users.map(({ _id: id }) => {
      const intention = `${id} ${amount}`
      const key = grantKeys.current.get(intention) ?? newTrace().id
      grantKeys.current.set(intention, key)
      return { id, intention, key }
    })
    const grantOnce = async ({ id, intention, key }: (typeof grants)[number], requestId: string) => {
      const headers = { 'idempotency-key': key }
      await request(calls.grantCredits, { params: { id }, body: { amount }, headers, requestId })
      grantKeys.current.delete(intention)
    }
    return actOnEach(grants, grantOnce, {
      done: (now) => now('people.granted', { amount, count: users.length }),
      failed: (now) => now('people.grantFailed'),
    })
  }
  const assign = (users: readonly AdminUser[], planId: string) =>
    actOnEach(
      users,
      (user, requestId) => request(calls.assignPlan, { params: { id: user._id }, body: { planId }, requestId }),
      {
        done: (now) => now('people.assigned'),
        failed: (now) => now('people.assignFailed'),
        undo: true,
      },
    )
  const endSessions = (users: readonly AdminUser[]) =>
    actOnEach(users, (user, requestId) => request(calls.endUserSessions, { params: { id: user._id }, requestId }), {
      done: (now) => now('people.sessionsEnded'),
      failed: (now) => now('people.failed'),
    })
  const resend = (user: AdminUser) =>
    act((requestId) => request(calls.resendVerification, { params: { id: user._id }, requestId }), {
      done: (now) => now('people.resent', { email: user.email }),
      failed: (now) => now('people.resendFailed'),
    })
  const viewAs = async (user: AdminUser) => {
    try {
      const view = await request(calls.viewAs, { params: { id: user._id } })
      if (!startViewing(view)) notify.error((now) => now('people.viewBlocked'), { id: 'admin' })
    } catch (error) {
      notify.error((now) => failureText(error, now('people.viewFailed'), now), { id: 'admin' })
    }
  }
  return { ...dialog, viewAs, setBanned, setAdmin, grant, assign, endSessions, resend }
}

export type UserActs = ReturnType<typeof useUserActs>
