import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCollector } from './collector.ts'
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
  const collector = createCollector(25, (deltas) => emitted.push([...deltas]))
  return { collector, text: (text: string) => collector.add({ kind: 'text', text }) }
}

it('hands over the first piece at once and joins those of the next 25 ms', () => {
  const { collector, text } = given()
  text('a')
  expect(emitted).toEqual([[{ kind: 'text', text: 'a' }]])
  text('b')
  collector.add({ kind: 'reasoning', text: 'r' })
  collector.add({ kind: 'reasoning', text: 's' })
  text('c')
  expect(emitted).toHaveLength(1)
  vi.advanceTimersByTime(25)
  expect(emitted[1]).toEqual([
    { kind: 'text', text: 'b' },
    { kind: 'reasoning', text: 'rs' },
    { kind: 'text', text: 'c' },
  ])
})

it('keeps a half character until its other half comes', () => {
  const { collector, text } = given()
  text('x\ud83d')
  expect(emitted).toEqual([[{ kind: 'text', text: 'x' }]])
  text('\ude00')
  vi.advanceTimersByTime(25)
  expect(emitted[1]).toEqual([{ kind: 'text', text: '😀' }])
  text('\ud83d')
  collector.flush()
  expect(emitted[2]).toEqual([{ kind: 'text', text: '\ufffd' }])
})

it('leaves no timer behind', () => {
  const { collector, text } = given()
  text('a')
  text('b')
  collector.flush()
  expect(emitted[1]).toEqual([{ kind: 'text', text: 'b' }])
  expect(vi.getTimerCount()).toBe(0)
})

it('emits nothing that cannot be stored, and nothing empty', () => {
  const { collector, text } = given()
  text('\0')
  text('')
  collector.flush()
  expect(emitted).toEqual([[{ kind: 'text', text: '\ufffd' }]])
})
