import { expect, it } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import type { Logger } from '../observability/log.ts'
import { createRequestCounts, type RequestCountsDeps } from './request-counts.ts'

it('requests whose report failed are reported again under its id, and those since then under another', async () => {
  const told: { id: string; counts: { subject: string; count: number }[] }[] = []
  let isAway = true
  const call = async (_route: unknown, { body }: { body: (typeof told)[number] }) => {
    told.push(body)
    if (isAway) throw new Error('away')
  }
  const client = { call } as unknown as RequestCountsDeps['client']
  const counts = createRequestCounts({ client, log: { warn: () => undefined } as unknown as Logger })
  const note = (subject: string) => counts.note({ area: 'chat', subject, kind: 'user' } as never)
  note('u')
  note('u')
  await counts.stop()
  note('u')
  isAway = false
  await counts.stop()
  expect(told.map((report) => report.counts.map(({ subject, count }) => [subject, count]))).toEqual([
    [['u', 2]],
    [['u', 2]],
    [['u', 1]],
  ])
  const [first, again, later] = told.map(({ id }) => id)
  expect(again).toBe(first)
  expect(later).not.toBe(first)
})

it.each([
  ['validation_failed', ['refused', 'later'], 1],
  ['payload_too_large', ['refused', 'later'], 1],
  ['rate_limited', ['refused', 'refused', 'later'], 0],
  ['request_timeout', ['refused', 'refused', 'later'], 0],
  ['unavailable', ['refused', 'refused', 'later'], 0],
] as const)(
  'a report that billing answers with %s reaches it as %j, and %i reports are dropped with a line in the log',
  async (code, expected, dropped) => {
    const told: (string | undefined)[] = []
    const errors: unknown[] = []
    const call = async (_route: unknown, { body }: { body: { counts: { subject: string }[] } }) => {
      told.push(body.counts[0]?.subject)
      if (told.length === 1) throw new AppError(code, 'No')
    }
    const client = { call } as unknown as RequestCountsDeps['client']
    const log = { warn: () => undefined, error: (line: unknown) => errors.push(line) } as unknown as Logger
    const counts = createRequestCounts({ client, log })
    for (const subject of ['refused', 'later']) {
      counts.note({ area: 'chat', subject, kind: 'user' } as never)
      await counts.stop()
    }
    expect([told, errors.length]).toEqual([expected, dropped])
  },
)

it('requests of ever more callers are counted up to a limit while they cannot be reported', async () => {
  let counted = 0
  const call = async (_route: unknown, { body }: { body: { counts: unknown[] } }) => {
    counted += body.counts.length
  }
  const client = { call } as unknown as RequestCountsDeps['client']
  const counts = createRequestCounts({ client, log: { warn: () => undefined } as unknown as Logger })
  for (let nth = 0; nth < 50_100; nth += 1) counts.note({ area: 'chat', subject: `u${nth}`, kind: 'user' } as never)
  await counts.stop()
  expect(counted).toBe(50_000)
})
