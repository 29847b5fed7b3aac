import type { Service } from '../src/index.ts'
import { createLogger, runMain, serve, stopOnSignal } from '../src/index.ts'

/**
 * A process that serves: `/stream` writes a word and ends a second after the process was told to stop, `/fault` throws where nobody catches.
 * Arguments: what its start waits for (`nothing` or `ever`), or `stuck` for one whose stop never ends.
 */
const [, , waits = 'nothing'] = process.argv
const log = createLogger('test', 'info')
const draining = new AbortController()
const acts: string[] = []
const service: Service = {
  name: 'test',
  handler(request, response) {
    if (request.url === '/fault')
      setImmediate(() => {
        throw new Error('planted')
      })
    if (request.url !== '/stream') return void response.end(draining.signal.aborted ? 'draining' : 'here')
    response.write('begun ')
    draining.signal.addEventListener('abort', () => setTimeout(() => response.end('ended'), 1_000))
  },
  start: async () => undefined,
  drain: () => draining.abort(),
  stop: async () => void acts.push('service stopped'),
}
const config = { HOST: '127.0.0.1', PORT: 0, STOP_GRACE_SECONDS: 60, DRAIN_DELAY_MS: 3_000 }
const engine = async () => (waits === 'ever' ? Promise.reject(new Error('away')) : undefined)
const used = [{ close: () => log.info({ after: acts }, 'engine closed') }]

await runMain(async () => {
  if (waits !== 'stuck') return serve({ service, config, log, required: { engine }, used })
  setInterval(() => undefined, 1_000)
  stopOnSignal(() => new Promise(() => undefined), log, 100)
  log.info('started')
})
