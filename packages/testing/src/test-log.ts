import { createLogger, type Logger } from '@parley/kit'

/** Prints why a request was answered with a 500, given a line of a service's log: no test wants one without knowing. */
export function printInternalError(line: string): void {
  const { status, method, path, err } = JSON.parse(line)
  if (status === 500) process.stderr.write(`500 for ${method} ${path}: ${err?.stack}\n`)
}

/** A log that says nothing else. */
export const testLog: Logger = createLogger('test', 'error', { write: printInternalError })
