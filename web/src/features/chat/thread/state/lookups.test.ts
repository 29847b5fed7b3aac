import { describe, expect, it } from 'vitest'
import { followSearch, takePages, takeTool, toolStatus } from './lookups.ts'

const page = (url: string, summary?: string) => ({ url, title: url, domain: 'x', ...(summary && { summary }) })

it.each([
  [{ error: 'No', result: 1, parameters: {} }, 'error'],
  [{ result: null, parameters: {} }, 'completed'],
  [{ parameters: {} }, 'running'],
  [{}, 'pending'],
] as const)('a call with %j is in the state %s', (call, status) => {
  expect(toolStatus(call)).toBe(status)
})

describe('the tool calls of an answer', () => {
  it('keep their order, parameters and time as events arrive', () => {
    const begun = takeTool([], { toolCallId: 'a', toolName: 'clock', parameters: { zone: 'UTC' } }, 1_000)
    const two = takeTool(begun, { toolCallId: 'b', toolName: 'quote', parameters: {} }, 2_000)
    const ended = takeTool(two, { toolCallId: 'a', toolName: '', result: '12:00', resultNormalized: '12:00' }, 3_000)
    expect(ended).toMatchObject([
      { toolName: 'clock', parameters: { zone: 'UTC' }, status: 'completed', timestamp: new Date(1_000).toISOString() },
      { toolName: 'quote', status: 'running' },
    ])
  })

  it('are added by a result whose start was missed', () => {
    const [call] = takeTool([], { toolCallId: 'a', toolName: 'clock', error: 'No' }, 0)
    expect(call).toMatchObject({ status: 'error', parameters: {} })
  })
})

describe('a web search', () => {
  it('starts with its call, and fails with it if nothing was found', () => {
    const call = { toolCallId: 'a', toolName: 'web_search' }
    const begun = followSearch(null, { ...call, parameters: { query: 'tea' } })
    expect(begun).toEqual({ query: 'tea', results: [], stage: 'searching' })
    expect(followSearch(begun, { ...call, error: 'No' })).toMatchObject({ query: 'tea', stage: 'failed' })
    expect(followSearch(takePages(begun, [page('u')]), { ...call, error: 'No' })?.stage).toBe('done')
    expect(followSearch(begun, { ...call, result: [] })?.stage).toBe('done')
    expect(followSearch(null, { toolCallId: 'b', toolName: 'clock' })).toBeNull()
  })

  it('takes the pages it has read from its call’s result, and keeps them when another call finds them', () => {
    const call = { toolCallId: 'a', toolName: 'web_search' }
    const found = takePages(null, [page('u1'), page('u2')])
    const read = followSearch(found, { ...call, result: { results: [page('u2', 'about tea'), null, { title: 'No' }] } })
    expect(read?.results).toEqual([page('u1'), page('u2', 'about tea')])
    const again = followSearch(read, {
      ...call,
      toolCallId: 'b',
      result: { results: [page('u2'), page('u3', 'more')] },
    })
    expect(again?.results).toEqual([page('u1'), page('u2', 'about tea'), page('u3', 'more')])
  })

  it('lists each page once, with its summary when known', () => {
    const found = takePages(takePages(null, [page('u1')]), [page('u1', 'about tea'), page('u2')])
    expect(found.results).toEqual([page('u1', 'about tea'), page('u2')])
  })
})
