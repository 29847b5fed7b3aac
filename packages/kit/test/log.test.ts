import { expect, it } from 'vitest'
import { createLogger } from '../src/observability/log.ts'

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = []
  createLogger('test', 'info', { write: (line) => void lines.push(line) }).info(fields, 'said')
  return JSON.parse(lines.join(''))
}

it('a log masks fields with secrets, also one level deep', () => {
  const fields = {
    password: 'p1',
    token: 't1',
    code: '123456',
    body: { newPassword: 'p2', code: '654321', name: 'ann' },
  }
  expect(logged({ ...fields, headers: { authorization: 'a1', cookie: 'c1' } })).toMatchObject({
    password: '[hidden]',
    token: '[hidden]',
    code: '[hidden]',
    body: { newPassword: '[hidden]', code: '[hidden]', name: 'ann' },
    headers: { authorization: '[hidden]', cookie: '[hidden]' },
  })
})

it('a log entry has the code of its error', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(logged({ err: refused })).toMatchObject({ err: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' } })
})

it('a log entry leaves out what a driver keeps in its error of the data that it could not write', () => {
  const text = 'a message of a user'
  const ofPostgres = Object.assign(new Error('violates a constraint'), {
    ...{ code: '23514', table: 'messages', constraint: 'not_empty' },
    detail: `Failing row contains (1, ${text}).`,
  })
  const ofMongo = Object.assign(new Error('No space left on device'), {
    ...{ code: 14031, writeErrors: [{ op: { content: text } }], result: { writeErrors: [{ op: { content: text } }] } },
    errorResponse: { keyValue: { content: text } },
  })
  for (const err of [ofPostgres, ofMongo, new AggregateError([ofPostgres, ofMongo], 'both')])
    expect(JSON.stringify(logged({ err }))).not.toContain(text)
  expect(logged({ err: ofPostgres })).toMatchObject({
    err: { type: 'Error', message: 'violates a constraint', code: '23514', table: 'messages', constraint: 'not_empty' },
  })
  expect(logged({ err: new AggregateError([ofMongo], 'both') })).toMatchObject({
    err: { type: 'AggregateError', aggregateErrors: [{ message: 'No space left on device', code: 14031 }] },
  })
})
