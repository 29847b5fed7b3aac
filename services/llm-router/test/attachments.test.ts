import type { PromptMessage } from '@parley/contracts'
import { tinyPng } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
const senses = { supportsImageAttachments: true, supportsFileAttachments: true }
beforeAll(async () => {
  router = await givenRouter()
  await router.model({ id: 'by-openai', provider: 'openai', ...senses })
  await router.model({ id: 'by-xai', provider: 'xai', sdkType: 'xai-sdk', ...senses })
  await router.model({ id: 'by-fetch', sdkType: 'fetch', ...senses })
  await router.model({ id: 'by-anthropic', provider: 'anthropic', sdkType: 'anthropic-sdk', ...senses })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const pdf = Buffer.from('%PDF-1.4 a report').toString('base64')
const attached: PromptMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'image', mimeType: 'image/png', data: tinyPng, detail: 'low' },
      { type: 'image', mimeType: 'image/jpeg', data: 'AAAA', detail: 'auto' },
      { type: 'file', mimeType: 'application/pdf', data: pdf, name: 'résumé.pdf' },
      { type: 'text', text: 'What is this?' },
    ],
  },
]

describe.each(['by-openai', 'by-xai', 'by-fetch', 'by-anthropic'])('attachments by %s', (model) => {
  test('reach the provider complete, in its own format', async () => {
    expect((await completion(router, model, { messages: attached })).text).toBe('You said: What is this?')
    const { prompt } = await router.provider.call(1)
    expect(prompt.messages).toHaveLength(1)
    expect(prompt.messages[0]?.text).toBe('What is this?')
    expect(prompt.messages[0]?.files).toMatchObject([
      { type: 'image/png', base64: tinyPng },
      { type: 'image/jpeg', base64: 'AAAA' },
      { type: 'application/pdf', base64: pdf, name: 'résumé.pdf' },
    ])
    if (model !== 'by-anthropic') {
      expect(prompt.messages[0]?.files.map(({ detail }) => detail)).toEqual(['low', undefined, undefined])
    }
  })

  test('are not logged', async () => {
    router.provider.always({ status: 500 })
    await completion(router, model, { messages: attached })
    expect(router.logged()).not.toMatch(new RegExp(`${tinyPng.slice(0, 20)}|${pdf.slice(0, 16)}|résumé`))
  })

  test('count towards an estimate, but not as the text of their bytes', async () => {
    router.provider.reply({ text: 'fine', usage: 'none' })
    const answer = await completion(router, model, { messages: attached })
    const usage = answer.last?.type === 'end' ? answer.last.usage : undefined
    expect(usage?.inputTokens).toBeGreaterThan(2_000)
    expect(usage?.inputTokens).toBeLessThan(5_000)
  })
})

test('twenty megabytes of attachments are passed on', async () => {
  const data = 'A'.repeat(20 * 1024 * 1024)
  const content = [{ type: 'image', mimeType: 'image/png', data, detail: 'auto' } as const]
  const answer = await completion(router, 'by-openai', { messages: [{ role: 'user', content }] })
  expect(answer.status).toBe(200)
  expect((await router.provider.call(1)).prompt.messages[0]?.files[0]?.base64).toHaveLength(data.length)
})
