import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createStore } from 'zustand'
import { TextProvider } from '../../../shared/i18n/index.ts'
import { givenEnglish } from '../../../testing/given-english.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { emptyAnswer } from '../thread/state/live-answer.ts'
import { newAnswer } from '../thread/state/thread-message.ts'
import { AnswerMessage } from './answer-message.tsx'

const webSearch = {
  query: 'why tides',
  results: [{ url: 'https://b.test/2', title: '', domain: 'b.test' }],
  stage: 'done',
} as const
const i18n = givenEnglish()

/** The rendered text of an answer with a search that has not read a page yet. */
function drawn(isRunning: boolean): string {
  const live = isRunning ? { ...emptyAnswer('row', Date.now()), webSearch, phase: 'writing', content: 'It' } : null
  const session = { store: createStore(() => ({ live, reasons: {}, messages: [] })) } as unknown as ChatSession
  const message = { ...newAnswer('row', 'v3', 0), state: 'complete', content: 'It', webSearch } as const
  const props = { session, message, guest: true }
  const children = createElement(AnswerMessage, { ...props, question: 'Why?', questionId: null })
  const client = new QueryClient()
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(TextProvider, { i18n, children })),
  )
}

it('an answer says that no page of its search could be read, but only once it has ended', () => {
  expect(drawn(true)).toContain('Found 1 page')
  expect(drawn(true)).not.toContain('No pages could be read')
  expect(drawn(false)).toContain('No pages could be read')
})
