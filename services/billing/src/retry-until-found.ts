import { setTimeout as pause } from 'node:timers/promises'

const tries = 20
const pauseMs = 100

/**
 * Repeats an act until it finds its user, for at most 2 s: billing learns of a registration by an event, so a new user may not be known
 * yet. Resolves to the last result.
 */
export async function retryUntilFound<Result>(
  act: () => Promise<Result>,
  known: (result: Result) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await act()
    if (known(result) || attempt === tries) return result
    await pause(pauseMs)
  }
}
