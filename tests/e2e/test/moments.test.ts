import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { craftedId, openChat, thread } from '../src/crafted-chat.ts'
import { signedOut, storedText } from '../src/entrance.ts'
import {
  answers,
  chooseModel,
  composer,
  enter,
  hear,
  type Person,
  registerPerson,
  say,
  signInPage,
} from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let person: Person
let page: Page

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  person = await registerPerson(on.system, 'watcher')
})
it.beforeEach(async ({ visitor }) => {
  on.provider.reset()
  page = visitor.page
  await signInPage(page, person)
})

declare const getComputedStyle: (element: unknown) => { readonly fontSize: string }
declare const navigator: {
  readonly clipboard: {
    read(): Promise<
      { readonly types: readonly string[]; getType(type: string): Promise<{ text(): Promise<string> }> }[]
    >
  }
}
declare const CSS: { readonly highlights: Map<string, { readonly size: number }> }
declare const innerHeight: number
declare const dispatchEvent: (event: unknown) => boolean
declare const Event: new (type: string) => unknown
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The response body of a stream with these events. */
const bodyOf = (events: readonly object[]) =>
  events.map((event, at) => `id: ${at + 1}\ndata: ${JSON.stringify(event)}\n\n`).join('')
/** A further question and its answer, with the ids of the crafted streams. */
const exchange = (question: string, answer: string, model = 'v3') =>
  thread(
    { id: 'u1', parentId: 'm1', role: 'user', content: question },
    { id: 'a1', parentId: 'u1', role: 'assistant', content: answer, model },
  )
const status = (text: string) => page.getByRole('status').filter({ hasText: text })

describe('waiting for an answer', () => {
  it('names the model after three silent seconds, and announces the answer', async ({ visitor }) => {
    const held = Promise.withResolvers<void>()
    on.provider.reply({ chunks: ['Here ', 'it is'], pause: { after: 0, until: held.promise } })
    await visitor.installClock()
    await page.goto('/')
    await say(page, 'Take your time')
    await expect.poll(() => on.provider.calls.length).toBe(1)
    expect(await status('The answer has started.').count()).toBe(0)
    await page.clock.fastForward(4_000)
    await status('Waiting for DeepSeek v3…').waitFor()
    await button('Stop').waitFor()
    held.resolve()
    await hear(page, 'Here it is')
    expect(await button('Stop').count()).toBe(0)
    await status('The answer is complete.').waitFor()
  })

  it('can be ended by Stop next to that text, with immediate effect', async ({ visitor }) => {
    on.provider.reply({ hang: 'before-first' })
    await visitor.installClock()
    await page.goto('/')
    await say(page, 'Never mind')
    await expect.poll(() => on.provider.calls.length).toBe(1)
    await page.clock.fastForward(4_000)
    const released = Promise.withResolvers<void>()
    await page.route('**/api/chat/stream/*/stop', async (route) => {
      await released.promise
      await route.continue()
    })
    await button('Stop').click()
    // Shown before the stop has reached the server.
    await page.getByText('You stopped this answer.').waitFor()
    released.resolve()
    await expect.poll(() => button('Stop').count()).toBe(0)
    await page.getByText('You stopped this answer.').waitFor()
  })

  it('ends with the name of the fallback model, if another model answered', async () => {
    const messages = thread({ role: 'user', content: 'Before' }, { role: 'assistant', content: 'Then' })
    await openChat(page, messages)
    const start = { chatId: craftedId, messageId: 'a1', userMessageId: 'u1', model: 'reader-6' }
    const done = { done: true, messageId: 'a1', finishReason: 'stop', usage: {}, credits: { charged: 1, remaining: 9 } }
    const body = bodyOf([start, { text: 'From elsewhere' }, done])
    await page.route('**/api/chat', (route) => {
      messages.push(...exchange('Now', 'From elsewhere', 'reader-6'))
      return route.fulfill({ contentType: 'text/event-stream', body })
    })
    await say(page, 'Now')
    await hear(page, 'From elsewhere')
    await page.getByText('DeepSeek v3 didn’t answer, so Reader Six took over.').waitFor()
  })

  it('a message sent offline is kept, and sent once when the network is back', async () => {
    await page.goto('/')
    await composer(page).waitFor()
    on.provider.reply({ text: 'Back again' })
    await page.context().setOffline(true)
    await say(page, 'From a tunnel')
    await page.getByText('Will be sent once you’re back online.').waitFor()
    await button('Don’t send').click()
    await expect.poll(() => composer(page).inputValue()).toBe('From a tunnel')
    expect(await page.getByRole('article').count()).toBe(0)
    await composer(page).press('Enter')
    await page.getByText('Will be sent once you’re back online.').waitFor()
    // The offline notice must not cover the message.
    const shown = [page.getByText(/^You’re offline/), page.getByRole('article').first()].map((one) => one.boundingBox())
    const [notice, message] = await Promise.all(shown)
    expect(message?.y).toBeGreaterThan((notice?.y ?? 0) + (notice?.height ?? Number.POSITIVE_INFINITY))
    await page.context().setOffline(false)
    await hear(page, 'Back again')
    expect(on.provider.calls).toHaveLength(1)
    expect(await answers(page).count()).toBe(1)
  })

  it('a message waiting offline in a chat that is not shown is kept when the page is left', async () => {
    await page.goto('/')
    await say(page, 'The chat above the ground')
    await hear(page, 'You said: The chat above the ground')
    const address = page.url()
    await page.context().setOffline(true)
    await say(page, 'From a tunnel')
    await page.getByText('Will be sent once you’re back online.').waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    // A navigation cannot be simulated offline, so the test fires the event that it causes.
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await page.context().setOffline(false)
    await page.goto(address)
    await expect.poll(() => composer(page).inputValue()).toBe('From a tunnel')
    expect(on.provider.calls).toHaveLength(1)
  })

  it('a message refused because the session has ended becomes a draft, and one unsent at sign-out is stored nowhere', async () => {
    const leaver = await registerPerson(on.system, `leaver${performance.now().toFixed()}`)
    await page.routeWebSocket(/socket\.io/, (socket) => socket.close()) // It would tell that the session has ended.
    await enter(page, leaver)
    await page.waitForLoadState('networkidle') // A request of the page would tell that, too.
    await composer(page).fill('Half said')
    await leaver.api.post('/api/auth/logout')
    await composer(page).press('Enter')
    await signedOut(page).waitFor()
    await expect.poll(() => storedText(page)).toContain('"private:draft:new":"Half said"')
    await page.goto('/')
    await composer(page).fill('Never said')
    await page.context().setOffline(true)
    await composer(page).press('Enter')
    await page.getByText('Will be sent once you’re back online.').waitFor()
    await page.getByRole('button', { name: /watcher/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /^Guest/ }).waitFor()
    expect(await storedText(page)).not.toContain('said')
  })
})

