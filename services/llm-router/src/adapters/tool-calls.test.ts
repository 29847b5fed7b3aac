import { describe, expect, it } from 'vitest'
import { type CallPart, createCallCollector } from './tool-calls.ts'

const collected = (...parts: CallPart[]) => {
  const collector = createCallCollector()
  for (const part of parts) collector.add(part)
  return collector.finish('tool_calls')
}
const named = (id: string, text: string) => ({ type: 'tool', call: { id, name: 'look', arguments: text } })
const end = { type: 'finish', reason: 'tool_calls' }

describe('a tool call', () => {
  it('is assembled even if each part has an id of its own', () => {
    const parts = [
      { id: 'a', name: 'look', arguments: '{' },
      { id: 'b', arguments: '}' },
    ]
    expect(collected(...parts.map((part) => ({ index: 0, ...part })))).toEqual([named('a', '{}'), end])
  })

  it('is assembled even if its parts are interleaved with another’s', () => {
    const parts = [
      { index: 0, id: 'a', name: 'look' },
      { index: 1, id: 'b', name: 'look' },
      { index: 0, arguments: '{"x":' },
      { index: 1, arguments: '{}' },
      { index: 0, arguments: '1}' },
    ]
    expect(collected(...parts)).toEqual([named('a', '{"x":1}'), named('b', '{}'), end])
  })

  it('without arguments gets an empty object, and without a name is dropped', () => {
    expect(collected({ index: 0, id: 'a', name: 'look' }, { index: 1, id: 'b', arguments: '{}' })).toEqual([
      named('a', '{}'),
      end,
    ])
    expect(collected({ index: 1, id: 'b', arguments: '{}' })).toEqual([{ type: 'finish', reason: 'stop' }])
  })

  it('is yielded once when a provider ends twice', () => {
    const collector = createCallCollector()
    collector.add({ index: 0, id: 'a', name: 'look' })
    expect(collector.finish('tool_calls')).toEqual([named('a', '{}'), end])
    collector.add({ index: 1, id: 'b', name: 'look' })
    expect(collector.finish('stop')).toEqual([named('b', '{}'), end])
    expect(collector.finish('stop')).toEqual([end])
  })
})

it('the calls of a filtered answer are yielded, except one that was cut off', () => {
  const collector = createCallCollector()
  collector.add({ index: 0, id: 'a', name: 'look', arguments: '{}' })
  collector.add({ index: 1, id: 'b', name: 'look', arguments: '{"x' })
  expect(collector.finish('content_filter')).toEqual([named('a', '{}'), { type: 'finish', reason: 'content_filter' }])
})

it('excessive tool calls are refused', () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ index, name: 'look' }))
  expect(() => collected(...many)).toThrow('Too many')
  expect(() => collected({ index: 0, name: 'look', arguments: 'x'.repeat(300_000) })).toThrow('too long')
})
