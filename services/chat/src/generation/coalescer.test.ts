import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCoalescer } from './coalescer.ts'
import type { Delta } from './transcript.ts'

let emitted: Delta[][]
beforeEach(() => {
  vi.useFakeTimers()
  emitted = []
})
afterEach(() => {
  vi.useRealTimers()
})

const given = () => {
  const coalescer = createCoalescer(25, (deltas) => emitted.push([...deltas]))
  return { coalescer, text: (text: string) => coalescer.add({ kind: 'text', text }) }
}

it('a coalescer emits the first piece at once and joins those of the next 25 ms', () => {
  const { coalescer, text } = given()
  text('a')
  expect(emitted).toEqual([[{ kind: 'text', text: 'a' }]])
  text('b')
  coalescer.add({ kind: 'reasoning', text: 'r' })
  coalescer.add({ kind: 'reasoning', text: 's' })
  text('c')
  expect(emitted).toHaveLength(1)
  vi.advanceTimersByTime(25)
  expect(emitted[1]).toEqual([
    { kind: 'text', text: 'b' },
    { kind: 'reasoning', text: 'rs' },
    { kind: 'text', text: 'c' },
  ])
})

it('a coalescer holds half a character back until the other half arrives', () => {
  const { coalescer, text } = given()
  text('x\ud83d')
  expect(emitted).toEqual([[{ kind: 'text', text: 'x' }]])
  text('\ude00')
  vi.advanceTimersByTime(25)
  expect(emitted[1]).toEqual([{ kind: 'text', text: '😀' }])
  text('\ud83d')
  coalescer.flush()
  expect(emitted[2]).toEqual([{ kind: 'text', text: '\ufffd' }])
})

it('a flushed coalescer leaves no timer behind', () => {
  const { coalescer, text } = given()
  text('a')
  text('b')
  coalescer.flush()
  expect(emitted[1]).toEqual([{ kind: 'text', text: 'b' }])
  expect(vi.getTimerCount()).toBe(0)
})

it('a coalescer replaces what cannot be stored, and emits no empty piece', () => {
  const { coalescer, text } = given()
  text('\0')
  text('')
  coalescer.flush()
  expect(emitted).toEqual([[{ kind: 'text', text: '\ufffd' }]])
})
