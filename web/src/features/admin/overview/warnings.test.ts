import type { Health } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { healthWarnings, moneyWarnings } from './warnings.ts'

const at = (time: string) => `2030-01-01T${time}.000Z`
const now = Date.parse(at('12:00:00'))
const service = (fields: Partial<Health['services'][number]>): Health['services'][number] => ({
  name: 'notifier',
  ready: true,
  failed: [],
  replicas: [],
  ...fields,
})
const well: Health = { services: [service({})], breakers: [], deadLetters: [], certificates: [] }

describe('warnings', () => {
  it('are absent while everything works', () => {
    expect(healthWarnings(well, now)).toEqual([])
    expect(moneyWarnings([])).toEqual([])
  })

  it('report services that are not ready, open circuit breakers and dead letters', () => {
    const health: Health = {
      services: [service({ name: 'billing', ready: false, failed: ['postgres'] })],
      breakers: [
        { provider: 'openai', model: 'm1', state: 'half-open', since: at('11:00:00') },
        { provider: 'openai', model: 'm2', state: 'closed', since: at('11:00:00') },
      ],
      deadLetters: [{ group: 'billing.erasures', count: 3, oldestAt: at('10:00:00') }],
      certificates: [],
    }
    expect(healthWarnings(health, now)).toEqual([
      { kind: 'service', service: 'billing', failed: ['postgres'] },
      { kind: 'breaker', provider: 'openai', model: 'm1' },
      { kind: 'dead-letters', group: 'billing.erasures', count: 3 },
    ])
  })

  it('report mail that has waited longer than a busy mail server takes', () => {
    const waitingSince = (oldestAt: string | null): Health => ({
      ...well,
      services: [service({ mailQueue: { waiting: 2, oldestAt } })],
    })
    expect(healthWarnings(waitingSince(null), now)).toEqual([])
    expect(healthWarnings(waitingSince(at('11:50:00')), now)).toEqual([])
    expect(healthWarnings(waitingSince(at('11:30:00')), now)).toEqual([
      { kind: 'mail', waiting: 2, oldestAt: at('11:30:00'), reason: null },
    ])
    const reason = '535 Authentication failed'
    const refused = { ...well, services: [service({ mailQueue: { waiting: 2, oldestAt: at('11:30:00'), reason } })] }
    expect(healthWarnings(refused, now)).toMatchObject([{ kind: 'mail', reason }])
  })

  it('report mail that failed on the last day, unless it is the few addresses that are always wrong', () => {
    const settledAs = (sent: number, failed: number): Health => ({
      ...well,
      services: [
        service({
          mailQueue: { waiting: 0, oldestAt: null, reason: null, settled: { sent, failed, reason: '550 no' } },
        }),
      ],
    })
    expect(healthWarnings(settledAs(0, 0), now)).toEqual([])
    expect(healthWarnings(settledAs(1_000, 99), now)).toEqual([])
    for (const [sent, failed] of [
      [0, 1],
      [9, 1],
      [900, 100],
    ] as const) {
      expect(healthWarnings(settledAs(sent, failed), now)).toEqual([{ kind: 'mail-refused', failed, reason: '550 no' }])
    }
  })

  it('report a certificate that should have been renewed: in its last three weeks, or the last quarter of a short life', () => {
    const daysFromNow = (days: number) => new Date(now + days * 86_400_000).toISOString()
    const warned = (startDays: number, endDays: number) => {
      const [startsAt, endsAt] = [daysFromNow(startDays), daysFromNow(endDays)]
      const warnings = healthWarnings({ ...well, certificates: [{ server: 'db:5432', startsAt, endsAt }] }, now)
      if (warnings.length > 0) expect(warnings).toEqual([{ kind: 'certificate', server: 'db:5432', endsAt }])
      return warnings.length > 0
    }
    expect([warned(-68, 22), warned(-70, 20), warned(-400, 20), warned(-400, -1)]).toEqual([false, true, true, true])
    expect([warned(-4, 2), warned(-5, 1)]).toEqual([false, true])
    expect([warned(-0.5, 0.5), warned(-0.8, 0.2)]).toEqual([false, true])
  })

  it('report each day on which the books differ, once', () => {
    const alarm = { expected: 5, found: 4, at: at('03:00:00') }
    const alarms = [
      { ...alarm, date: '2029-12-30', kind: 'ledger' as const },
      { ...alarm, date: '2029-12-31', kind: 'ledger' as const },
      { ...alarm, date: '2029-12-31', kind: 'provider' as const },
    ]
    expect(moneyWarnings(alarms)).toEqual([
      { kind: 'drift', date: '2029-12-31' },
      { kind: 'drift', date: '2029-12-30' },
    ])
  })
})
