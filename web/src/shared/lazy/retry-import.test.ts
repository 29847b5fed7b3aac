import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { retryImport } from './retry-import.ts'

describe('a lazy import', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** An import that fails the given number of times, with numbered errors. */
  const failing = (times: number) => {
    let tries = 0
    return {
      load: async () => {
        tries += 1
        if (tries <= times) throw new Error(`try ${tries}`)
        return 'the part'
      },
      tries: () => tries,
    }
  }

  it('is retried after growing pauses until it succeeds', async () => {
    const { load, tries } = failing(2)
    const part = retryImport(load, false, [100, 1_000, 10_000])
    await vi.advanceTimersByTimeAsync(99)
    expect(tries()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(tries()).toBe(2)
    await vi.advanceTimersByTimeAsync(999)
    expect(tries()).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(await part).toBe('the part')
    expect(tries()).toBe(3)
  })

  it('fails with the error of its last try', async () => {
    const { load, tries } = failing(9)
    const part = expect(retryImport(load, false, [1, 1])).rejects.toThrow('try 3')
    await vi.runAllTimersAsync()
    await part
    expect(tries()).toBe(3)
  })

  it('of a part is retried until it succeeds, after the last pause again and again', async () => {
    const { load, tries } = failing(50)
    const part = retryImport(load, true, [1, 10])
    await vi.advanceTimersByTimeAsync(491)
    expect(await part).toBe('the part')
    expect(tries()).toBe(51)
  })

  it('that succeeds immediately is made once', async () => {
    const { load, tries } = failing(0)
    expect(await retryImport(load)).toBe('the part')
    expect(tries()).toBe(1)
  })
})
