import type { Logger } from '../observability/log.ts'

/** A second signal counts only after this long: under npm one Ctrl-C may arrive twice. Milliseconds. */
export const repeatGuardMs = 500
/** How long saving may take after an uncaught fault. Milliseconds. */
const faultMs = 5_000

/**
 * Ends the process once `stop` is through: with 0 on SIGTERM or SIGINT, where a second signal ends it at once; with 1 after an exception
 * or a rejection that nobody caught, since nobody knows what it left behind.
 * @param stop ends all work and closes all that is open; told to hurry when the process is broken: then only what is quick
 * @param capMs a stop that takes longer is given up, and the process ends with 1; without it a stop may take as long as it does
 */
export function stopOnSignal(stop: (hurry: boolean) => Promise<void>, log: Logger, capMs?: number): void {
  let firstAt: number | undefined
  const end = (code: number, limitMs: number | undefined): void => {
    if (limitMs !== undefined) setTimeout(() => giveUp(log), limitMs).unref()
    stop(code !== 0).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stop failed')
        process.exit(1)
      },
    )
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > repeatGuardMs) process.exit(1)
      return
    }
    firstAt = Date.now()
    log.info({ signal }, 'stopping')
    end(0, capMs)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // Unhandled rejections arrive here too.
  process.once('uncaughtException', (error) => {
    // One more is not worth a word: without a listener it would cut the stop short.
    process.on('uncaughtException', () => undefined)
    log.fatal({ err: error }, 'uncaught exception; the process exits')
    firstAt ??= Date.now()
    end(1, faultMs)
  })
}

function giveUp(log: Logger): void {
  log.error('the shutdown takes too long; the process exits')
  process.exit(1)
}
