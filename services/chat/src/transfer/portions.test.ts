import { describe, expect, it } from 'vitest'
import { bytesAtOnce } from '../store/message-store.ts'
import { portionsOf } from './portions.ts'

const lengths = (sizes: readonly number[]) =>
  portionsOf(sizes.map((bytes, nth) => ({ id: String(nth), bytes }))).map((ids) => ids.length)

describe('portions of messages', () => {
  it('have at most 100 messages, each once and in order', () => {
    const ids = portionsOf(Array.from({ length: 250 }, (_, nth) => ({ id: String(nth), bytes: 10 })))
    expect(ids.map((portion) => portion.length)).toEqual([100, 100, 50])
    expect(ids.flat()).toEqual(Array.from({ length: 250 }, (_, nth) => String(nth)))
    expect(portionsOf([])).toEqual([])
  })

  it('have no more bytes than are read at once, unless a single message has', () => {
    const [half, whole] = [bytesAtOnce / 2, bytesAtOnce]
    expect(lengths([half, half, 1, half, half])).toEqual([2, 2, 1])
    expect(lengths([1, whole * 5, 1, 1, whole])).toEqual([1, 1, 2, 1])
  })
})