describe('the context meter', () => {
  it('shows how much of the model’s context a chat uses, as its provider counted it', async () => {
    on.provider.reply({ text: 'Long ago', usage: { inputTokens: 16_000, outputTokens: 10 } })
    await page.goto('/')
    await composer(page).waitFor()
    const meter = page.getByRole('img', { name: /tokens of the model’s context\.$/ })
    expect(await meter.count()).toBe(0)
    await say(page, 'A long story')
    await hear(page, 'Long ago')
    await page.getByRole('img', { name: /^16,010 of [\d,]+ tokens of the model’s context\.$/ }).waitFor()
  })
})

describe('reading', () => {
  const paragraphs = (count: number) => Array.from({ length: count }, (_, at) => `Paragraph ${at}.\n\n`)
  const question = () => page.getByRole('article', { name: 'You' }).last()
  /** Pixels from the top of the thread to a question. */
  const distance = () =>
    question().evaluate((row) => {
      const top = row.closest('[role="log"]')?.getBoundingClientRect().top ?? 0
      return Math.round(row.getBoundingClientRect().top - top)
    })

  it('holds the question at the top while its answer grows, or follows the end if the user prefers that', async () => {
    const messages = thread({ role: 'user', content: 'Before' }, { role: 'assistant', content: 'Then. '.repeat(900) })
    await openChat(page, messages)
    const held = Promise.withResolvers<void>()
    const start = { chatId: craftedId, messageId: 'a1', userMessageId: 'u1', model: 'v3' }
    await page.route('**/api/chat', async (route) => {
      await held.promise
      const text = paragraphs(60).join('')
      messages.push(...exchange('Now at the top', text))
      await route.fulfill({ contentType: 'text/event-stream', body: bodyOf([start, { text }]) })
    })
    await say(page, 'Now at the top')
    await expect.poll(distance).toBe(28)
    held.resolve()
    await answers(page).last().getByText('Paragraph 59.').waitFor({ state: 'attached' })
    expect(await distance()).toBe(28)
    await button('Jump to latest').click()
    await expect.poll(distance).toBeLessThan(0)
    await page.goto('/profile/preferences')
    await page.getByRole('switch', { name: 'Follow the end of an answer' }).click()
    await page.goto('/')
    on.provider.reply({ chunks: paragraphs(60) })
    await composer(page).fill('Now at the end')
    await composer(page).press('Enter')
    await hear(page, 'Paragraph 59.')
    const below = () => page.getByRole('log').evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop)
    await expect.poll(below).toBeLessThan(2)
  })

  it('shows reasoning while it runs, and folds it once the answer begins', async () => {
    const held = Promise.withResolvers<void>()
    on.provider.reply({ reasoning: ['A thought'], chunks: ['An ', 'answer'], pause: { after: 1, until: held.promise } })
    await page.goto('/')
    await chooseModel(page, 'DeepSeek Reasoner')
    await say(page, 'Think')
    await answers(page).getByText('A thought').waitFor()
    held.resolve()
    await hear(page, 'An answer')
    await page.getByText(/Thought for/).waitFor()
    expect(await page.getByText('A thought').count()).toBe(0)
  })

  it('renders headings of any level at scale with their real levels, and task boxes', async () => {
    const content = '## Plan\n\nText\n\n### Details\n\n- [x] Done\n- [ ] Open\n'
    await openChat(page, thread({ role: 'user', content: 'Plan' }, { role: 'assistant', content }))
    await page.getByRole('heading', { name: 'Plan', level: 3 }).waitFor()
    await page.getByRole('heading', { name: 'Details', level: 4 }).waitFor()
    expect(await page.getByRole('img', { name: /^(Done|Not done)$/ }).count()).toBe(2)
  })

  it('quotes a selection, and copies an answer as Markdown and as rich text', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const content = 'Take the **second** road.\n\n| A | B |\n|---|---|\n| 1 | 2 |'
    await openChat(page, thread({ role: 'user', content: 'Which?' }, { role: 'assistant', content }))
    await page.getByText('second', { exact: true }).dblclick()
    await button('Quote').click()
    expect(await composer(page).inputValue()).toBe('> second\n\n')
    await button('Copy').click()
    const copied = (type: string) =>
      page.evaluate(async (wanted) => (await (await navigator.clipboard.read())[0]?.getType(wanted))?.text(), type)
    await expect.poll(() => copied('text/plain')).toBe(content)
    expect(await copied('text/html')).toMatch(/Take the <strong>second<\/strong> road\..*<td>1<\/td>/s)
  })

  it('highlights the search words in the message that a search leads to', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `${'Much else. '.repeat(200)} ${at === 3 ? 'The amber lantern.' : ''}`,
    }))
    await openChat(page, thread(...rows))
    await page.goto(`/c/${craftedId}?m=m3&q=amber+lantern`)
    const isInView = () =>
      page.getByText('The amber lantern.').evaluate((text) => {
        const { bottom, height } = text.getBoundingClientRect()
        return bottom > 0 && bottom - height < innerHeight
      })
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('found-words')?.size)).toBe(2)
    expect(await isInView()).toBe(true)
    expect(new URL(page.url()).search).toBe('')
  })

  it('groups the models for a retry by provider, with their prices', async () => {
    await openChat(page, thread({ role: 'user', content: 'Which?' }, { role: 'assistant', content: 'This' }))
    await button('Regenerate').click()
    const group = page.getByRole('menu').getByRole('group', { name: 'OpenAI' })
    await group.getByRole('menuitem', { name: /GPT-5.5.*5 credits/ }).waitFor()
  })

  it('keeps the text size per browser, applied before the first paint', async () => {
    await page.goto('/profile/appearance')
    const size = () => page.locator('html').evaluate((html) => getComputedStyle(html).fontSize)
    expect(await size()).toBe('16px')
    await page.getByText('Larger', { exact: true }).click()
    await expect.poll(size).toBe('20px')
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    expect(await size()).toBe('20px')
  })
})

