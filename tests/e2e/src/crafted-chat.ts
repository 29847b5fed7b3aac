import type { ChatDetail, Message } from '@parley/contracts'
import { tinyPng } from '@parley/testing'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { intercept } from './intercept.ts'

/** Id of the chat shown by `openChat`. */
export const craftedId = '00000000000000000000c0de'
const at = '2026-01-05T10:00:00.000Z'

/** Builds consecutive messages; fills in the fields that a test does not care about. */
export function thread(...given: readonly (Partial<Message> & Pick<Message, 'role' | 'content'>)[]): Message[] {
  return given.map((message, index) => ({
    id: `m${index}`,
    parentId: index === 0 ? null : `m${index - 1}`,
    model: message.role === 'user' ? null : 'v3',
    status: 'complete',
    createdAt: at,
    ...(message.role === 'assistant' && { finishReason: 'stop' as const }),
    ...message,
  }))
}

/**
 * Opens a chat of exactly these messages, as if the server had stored them; they need not be possible to create in the product. The page may request them
 * again at any time, and gets those that `messages` has then.
 */
export async function openChat(page: Page, messages: readonly Message[], title = 'A crafted chat'): Promise<void> {
  const chat = (): ChatDetail => ({
    _id: craftedId,
    title,
    modelUsed: 'v3',
    createdAt: at,
    updatedAt: at,
    messages: [...messages],
    hasMore: false,
  })
  for (const query of ['', '?*']) {
    await intercept(page, `/chat/history/${craftedId}${query}`, () => ({ json: chat() }))
  }
  await intercept(page, `/chat/history/${craftedId}/feedback`, ({ body }) => {
    const { messageId, rating } = body as { messageId: string; rating: 'up' | 'down' | null }
    return { json: { messageId, feedback: rating && { rating } } }
  })
  await intercept(page, '/chat/files/**', () => ({ contentType: 'image/png', body: Buffer.from(tinyPng, 'base64') }))
  await page.goto(`/c/${craftedId}`)
  await page.getByRole('article').first().waitFor()
}

const words = 'It goes on and on. '.repeat(60)
/** More messages than a window shows. */
export const manyMessages = Array.from({ length: 20 }, (_, index) => ({
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${index}. ${words}`,
}))

/** Scrolls the thread to an end until its rows there, and what is in them, are in the document, or no more: a page that is being laid out returns to its end. */
export const scrollUntil = (page: Page, key: 'Home' | 'End', part: Locator, isThere: boolean): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.getByRole('log').press(key)
        return (await part.count()) > 0
      },
      { timeout: 60_000 },
    )
    .toBe(isThere)
