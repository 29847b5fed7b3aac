import { pause } from '@parley/kit'

const mostPauseMs = 5_000

/**
 * Keeps work going until `signal` aborts, through outages of what it needs: work that ended is begun anew, after a failure with a pause, which grows
 * until it calls `succeeded`. Resolves once it has ended for good.
 * @param outage is told the reason once per outage
 */
export async function keepGoing(
  signal: AbortSignal,
  work: (succeeded: () => void) => Promise<void>,
  outage: (reason: string) => void,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await work(() => {
        failures = 0
      })
    } catch (error) {
      failures += 1
      if (failures === 1) outage(String(error))
      await pause(Math.min(100 * 2 ** failures, mostPauseMs), signal)
    }
  }
}