describe('the list of chats', () => {
  it('marks the chat whose answer is running until it ends, also while another is open, and renames on double click', async () => {
    const held = Promise.withResolvers<void>()
    on.provider.reply({ chunks: ['Half ', 'and half'], pause: { after: 1, until: held.promise } })
    await page.goto('/')
    await say(page, 'Runs in the background')
    const row = page.getByRole('navigation').getByRole('link', { name: /^Runs in the background/ })
    const dot = row.getByRole('img', { name: 'An answer is being written' })
    await dot.waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.getByRole('heading', { name: /what can I help with/ }).waitFor()
    await dot.waitFor()
    held.resolve()
    await dot.waitFor({ state: 'detached' })
    await row.dblclick()
    await page.getByRole('textbox', { name: 'New title' }).fill('By a double click')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').getByRole('link', { name: 'By a double click' }).waitFor()
  })
})

describe('feedback', () => {
  it('names the chat in the tab, and shows the same text for a deleted and an unknown chat, without a composer', async () => {
    await openChat(
      page,
      thread({ role: 'user', content: 'Which?' }, { role: 'assistant', content: 'This' }),
      'Of roads',
    )
    await expect.poll(() => page.title()).toBe('Of roads · Parley')
    const made = await person.api.post('/api/chat/history', { title: 'Of rivers', model: 'v3' })
    const { chatId } = made.body as { chatId: string }
    expect((await person.api.delete(`/api/chat/history/${chatId}`)).status).toBeLessThan(300)
    await page.goto(`/c/${chatId}`)
    await page.getByText('Chat not found').waitFor()
    await page.goto('/c/00000000000000000000dead')
    await page.getByText('Chat not found').waitFor()
    expect(await composer(page).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Start a new chat' }).click()
    await composer(page).waitFor()
    await expect.poll(() => page.title()).toBe('Parley')
  })

  it('asks before a link discards an unsaved name', async () => {
    await page.goto('/profile')
    const name = page.getByLabel('Display name')
    await name.fill('Ada')
    await page.getByRole('link', { name: 'Preferences' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('Ada')
    await page.getByRole('link', { name: 'Preferences' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  })

  it('shows the request id by which the log knows a refused message', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/')
    const json = { error: 'Try later.', code: 'rate_limited', requestId: 'request-7' }
    await page.route('**/api/chat', (route) => route.fulfill({ status: 429, json }))
    await say(page, 'Refused')
    await page.getByText('Try later.').waitFor()
    await button('Copy request ID request-7').click()
    const copied = () =>
      page.evaluate(async () => (await (await navigator.clipboard.read())[0]?.getType('text/plain'))?.text())
    await expect.poll(copied).toBe('request-7')
  })
})

describe('the empty screen', () => {
  it('has the composer in the middle until the first message, above one prompt per subject', async () => {
    await page.goto('/')
    const middle = () =>
      composer(page).evaluate((field) => {
        const { top, bottom } = field.getBoundingClientRect()
        return (top + bottom) / 2 / innerHeight
      })
    await page.getByRole('heading', { name: /what can I help with/ }).waitFor()
    expect(await middle()).toBeLessThan(0.6)
    await page
      .getByRole('region', { name: 'Example prompts' })
      .getByRole('button', { name: /^Be surprised/ })
      .click()
    expect(await composer(page).inputValue()).toMatch(/octopuses/)
    await composer(page).press('Enter')
    await hear(page, 'You said')
    expect(await middle()).toBeGreaterThan(0.8)
  })
})
describe('writing', () => {
  it('chooses a model by an at sign, and recalls earlier prompts with the arrow keys', async () => {
    await page.goto('/')
    await composer(page).fill('Remember me @gpt-5.5')
    await page.getByRole('option', { name: /GPT-5.5/ }).waitFor()
    await composer(page).press('Enter')
    expect(await composer(page).inputValue()).toBe('Remember me')
    await page.getByRole('button', { name: 'Model: GPT-5.5' }).waitFor()
    await chooseModel(page, 'DeepSeek v3')
    await composer(page).press('Enter')
    await hear(page, 'You said: Remember me')
    await page.goto('/')
    await composer(page).press('ArrowUp')
    await expect.poll(() => composer(page).inputValue()).toBe('Remember me')
    await composer(page).press('ArrowDown')
    expect(await composer(page).inputValue()).toBe('')
  })
})
