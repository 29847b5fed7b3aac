import { setTimeout } from 'node:timers/promises'

/** Very generous, because milliseconds on an idle machine may become minutes on a busy one. */
const patienceMs = 120_000

/**
 * Resolves to the first value of `look` that is neither undefined nor false.
 * @param what describes it in the error
 * @throws Error after `timeoutMs`
 */
export async function waitUntil<T>(
  look: () => T | Promise<T>,
  what: string,
  timeoutMs = patienceMs,
  pollMs = 5,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await look()
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}`)
    await setTimeout(pollMs)
  }
}

/**
 * Resolves once `check` passes.
 * @throws the last error, after two minutes
 */
export async function untilPasses<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await setTimeout(5)
  }
}
