import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, newId, smtpUrl, systemClock } from '@parley/kit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startInbox } from './inbox.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-inbox-'))
})
afterEach(() => rm(folder, { recursive: true }))

const hasIpv6 = (): Promise<boolean> => {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, '::1', () => server.close(() => resolve(true)))
  })
}

it('an inbox on an IPv6 address has URLs with that address in brackets, at which its page answers', async ({
  skip,
}) => {
  if (!(await hasIpv6())) skip('this machine has no IPv6')
  const log = createLogger('test', 'silent')
  const inbox = await startInbox({ folder, host: '::1', port: 0, log, now: systemClock, newId })
  try {
    expect(smtpUrl.parse(inbox.smtpUrl)).toMatch(/^smtp:\/\/\[::1\]:\d+$/)
    expect((await fetch(inbox.url)).status).toBe(200)
  } finally {
    await inbox.close()
  }
})
