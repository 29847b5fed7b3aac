import { Writable } from 'node:stream'
import { createLogger, type Logger } from '../src/index.ts'

/** A logger, and what was logged with it, oldest first. */
export function recordedLog(): { readonly log: Logger; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: createLogger('test', 'info', destination), lines }
}
