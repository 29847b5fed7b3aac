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
const well: Health = { services: [service({})], breakers: [], deadLetters: [] }

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
      { kind: 'mail', waiting: 2, oldestAt: at('11:30:00') },
    ])
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
