import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { clipboardText } from '../src/data-transfer.ts'
import { intercept } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { answers, composer, hear, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'
import { hardToHit, tooWide } from '../src/touch-targets.ts'

let on: SharedSystem
let visitor: Visitor
let page: Page
let people = 0

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
})
beforeEach(() => on.provider.reset())
afterEach(({ task }) => endVisit(visitor, task))

async function visit(size: 'desktop' | 'phone' = 'desktop'): Promise<void> {
  visitor = await newVisitor(on.browser, on.system.url, { size })
  page = visitor.page
}

async function arrive(size: 'desktop' | 'phone' = 'desktop'): Promise<Person> {
  people += 1
  const person = await registerPerson(on.system, `finder${people}`)
  await visit(size)
  await signInPage(visitor.page, person)
  return person
}

/** Creates a chat of these questions, each with an answer; resolves to its id. */
async function chatAbout({ api }: Person, title: string, questions: readonly string[]): Promise<string> {
  let chatId: string | undefined
  for (const message of questions) {
    const accept = { headers: { accept: 'application/json' } }
    const { body } = await api.post('/api/chat', { message, model: 'v3', chatId }, accept)
    chatId = (body as { chatId: string }).chatId
  }
  await api.put(`/api/chat/history/${chatId}/rename`, { title })
  return String(chatId)
}

const palette = () => page.getByRole('dialog', { name: 'Find anything' })

describe('the search in the sidebar', () => {
  it('finds words of messages in any language and leads to the message', async () => {
    const person = await arrive()
    const filler = Array.from({ length: 12 }, (_, index) => `Filler number ${index}\n${'and more of it\n'.repeat(6)}`)
    const chatId = await chatAbout(person, 'A long talk', ['Where is 京都三日間の旅程 planned?', ...filler])
    await chatAbout(person, 'Geometry', ['اشرح مبرهنة فيثاغورس'])
    await page.goto('/')
    const field = page.getByRole('searchbox', { name: 'Search chats' })
    await field.fill('مبرهنة')
    await page.getByRole('navigation', { name: 'Search chats' }).getByText('Geometry').waitFor()
    await field.fill('三日間')
    const found = page.getByRole('navigation', { name: 'Search chats' }).getByRole('link', { name: /A long talk/ })
    await found.locator('mark').filter({ hasText: '三日間' }).waitFor()
    await screenshot(page, 'finding-sidebar')
    await found.click()
    await page.waitForURL(new RegExp(`/c/${chatId}`))
    const message = page.getByRole('article').filter({ hasText: '京都三日間の旅程' }).first()
    await message.waitFor()
    await expect.poll(() => message.evaluate(isInView)).toBe(true)
    await field.press('Escape')
    await page.getByRole('link', { name: 'Geometry' }).waitFor()
  })
})

