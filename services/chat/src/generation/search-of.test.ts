import type { StreamEvent } from '@parley/contracts'
import { expect, it } from 'vitest'
import { searchOf } from './search-of.ts'

const asks = (query: string): StreamEvent => ({
  tool_call_start: { toolName: 'web_search', toolCallId: query, parameters: { query } },
})
const finds = (url: string): StreamEvent => ({ web_search_url: url, title: `Title of ${url}`, domain: 'd' })

it('an answer’s search is named by its first query, and has each page once', () => {
  const events = [asks('moon'), finds('a'), asks('tides'), finds('b'), finds('a')]
  expect(searchOf(events)).toMatchObject({ query: 'moon', results: [{ url: 'a' }, { url: 'b' }] })
  expect(searchOf([{ text: 'No search' }])).toBeNull()
})
