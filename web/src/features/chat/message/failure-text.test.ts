import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TextProvider, type Translate } from '../../../shared/i18n/index.ts'
import { givenEnglish } from '../../../testing/given-english.ts'
import type { AnswerEnd } from '../stream/read-answer.ts'
import { type Failure, failureOfEnd, failureOfImage, failureOfRefusal } from '../thread/state/failure.ts'
import { newAnswer } from '../thread/state/thread-message.ts'
import { AnswerFailure } from './answer-failure.tsx'
import { chargeText, failureText } from './failure-text.ts'

const i18n = givenEnglish()
const t: Translate = (id, values) => i18n._(id, values)
const textOf = (failure: Failure): string => failureText(t, failure, true)

const refused = (code: string, message = '') => ({ status: 500, code, message })

it.each([
  ['network', 'Failed to send message: a network error occurred. Check your connection and try again.'],
  ['timeout', 'Failed to send message: the request timed out after 10 minutes.'],
  ['invalid_response', 'Failed to send message: the response had an invalid format.'],
  ['unexpected', 'Failed to send message: the server gave no reason. Please try again.'],
])('a send that fails with %s reads “%s”', (code, text) => {
  expect(textOf(failureOfRefusal(refused(code), false))).toBe(text)
})

it('a first message that the server refuses without a message reads “Failed to start a new chat session…”', () => {
  const text = 'Failed to start a new chat session. Please try again.'
  expect(textOf(failureOfRefusal(refused('unexpected'), true))).toBe(text)
})

it('the server’s messages about a send, an answer and an image are shown unchanged', () => {
  const words = 'This model is currently unavailable. Please select a different model.'
  expect(textOf(failureOfRefusal(refused('model_locked', words), true))).toBe(words)
  const end = { type: 'error', error: words, code: 'provider_error' } as const
  expect(textOf(failureOfEnd(end, false) ?? failureOfImage(null))).toBe(words)
  const image = 'Failed to generate image: The provider is out of paint.'
  expect(textOf(failureOfImage(refused('provider_error', image)))).toBe(image)
})

it.each<[AnswerEnd, string]>([
  [{ type: 'interrupted', reason: 'timeout' }, 'Response timeout. The AI model took too long to respond.'],
  [
    { type: 'interrupted', reason: 'lost' },
    'Connection lost during streaming. What arrived so far is kept; reconnect to see the rest.',
  ],
  [{ type: 'interrupted', reason: 'failed' }, 'Connection error during streaming. What arrived so far is kept.'],
  [{ type: 'interrupted', reason: 'broken-off' }, 'Streaming was interrupted'],
  [{ type: 'gone' }, 'Streaming was interrupted'],
  [
    { type: 'error', error: '', code: 'provider_error' },
    'Connection error during streaming. What arrived so far is kept.',
  ],
])('an answer that ends with %j reads “%s”', (end, text) => {
  const failure = failureOfEnd(end, true)
  expect(failure && textOf(failure)).toBe(text)
})

it.each<[unknown, string]>([
  [refused('rate_limited', 'Too many requests'), 'Failed to generate image: Too many requests'],
  [refused('network'), 'Failed to generate image: a network error occurred. Check your connection and try again.'],
  [refused('timeout'), 'Failed to generate image: the request timed out after 5 minutes.'],
  [new DOMException('Stopped', 'AbortError'), 'Failed to generate image: you stopped it.'],
  [new Error('No image URL'), 'No image URL received from the server.'],
])('an image that fails with %o reads “%s”', (error, text) => {
  expect(textOf(failureOfImage(error))).toBe(text)
})

it('a failed answer apologises, and an interrupted one has a note in italics', () => {
  const shown = (content: string) => {
    const failure = failureOfEnd({ type: 'interrupted', reason: 'broken-off' }, content !== '')
    const message = { ...newAnswer('k', 'v3', 0), id: 'm1', content }
    if (failure === null) throw new Error('No failure')
    const props = { message, failure, guest: false }
    return renderToStaticMarkup(TextProvider({ i18n, children: createElement(AnswerFailure, props) }))
  }
  expect(shown('')).toContain('>Sorry, this message couldn’t be answered.</p>')
  expect(shown('Half')).toMatch(/<p class="italic [^"]*">This answer was interrupted\.<\/p>/)
  expect(shown('Half')).not.toContain('Sorry')
  expect(shown('Half')).toContain('Streaming was interrupted')
})

it.each([
  ['text', 2, false, '2 credits were charged for the text you received.'],
  ['text', null, false, 'Credits were charged for the text you received.'],
  ['none', null, false, 'No credits were charged.'],
  ['none', null, true, 'It didn’t use up one of your guest messages.'],
  ['text', 2, true, ''],
] as const)('a failure with the charge “%s” and %s credits (guest: %s) says “%s”', (charge, credits, guest, text) => {
  const failure: Failure = { text: { type: 'server', text: 'Down' }, code: 'gone', charge }
  expect(chargeText(t, failure, credits, guest)).toBe(text)
})

/** Where the server has its sentences. */
const sources = ['llm-router/src/completion/failure.ts', 'chat/src/generation/run.ts']
const sentencesOf = (source: string): string[] =>
  [
    ...source.matchAll(/'((?:Response timeout|Connection lost|The AI provider|This AI provider|No API key)[^']*)'/g),
  ].map(([, text = '']) => text)

it('why the server ended an answer is said in the language of the interface, and in the server’s English until its texts are loaded', () => {
  const files = sources.map((path) => readFileSync(new URL(`../../../../../services/${path}`, import.meta.url), 'utf8'))
  const sentences = [...new Set(files.flatMap(sentencesOf))]
  expect(sentences).toHaveLength(9)
  const translate: Translate = (id, values) => `<${id}${values ? ` ${values.reason}` : ''}>`
  for (const error of sentences) {
    const failure = failureOfEnd({ type: 'error', error, code: 'provider_error' }, false)
    if (failure === null) throw new Error('No failure')
    expect(textOf(failure)).toBe(error)
    expect(failureText(translate, failure, false)).toBe(error)
    expect(failureText(translate, failure, true), error).toMatch(/^<chat\.failure\./)
  }
  const ofImage = failureOfImage(
    refused(
      'provider_error',
      sentences.find((text) => text.includes('image')),
    ),
  )
  expect(failureText(translate, ofImage, true)).toMatch(/^<live\.failure\.image <chat\.failure\.provider\.noImage/)
})
