import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createLogger } from '../observability/log.ts'
import { AppError, unavailable } from './app-error.ts'
import { createErrorWriter } from './error-answer.ts'

const lines: string[] = []
const write = createErrorWriter(createLogger('test', 'info', { write: (line) => lines.push(line) }))
afterEach(() => {
  lines.length = 0
})

/** The status of an answer whose handler throws, and the statuses that it logs. */
async function answerTo(thrown: unknown): Promise<{ status: number; logged: unknown[] }> {
  const server = createServer((request, response) => write(thrown, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return { status, logged: lines.map((line) => (JSON.parse(line) as { status: unknown }).status) }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

it('logs what failed, and no refusal', async () => {
  expect(await answerTo(new TypeError('unforeseen'))).toEqual({ status: 500, logged: [500] })
  lines.length = 0
  expect(await answerTo(unavailable())).toEqual({ status: 503, logged: [503] })
  lines.length = 0
  expect(await answerTo(new AppError('forbidden', 'Not yours'))).toEqual({ status: 403, logged: [] })
})

it('does not log calls of what the installation does not have', async () => {
  const none = new AppError('unavailable', 'There is no such thing here.', { isReported: false })
  expect(await answerTo(none)).toEqual({ status: 503, logged: [] })
})
