import { expect, it } from 'vitest'
import { createEventCutter, dataOf, splitEvents } from './event-cutter.ts'

const events = ['data: {"text":"Grüße"}\n\n', 'event: ping\ndata: {}\n\n', ': comment\n\n', 'data: one\ndata: two\n\n']

it.each([
  ['LF', (text: string) => text],
  ['CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
])('a stream with %s cut at every byte is handed on byte for byte, in whole events', (_name, written) => {
  const bytes = Buffer.from(written(events.join('')))
  const ends = new Set(events.map((_event, nth) => Buffer.byteLength(written(events.slice(0, nth + 1).join('')))))
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const cutter = createEventCutter()
    const first = cutter.push(bytes.subarray(0, cut))
    expect(first.length === 0 || ends.has(first.length), `cut at ${cut}`).toBe(true)
    const second = cutter.push(bytes.subarray(cut))
    expect(Buffer.concat([first, second]).equals(bytes), `cut at ${cut}`).toBe(true)
    expect(cutter.rest()).toHaveLength(0)
  }
})

it('a stream that arrives byte by byte is passed on event by event', () => {
  const cutter = createEventCutter()
  const handed: string[] = []
  for (const byte of Buffer.from(events.join(''))) {
    const whole = cutter.push(Buffer.of(byte))
    if (whole.length > 0) handed.push(whole.toString())
  }
  expect(handed).toEqual(events)
})

it('complete events are split, and their data is read', () => {
  const split = splitEvents(Buffer.from(events.join('')))
  expect(split.map(String)).toEqual(events)
  expect(split.map(dataOf)).toEqual(['{"text":"Grüße"}', '{}', '', 'one\ntwo'])
})

it('an oversized event is refused', () => {
  const cutter = createEventCutter()
  expect(() => {
    for (let megabytes = 0; megabytes < 10; megabytes += 1) cutter.push(Buffer.alloc(1024 * 1024, 'x'))
  }).toThrow('too long')
})
