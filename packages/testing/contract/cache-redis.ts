import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { CacheEngine } from '@parley/cache'
import { openRedisEngine, type RedisEngineOptions } from '@parley/cache/redis'
import { type NativeEngine, startNativeRedis } from '@parley/engines'
import { createLogger, type Logger } from '@parley/kit'
import { testKeyPrefix } from '../src/engines/test-engines.ts'
import { type FaultProxy, startFaultProxy } from '../src/processes/fault-proxy.ts'

/** Polling options for slow machines. */
export const eventually = { interval: 10 }

/** A generous time limit, because on a busy machine a late answer would trigger the local fallback, which most tests do not test. */
export const patientMs = 5_000

/** A Redis for one test file, which may stop or break it, and cache engines on it. */
export interface GivenRedis {
  readonly server: NativeEngine
  /** Opens an engine that is closed with the server. Engines of one server share a prefix. */
  open(options?: Partial<RedisEngineOptions>): CacheEngine
  /** Like `open`, with its own log and a fault proxy to the server. */
  openSevered(
    options?: Partial<RedisEngineOptions>,
  ): Promise<{ readonly engine: CacheEngine; readonly proxy: FaultProxy; readonly lines: string[] }>
  /** Sends a command over a new connection; resolves to the first reply. @throws with the engine's error */
  command(command: string): Promise<string>
  /** Cuts every connection that reads streams; resolves to their number. */
  cutReaders(): Promise<number>
  close(): Promise<void>
}

/** Starts a separate Redis. */
export async function givenRedis(): Promise<GivenRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  const server = await startNativeRedis({ folder })
  const prefix = testKeyPrefix()
  const ends: (() => Promise<unknown>)[] = []
  const open = (options: Partial<RedisEngineOptions> = {}): CacheEngine => {
    const engine = openRedisEngine({
      url: server.url,
      scope: 'test',
      log: silent,
      prefix,
      budgetMs: patientMs,
      ...options,
    })
    ends.unshift(() => engine.close())
    return engine
  }
  const command = (text: string): Promise<string> => sendCommand(server.url, text)
  return {
    server,
    open,
    async openSevered(options = {}) {
      const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
      ends.push(() => proxy.close())
      const { log, lines } = rememberingLog()
      const engine = open({ url: `redis://127.0.0.1:${proxy.port}`, log, ...options })
      return { engine, proxy, lines }
    },
    command,
    async cutReaders() {
      const ids = [...(await command('CLIENT LIST')).matchAll(/\bid=(\d+) .*name=\S+-reader /g)]
      for (const [, id] of ids) await command(`CLIENT KILL ID ${id}`)
      return ids.length
    },
    async close() {
      for (const end of ends) await end()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const silent = createLogger('cache-contract', 'silent')

/** A logger that records its messages. */
export function rememberingLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const keeping = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()).msg)
      done()
    },
  })
  return { log: createLogger('cache-contract', 'info', keeping), lines }
}

/**
 * Sends a command, whose parts must not contain spaces, over a new connection as the user in the URL; resolves to the first reply.
 * @throws with the engine's error
 */
export function sendCommand(url: string, command: string): Promise<string> {
  const { hostname: host, port, username, password } = new URL(url)
  const login =
    password === '' ? [] : [['AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password)].join(' ')]
  const answers = login.length + 1
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) })
    let text = ''
    socket.once('error', reject)
    socket.on('data', (answer: Buffer) => {
      text += answer.toString()
      // Skips the reply to AUTH, which is one line.
      const rest = text
        .split('\r\n')
        .slice(answers - 1)
        .join('\r\n')
      if (!text.startsWith('-') && rest === '') return
      socket.destroy()
      if (text.startsWith('-') || rest.startsWith('-')) reject(new Error(text))
      else resolve(rest)
    })
    socket.write([...login, command].map((line) => `${line}\r\n`).join(''))
  })
}