declare const innerHeight: number
const isInView = (element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

describe('the palette', () => {
  it('finds chats, commands, models and themes by keyboard alone', async () => {
    const person = await arrive()
    const chatId = await chatAbout(person, 'Heating', ['Which heat pump is the quietest one?'])
    await page.goto('/')
    await page.getByRole('button', { name: /^Model: DeepSeek/ }).waitFor()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await palette().getByText('Heating').waitFor()
    await page.keyboard.type('quietest')
    await palette().getByText('Commands', { exact: true }).waitFor({ state: 'detached' })
    await palette()
      .getByRole('option', { name: /Heating/, selected: true })
      .waitFor()
    await screenshot(page, 'finding-palette')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/c/${chatId}`))
    await palette().waitFor({ state: 'detached' })
    await answers(page).first().waitFor()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('light')
    await palette().getByText('Theme: Light').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('delglight')
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('reader six')
    await palette().getByRole('option', { name: 'Reader Six' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Model: Reader Six' }).waitFor()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('new chat')
    await palette()
      .getByRole('option', { name: /New chat/ })
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('/')
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('zzzzqqq')
    await palette().getByText('No results.').waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
  })

  it('opens no chat that was found for a part of what is typed, however long the search for the whole takes', async () => {
    const person = await arrive()
    await chatAbout(person, 'Heating', ['Which heat pump is the quietest one?'])
    await page.goto('/')
    await composer(page).waitFor()
    await intercept(page, '/chat/history?query=new*', () => 'hang')
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('ne')
    const found = palette().getByRole('option', { name: /Heating/ })
    await found.waitFor()
    await page.keyboard.type('w chat')
    await palette()
      .getByRole('option', { name: /New chat/, selected: true })
      .waitFor()
    await found.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await palette().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('says that a search failed, rather than that nothing was found, beside what it found without the server', async () => {
    await arrive()
    await page.goto('/')
    await composer(page).waitFor()
    await intercept(page, '/chat/history?query=*', () => ({ status: 500, json: {} }))
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('zzzzqqq')
    await palette().getByText('The search failed. Try again.').waitFor()
    expect(await palette().getByText('No results.').count()).toBe(0)
    await palette().getByRole('combobox').fill('light')
    await palette().getByText('Theme: Light').waitFor()
    await palette().getByText('The search failed. Try again.').waitFor()
  })

  it('moves the focus to the message field by its command, wherever it was before', async () => {
    await arrive()
    await page.goto('/')
    await composer(page).waitFor()
    await page.getByRole('link', { name: 'New chat' }).focus()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('write a message')
    await palette()
      .getByRole('option', { name: /Write a message/, selected: true })
      .waitFor()
    await page.keyboard.press('Enter')
    await palette().waitFor({ state: 'detached' })
    await toHaveFocus(composer(page))
  })

  it('keeps what is typed before its code is loaded', async () => {
    await arrive()
    await page.goto('/')
    await composer(page).waitFor()
    const held: (() => Promise<void>)[] = []
    await page.route('**/assets/finder-*.js', (route) => void held.push(() => route.continue()))
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('copy the')
    await expect.poll(() => held.length).toBe(1)
    expect(await composer(page).inputValue()).toBe('')
    await held[0]?.()
    await palette()
      .getByRole('option', { name: /Copy the last answer/, selected: true })
      .waitFor()
    await page.keyboard.type(' last code')
    await palette()
      .getByRole('option', { name: /answer/ })
      .waitFor({ state: 'detached' })
    expect(await palette().getByRole('combobox').inputValue()).toBe('copy the last code')
  })

  it('works for a guest, who has no chats', async () => {
    await visit('phone')
    await page.goto('/')
    await composer(page).waitFor()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('information')
    await palette().getByRole('option', { name: 'Show chat information' }).click()
    await page.getByRole('dialog', { name: 'Chat information' }).getByText('Guest', { exact: true }).waitFor()
  })
})

it('the list of very many chats loads more as it scrolls or when all are selected, starts with the pinned ones, and the profile shows their number', async () => {
  const person = await arrive()
  const at = (nth: number) => new Date(Date.UTC(2026, 0, 1) + nth * 3_600_000).toISOString()
  const file = Array.from({ length: 450 }, (_none, nth) => ({
    format: 'parley-chat',
    version: 1,
    chat: { id: `chat-${nth}`, title: `Chat number ${nth}`, createdAt: at(nth), updatedAt: at(nth) },
    messages: [{ id: `message-${nth}`, role: 'user', content: 'Hello', createdAt: at(nth) }],
  }))
  const { body } = await person.api.post('/api/chat/import?chatIds=true', file)
  const [, , third] = (body as { chatIds: string[] }).chatIds
  await person.api.put(`/api/chat/history/${third}/pin`, { pinned: true })
  const pages: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/chat/history?')) pages.push(new URL(request.url()).search)
  })
  await page.goto('/')
  const link = (nth: number) => page.getByRole('link', { name: `Chat number ${nth}`, exact: true })
  await link(449).waitFor()
  await link(2).waitFor()
  expect(pages.filter((query) => query.includes('cursor'))).toEqual([])
  const list = page.getByRole('navigation', { name: 'Chats', exact: true })
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return await link(0).count()
    })
    .toBe(1)
  expect(pages.filter((query) => query.includes('cursor')).length).toBeGreaterThanOrEqual(2)
  // After a reload only the first page is loaded.
  await page.reload()
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Select chats' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByText('450 selected').waitFor()
  await page.goto('/profile')
  await page.getByText('450 of 10,000 chats').waitFor()
  await page.getByText('of 1 GB used').waitFor()
})

describe('files of chats', () => {
  it('are exported from the menu, and imported only once however often they are sent', async () => {
    const person = await arrive()
    await chatAbout(person, 'To take along', ['What should I pack?'])
    await page.goto('/')
    await page.getByRole('link', { name: 'To take along' }).hover()
    await page.getByRole('button', { name: 'Options for To take along' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
    const file = await (await download).path()
    const exported = await readFile(file)
    expect(exported.toString()).toContain('What should I pack?')
    await visitor.leave()

    await arrive()
    await page.goto('/')
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import chats' })
    const picker = dialog.locator('input[type=file]')
    await picker.setInputFiles({ name: 'not.json', mimeType: 'application/json', buffer: Buffer.from('{"broken') })
    await dialog.getByText('“not.json” isn’t a JSON file.').waitFor()
    const [begun, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let tries = 0
    await page.route('**/api/chat/import', async (route) => {
      tries += 1
      begun.resolve()
      await sent.promise
      // The first connection breaks after its import has begun, so the page does not learn the outcome.
      if (tries > 1) return route.continue()
      const body = 'data: {"progress":{"done":0,"total":1}}\n\n'
      await route.fulfill({ status: 200, contentType: 'text/event-stream', body })
    })
    await picker.setInputFiles({ name: 'chat.json', mimeType: 'application/json', buffer: exported })
    await begun.promise
    const bar = dialog.getByRole('progressbar', { name: 'Import chats' })
    await bar.waitFor()
    await dialog.getByText('Uploading the file…').waitFor()
    await dialog.getByRole('status').getByText('Importing chat.json…').waitFor()
    sent.resolve()
    await dialog.getByText('0 of 1 chat').waitFor()
    expect(await bar.getAttribute('max')).toBe('1')
    await dialog.getByText('1 chat imported, 0 skipped').waitFor()
    await bar.waitFor({ state: 'detached' })
    expect(tries).toBe(2)
    await screenshot(page, 'finding-import')
    await picker.setInputFiles({ name: 'chat.json', mimeType: 'application/json', buffer: exported })
    await dialog.getByText('No chats imported, 1 skipped').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'To take along' }).click()
    await answers(page).filter({ hasText: 'You said: What should I pack?' }).waitFor()
  })

  it('are printed in full from the menu', async () => {
    const person = await arrive()
    const chatId = await chatAbout(person, 'On paper', ['Print this'])
    await visitor.page.addInitScript(() => {
      const page = globalThis as unknown as { print: () => void; printed?: string }
      page.print = () => {
        page.printed = 'yes'
      }
    })
    await page.goto('/')
    await page.getByRole('link', { name: 'On paper' }).hover()
    await page.getByRole('button', { name: 'Options for On paper' }).click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate(() => (globalThis as { printed?: string }).printed)).toBe('yes')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/c/${chatId}`)
    await answers(page).filter({ hasText: 'You said: Print this' }).waitFor()
  })
})

