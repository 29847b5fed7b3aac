import { describe, expect, it } from 'vitest'
import { startFailure } from './start-failure.ts'

const ports = { PORT: 80, INBOX_PORT: 8025, METRICS_PORT: undefined }
const listenError = (code: string, port: number) =>
  Object.assign(new Error(`listen ${code}`), { code, port, address: '127.0.0.1' })

describe('the reason why Parley cannot start', () => {
  it.each([
    [
      listenError('EADDRINUSE', 8025),
      'Port 8025 of 127.0.0.1 is in use by another program: set INBOX_PORT to another one',
    ],
    [listenError('EACCES', 80), 'Port 80 of 127.0.0.1 needs more rights than this user has: set PORT to another one'],
    [listenError('EADDRINUSE', 9), 'Port 9 of 127.0.0.1 is in use by another program'],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 8025 }), 'connect ECONNREFUSED'],
    [new Error('PORT: too big'), 'PORT: too big'],
    ['gone', 'gone'],
  ])('says of %s: %s', (error, text) => {
    expect(startFailure(error, ports)).toBe(text)
  })
})
