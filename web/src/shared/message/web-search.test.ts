import type { SearchResult } from '@parley/contracts'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { givenEnglish } from '../../testing/given-english.ts'
import { TextProvider } from '../i18n/index.ts'
import type { WebSearch as Search } from './answer-parts.ts'
import { WebSearch } from './web-search.tsx'

const i18n = givenEnglish()
const read: SearchResult = { url: 'https://a.test/1', title: 'Tides', domain: 'a.test', summary: 'About tides' }
const found: SearchResult = { url: 'https://b.test/2', title: '', domain: 'b.test' }

/** The rendered text of a search. */
const drawn = (search: Omit<Search, 'query'>, growing = false): string =>
  renderToStaticMarkup(
    TextProvider({ i18n, children: createElement(WebSearch, { search: { query: 'why tides', ...search }, growing }) }),
  ).replace(/<[^>]*>/g, ' ')

it('a search shows that it searches, each address, that it reads, and the results', () => {
  expect(drawn({ results: [], stage: 'searching' })).toMatch(/Searching the web….*why tides/)
  const searching = drawn({ results: [read, found], stage: 'searching' })
  expect(searching).toMatch(/Searching the web….*Tides.*a\.test.*https:\/\/b\.test\/2.*b\.test/)
  expect(searching).not.toContain('Processing content...')
  expect(drawn({ results: [read, found], stage: 'reading' })).toMatch(
    /Searching the web….*b\.test.*Processing content\.\.\./,
  )
  const answering = drawn({ results: [found], stage: 'done' }, true)
  expect(answering).toMatch(/Found 1 page.*1.*b\.test/)
  expect(answering).not.toContain('No pages could be read')
  expect(drawn({ results: [found], stage: 'done' })).toContain('No pages could be read')
  const done = drawn({ results: [read, found], stage: 'done' })
  expect(done).toMatch(/Read 1 page.*a\.test.*b\.test/)
  expect(done).not.toMatch(/Searching|Processing/)
})

it('a failed search says so', () => {
  expect(drawn({ results: [], stage: 'failed' }).trim()).toBe('Web search failed')
})
