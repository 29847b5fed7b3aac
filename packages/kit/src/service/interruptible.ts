import { repeatGuardMs } from './process-end.ts'

/** What shells report of a process that the signal ended. */
const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143 }

/**
 * Runs work that SIGINT or SIGTERM interrupts: its signal is aborted, and once the work has cleaned up and rejected, the process exits with 130 or 143.
 * A second signal exits at once. Work that is complete in spite of the signal counts. Without this the process would end in the midst of the work,
 * or as the first one of a container not at all.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  const { signal } = interruption
  let firstAt = Number.POSITIVE_INFINITY
  let exitCode = 1
  const onSignal = (name: NodeJS.Signals): void => {
    exitCode = exitCodes[name] ?? exitCode
    if (Date.now() - firstAt > repeatGuardMs) process.exit(exitCode)
    if (signal.aborted) return
    firstAt = Date.now()
    interruption.abort(new Error(`interrupted by ${name}`))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    return await work(signal)
  } catch (error) {
    if (signal.aborted) process.exit(exitCode)
    throw error
  } finally {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
}
