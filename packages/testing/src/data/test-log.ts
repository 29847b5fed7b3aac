import { createLogger, type Logger } from '@parley/kit'

/** Prints a line of a service's log if it has the reason of a 500 response, which no test should miss. */
export function printInternalError(line: string): void {
  const { status, method, path, err } = JSON.parse(line)
  if (status === 500) process.stderr.write(`500 for ${method} ${path}: ${err?.stack}\n`)
}

/** A logger that prints nothing else. */
export const testLog: Logger = createLogger('test', 'error', { write: printInternalError })