describe('the information panel', () => {
  it('shows the server’s counts, and copies them', async () => {
    const person = await arrive()
    const chatId = await chatAbout(person, 'Counted', ['One', 'Two'])
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/c/${chatId}`)
    await answers(page).first().waitFor()
    await page.getByRole('button', { name: 'Chat information' }).click()
    const panel = page.getByRole('dialog', { name: 'Chat information' })
    for (const section of ['Statistics', 'Tokens', 'Session info']) {
      await panel.getByRole('heading', { name: section }).waitFor()
    }
    await panel.getByText(chatId).waitFor()
    await panel.getByText('Accurate').waitFor()
    await screenshot(page, 'finding-info')
    await panel.getByRole('button', { name: 'Copy info' }).click()
    await panel.getByRole('button', { name: 'Copied' }).waitFor()
    const text = await clipboardText(page)
    expect(text).toContain('Messages: 4\nYour messages: 2\nAnswers: 2')
    expect(text).toContain('Mode: Authenticated')
    expect(text).toMatch(/Username: finder\d+/)
  })

  it('shows a guest the counts of this page, and the messages left', async () => {
    await visit('phone')
    // Guests share an allowance per network, and other files have used up that of this machine.
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.8' })
    await page.goto('/')
    await say(page, 'As a guest')
    await hear(page, 'You said: As a guest')
    await page.getByRole('button', { name: 'Chat information' }).click()
    const panel = page.getByRole('dialog', { name: 'Chat information' })
    await panel.getByText('Remaining messages').waitFor()
    const lines = (await panel.getByRole('definition').allTextContents()).map((line) => line.trim())
    expect(lines.slice(0, 3)).toEqual(['2', '1', '1'])
    expect(lines).toContain('Guest')
    await screenshot(page, 'finding-info-phone')
  })
})

it('controls to search and save chats are large enough to touch on a phone', async () => {
  const person = await arrive('phone')
  const chatId = await chatAbout(person, 'A title that is longer than the screen of a phone is wide', ['What now?'])
  const faults = async () => [...(await hardToHit(page)), ...(await tooWide(page))]
  await page.goto(`/c/${chatId}`)
  await answers(page).first().waitFor()
  await page.keyboard.press('ControlOrMeta+KeyK')
  await palette().getByRole('option').first().waitFor()
  expect(await faults()).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Chat information' }).click()
  const info = page.getByRole('dialog', { name: 'Chat information' })
  await info.getByText('Accurate').waitFor()
  expect(await faults()).toEqual([])
  await info.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Import chats' }).click()
  await page.getByRole('dialog', { name: 'Import chats' }).getByRole('button', { name: 'Choose a file' }).waitFor()
  expect(await faults()).toEqual([])
})
