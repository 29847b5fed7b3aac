import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startFaultProxy, testDatabase, waitUntil } from '@parley/testing'
import { afterEach, describe, expect, it } from 'vitest'

const services = ['auth', 'billing', 'chat', 'gateway', 'llm-router', 'notifier']
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A service as a process of its own; its environment is what is given and nothing else. */
function start(service: string, environment: Record<string, string>) {
  const main = fileURLToPath(new URL(`../../${service}/src/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return { child, output: () => output }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

describe('a service of its own', () => {
  it.each(services)('%s names every wrong variable, without a stack, and exits with 1', async (service) => {
    const { child, output } = start(service, { INTERNAL_SECRET: 'short', PORT: 'none', TRUSTED_PROXIES: 'all' })
    expect((await once(child, 'exit'))[0]).toBe(1)
    expect(output()).toMatch(/^Configuration is wrong:/)
    const wrong = ['INTERNAL_SECRET', 'PORT', service === 'gateway' ? 'TRUSTED_PROXIES' : 'POSTGRES_URL']
    for (const name of wrong) expect(output()).toContain(`\n  ${name}: `)
    expect(output()).not.toMatch(/\n\s+at |short|node:internal/)
  })

  it('waits for PostgreSQL, serves once it is there, and says so when waiting is vain', async () => {
    const database = await testDatabase()
    const url = new URL(database.url)
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
    const INTERNAL_SECRET = 'a secret of at least thirty-two characters'
    try {
      proxy.fault({ kind: 'refuse' })
      const PORT = String(await freePort())
      const POSTGRES_URL = `postgres://${url.username}:${url.password}@127.0.0.1:${proxy.port}${url.pathname}`
      const waiting = start('billing', { INTERNAL_SECRET, PORT, POSTGRES_URL })
      const ready = () =>
        fetch(`http://127.0.0.1:${PORT}/readyz`).then(
          ({ status }) => status === 200 || undefined,
          () => undefined,
        )
      await waitUntil(async () => waiting.output().includes('waiting for PostgreSQL') || undefined, 'the wait')
      expect(await ready()).toBeUndefined()
      proxy.fault({ kind: 'none' })
      expect(await waitUntil(ready, 'billing')).toBe(true)
      const refused = start('billing', {
        INTERNAL_SECRET,
        PORT: '0',
        POSTGRES_URL: POSTGRES_URL.replace(url.password, 'wrong'),
      })
      expect((await once(refused.child, 'exit'))[0]).toBe(1)
      waiting.child.kill('SIGTERM')
      expect((await once(waiting.child, 'exit'))[0]).toBe(0)
    } finally {
      await proxy.close()
      await database.drop()
    }
  })
})
