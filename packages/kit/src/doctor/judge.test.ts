import { describe, expect, it } from 'vitest'
import { exitCodeOf, presentFindings } from './finding.ts'
import { isLate, judgeClock, judgeFailure, judgeSchema } from './judge.ts'

const at = (ms: number): Date => new Date(1_000_000 + ms)
const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code })

describe('the doctor', () => {
  it.each([
    [failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'), 'it is unreachable'],
    [failure('getaddrinfo ENOTFOUND nowhere', 'ENOTFOUND'), 'it is unreachable'],
    [failure('password authentication failed for user "billing"', '28P01'), 'it is reachable but refuses this service'],
    [failure('database "parly" does not exist', '3D000'), 'it is reachable but refuses this service'],
    [failure('WRONGPASS invalid username-password pair'), 'it is reachable but refuses this service'],
    [failure('The server does not support SSL connections'), 'one side expects TLS'],
    [failure('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'), 'NODE_EXTRA_CA_CERTS'],
    [failure('Redis refuses these credentials, or they lack a right'), 'it is reachable but refuses this service'],
    [failure('Redis cannot be reached or does not answer in time'), 'it is unreachable'],
    [failure('PostgreSQL 15 or newer is needed, and this one is 13.1'), "the engine's log"],
  ])('advises on “%s”', (error, advice) => {
    const finding = judgeFailure('postgres', error, ['POSTGRES_URL'])
    expect(finding).toMatchObject({ state: 'wrong', found: error.message, advice: expect.stringContaining(advice) })
    expect(finding.advice).toContain('POSTGRES_URL')
  })

  it('names the variables with the address of an unreachable engine, and those with the credentials that one refuses', () => {
    const variables = ['KAFKA_BROKERS', 'KAFKA_USERNAME', 'KAFKA_PASSWORD', 'KAFKA_TLS', 'KAFKA_PARTITIONS']
    const adviceOn = (message: string) => judgeFailure('kafka', new Error(message), variables).advice
    expect(adviceOn('connect ECONNREFUSED')).toContain('host and port in KAFKA_BROKERS, whether')
    expect(adviceOn('SASL PLAIN authentication failed')).toContain(
      'the user and password in KAFKA_USERNAME, KAFKA_PASSWORD, and',
    )
    expect(adviceOn('self-signed certificate')).toContain('check KAFKA_TLS, and')
  })

  it('asks again an engine that was late, but not one that is away or refuses', () => {
    expect(isLate(failure('no answer within 200 milliseconds'))).toBe(true)
    expect(isLate(new Error('Redis does not answer in time', { cause: failure('no answer') }))).toBe(true)
    expect(isLate(new Error('Redis does not answer in time', { cause: failure('connect ECONNREFUSED') }))).toBe(false)
    expect(isLate(failure('WRONGPASS'))).toBe(false)
  })

  it('uses the log of an engine’s client if the error is only a timeout', () => {
    const { advice } = judgeFailure('mongo', new Error('no answer within 9 s'), ['MONGO_URL'], 'Authentication failed.')
    expect(advice).toContain('refuses this service')
    const twice = judgeFailure('mongo', new Error('connect ECONNREFUSED'), ['MONGO_URL'], 'connect ECONNREFUSED')
    expect(twice.found).toBe('connect ECONNREFUSED')
  })

  it.each([
    [0, 'fine'],
    [-1_999, 'fine'],
    [5_000, 'notice'],
    [-30_000, 'wrong'],
  ])('judges a clock that is off by %i ms as %s', (ms, state) => {
    expect(judgeClock('postgres', at(ms), at(0)).state).toBe(state)
  })

  it('recognises a schema without all migrations, and one that is newer than this version', () => {
    expect(judgeSchema('postgres', { due: [], unknown: [] }).state).toBe('fine')
    expect(judgeSchema('postgres', { due: ['0002_keys'], unknown: [] })).toMatchObject({
      state: 'wrong',
      found: 'the schema is older than this version; pending: 0002_keys',
    })
    const later = judgeSchema('postgres', { due: [], unknown: ['0003_later'] })
    expect(later).toMatchObject({ state: 'notice', advice: expect.stringContaining('rollback by one version') })
  })

  it('exits with 1 if something is wrong, and with 0 if there are only notices', () => {
    const notice = { what: 'mail', state: 'notice' as const, found: 'it goes to the inbox', advice: 'set SMTP_URL' }
    expect(exitCodeOf([notice])).toBe(0)
    expect(exitCodeOf([notice, { what: 'disk', state: 'wrong', found: 'full' }])).toBe(1)
    expect(presentFindings([notice])).toEqual(['note  mail: it goes to the inbox', '      → set SMTP_URL'])
  })
})
