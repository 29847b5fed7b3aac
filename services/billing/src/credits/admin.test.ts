import { adminAct } from '@parley/testing'
import { expect, it } from 'vitest'
import { given, monthOver, now, rowsOf } from '../../test/given-account.ts'
import { decideAssignment, decideGrant } from './admin.ts'

const act = adminAct()

it('a grant adds credits that do not lapse with the month, records the admin, and is published', () => {
  const decision = decideGrant(given({ granted: 5 }), 7, act)
  expect(decision.account).toMatchObject({ monthly: 100, granted: 12 })
  expect(decision.entries).toMatchObject([
    { kind: 'grant', amount: 7, delta: 7, balanceAfter: 112, actorId: act.actorId },
  ])
  expect(decision.events).toMatchObject([
    {
      ...{ type: 'billing.admin-acted', id: act.eventId, key: 'ann' },
      data: { action: 'credits.granted', target: 'ann', before: null, after: { amount: 7 } },
    },
  ])
})

it('a grant after the end of a month is added after the new month has started', () => {
  const decision = decideGrant(given({ ...monthOver, monthly: 0 }), 7, act)
  expect(rowsOf(decision).map(({ kind }) => kind)).toEqual(['month', 'grant'])
  expect(decision.entries.map(({ actorId }) => actorId)).toEqual([null, act.actorId])
})

it('an assigned plan starts its full month immediately, keeps grants, and is published with the previous plan', () => {
  const decision = decideAssignment(given({ granted: 7, used: 60, monthly: 40 }), 'plus', act)
  expect(decision.outcome).toBe('assigned')
  expect(decision.account).toMatchObject({
    ...{ planId: 'plus', period: 4, anchor: now, periodStart: now, used: 0 },
    ...{ monthly: 1_000, monthCredits: 1_000, granted: 7 },
  })
  expect(decision.account.periodEnd.toISOString()).toBe('2026-04-15T12:00:00.000Z')
  expect(decision.entries).toMatchObject([
    { kind: 'lapse', delta: -40, balanceAfter: 7, actorId: act.actorId },
    { kind: 'month', delta: 1_000, balanceAfter: 1_007, actorId: act.actorId },
  ])
  expect(decision.events).toMatchObject([
    { data: { action: 'plan.assigned', target: 'ann', before: { planId: 'free' }, after: { planId: 'plus' } } },
  ])
})

it('assigning the same plan again restarts its month', () => {
  expect(decideAssignment(given({ monthly: 1 }), 'free', act).account).toMatchObject({ period: 4, monthly: 100 })
})

it('assigning an unknown plan changes nothing', () => {
  const found = given(monthOver)
  expect(decideAssignment(found, 'gone', act)).toEqual({
    ...{ account: found.account, entries: [], events: [] },
    outcome: 'unknown_plan',
  })
})
