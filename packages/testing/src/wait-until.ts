import { setTimeout } from 'node:timers/promises'

/**
 * Resolves to the first value of `look` that is not undefined.
 * @param what names it in the error
 * @throws Error after `timeoutMs` without one
 */
export async function waitUntil<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  timeoutMs = 10_000,
  pollMs = 5,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}`)
    await setTimeout(pollMs)
  }
}
