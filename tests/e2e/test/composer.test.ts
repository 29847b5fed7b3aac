import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { drawLocale, newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { clipboardText, pasteText, transferFiles } from '../src/data-transfer.ts'
import { intercept } from '../src/intercept.ts'
import {
  answers,
  attachmentsOf,
  chooseModel,
  composer,
  hear,
  type Person,
  registerPerson,
  say,
  signInPage,
} from '../src/people.ts'
import { type SampleFile, samplePng } from '../src/sample-files.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'
import { addedModels } from '../src/tooled-system.ts'
import { hardToHit, tooWide } from '../src/touch-targets.ts'

let on: SharedSystem
let visitor: Visitor
let page: Page
let people = 0

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
})

async function arrive(size: 'desktop' | 'phone' = 'desktop'): Promise<Person> {
  people += 1
  const person = await registerPerson(on.system, `writer${people}`)
  visitor = await newVisitor(on.browser, on.system.url, { size })
  page = visitor.page
  await signInPage(visitor.page, person)
  await page.goto('/')
  await page.getByRole('button', { name: /^Model: (?!Loading)/ }).waitFor()
  return person
}

beforeEach(() => on.provider.reset())
afterEach(({ task }) => endVisit(visitor, task))

const attachments = () => attachmentsOf(page)
const lastCall = () => on.provider.calls.at(-1)

async function pick(...files: SampleFile[]): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(files)
}

/** A language, its names for the button and the field, and its word for penguin. */
const emojiWords = [
  ['es', 'Insertar un emoji', 'Buscar emojis', 'pingüino'],
  ['fr', 'Insérer un emoji', 'Rechercher un emoji', 'pingouin'],
  ['de', 'Emoji einfügen', 'Emojis suchen', 'pinguin'],
  ['zh', '插入表情', '搜索表情', '企鹅'],
  ['ja', '絵文字を挿入', '絵文字を検索', 'ペンギン'],
  ['ar', 'إدراج رمز تعبيري', 'البحث في الرموز التعبيرية', 'بطريق'],
] as const

describe('files in the composer', () => {
  it('are refused by name before upload', async () => {
    await arrive()
    const uploads: string[] = []
    page.on('request', (request) => request.url().endsWith('/chat/files') && uploads.push(request.url()))
    await pick(
      { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('x') },
      { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
    )
    await page
      .getByText('“IMG_1.heic” wasn’t attached: HEIC files aren’t supported. Use PNG, JPEG, WebP, GIF or PDF.')
      .waitFor()
    const refused = page.locator('form').getByRole('alert')
    await refused.getByText('“huge.png” wasn’t attached: it’s larger than 10 MB.').waitFor()
    await refused.getByRole('button', { name: 'Dismiss' }).click()
    await refused.waitFor({ state: 'detached' })
    expect(await attachments().count()).toBe(0)
    expect(uploads).toEqual([])
  })

  it('refused by the server say so, and can be retried or removed', async () => {
    await arrive()
    await page.route('**/api/chat/files', (route) =>
      route.fulfill({ status: 503, json: { error: 'No room right now', code: 'unavailable', requestId: 'r' } }),
    )
    await pick(samplePng('late.png'))
    await attachments().getByText('No room right now').waitFor()
    await page.unroute('**/api/chat/files')
    await page.getByRole('button', { name: 'Upload late.png again' }).click()
    await page.getByRole('button', { name: 'Remove late.png' }).waitFor()
    await attachments().getByText('No room right now').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove late.png' }).click()
    await attachments().waitFor({ state: 'detached' })
  })

  it('that the model cannot read block sending until another model is chosen, also after a reload', async () => {
    await arrive()
    await pick(samplePng())
    await page.getByText('can’t read these files').waitFor()
    await composer(page).fill('Look at this')
    await page.reload()
    await attachments().getByText('wall.png').waitFor()
    expect(await composer(page).inputValue()).toBe('Look at this')
    await expect.poll(() => attachments().locator('img').count()).toBe(1)
    await composer(page).press('Enter')
    await page.getByText('This model can’t read the files.').waitFor()
    expect(on.provider.calls).toHaveLength(0)
    await screenshot(page, 'composer-unreadable')
    await page.getByRole('button', { name: /^Switch to / }).click()
    await page.getByText('can’t read these files').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove wall.png' }).waitFor()
  })
})

it('a guest is told that files and tools need an account, and keeps the draft', async () => {
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
  await page.goto('/')
  await composer(page).fill('Before I sign in')
  await page.getByRole('button', { name: 'Tools' }).click()
  await page
    .getByRole('menuitem')
    .getByText(/Sign in/)
    .waitFor()
  await page.keyboard.press('Escape')
  await transferFiles(composer(page), 'paste', [samplePng()])
  await page.getByText(/^Sign in to attach/).waitFor()
  expect(await attachments().count()).toBe(0)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/login**')
  await page.goBack()
  await expect.poll(() => composer(page).inputValue()).toBe('Before I sign in')
})

describe('modes in the composer', () => {
  it('are switched on in the menu, survive a reload, and change the prompt', async () => {
    await arrive()
    await chooseModel(page, addedModels.reader)
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('menuitem', { name: /Study mode/ }).click()
    await page.getByRole('button', { name: 'Turn off Study mode' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Turn off Study mode' }).waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/chat'))
    await say(page, 'Teach me fractions')
    expect((await sent).postDataJSON()).toMatchObject({ studyModeEnabled: true, message: 'Teach me fractions' })
    await hear(page, 'You said: Teach me fractions')
    await page.getByRole('button', { name: 'Turn off Study mode' }).click()
    await page.getByRole('button', { name: 'Turn off Study mode' }).waitFor({ state: 'detached' })
  })

  it('can be chosen by a command, with a menu that is operated by keyboard', async () => {
    await arrive()
    await composer(page).fill('/')
    const menu = page.getByRole('listbox', { name: 'Commands' })
    await menu.getByRole('option', { name: /search/ }).waitFor()
    // In an empty chat the field is in the middle of the window: the whole list has to fit between the header and the field.
    const header = await page.locator('header').filter({ visible: true }).first().boundingBox()
    expect((await menu.boundingBox())?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? Number.NaN))
    await composer(page).fill('/s')
    await menu.getByRole('option', { name: /help/ }).waitFor({ state: 'detached' })
    await screenshot(page, 'composer-commands')
    await composer(page).press('Escape')
    await menu.waitFor({ state: 'detached' })
    await composer(page).fill('/st')
    await composer(page).press('Tab')
    await page.getByRole('button', { name: 'Turn off Study mode' }).waitFor()
    expect(await composer(page).inputValue()).toBe('')
    await composer(page).fill('/search who won')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/chat'))
    await composer(page).press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ message: 'who won', webSearchEnabled: true })
    await answers(page).first().waitFor()
    await page.getByRole('button', { name: 'Stop generating' }).waitFor({ state: 'detached' })
  })

  it('is not sent by a command that is switched off, which says so and keeps the text; what only begins with a slash is sent', async () => {
    await arrive()
    await intercept(page, '/chat/tools', () => ({ json: { webSearch: false, finance: false } }))
    await page.reload()
    await page.getByRole('button', { name: /^Model: (?!Loading)/ }).waitFor()
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/chat')) sent.push(request.postDataJSON())
    })
    await composer(page).fill('/finance AAPL today')
    await composer(page).press('Enter')
    await page.getByText('/finance is turned off here.').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    expect(await composer(page).inputValue()).toBe('/finance AAPL today')
    await composer(page).fill('/etc/hosts is a file')
    await composer(page).press('Enter')
    await answers(page).first().waitFor()
    expect(sent).toMatchObject([{ message: '/etc/hosts is a file' }])
    await page.getByRole('button', { name: 'Stop generating' }).waitFor({ state: 'detached' })
  })

  it('for finance show prices, and a watchlist that refuses an invalid ticker', async () => {
    await arrive()
    on.quotes.names.set('AAPL', 'Apple Inc.')
    on.quotes.prices.set('AAPL', { c: 231.5, d: 1.2, dp: 0.52, t: 1_790_000_000 })
    await composer(page).fill('/finance')
    await composer(page).press('Enter')
    await composer(page).fill('What about $AAPL?')
    await page.getByRole('region', { name: 'Prices' }).getByText('$231.50').waitFor()
    await screenshot(page, 'composer-finance')
    await page.getByRole('button', { name: 'Edit watchlist' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watchlist' })
    await dialog.getByLabel('Ticker').fill('NOPE9')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('Invalid ticker').waitFor()
    await dialog.getByLabel('Ticker').fill('aapl')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('button', { name: 'Stop following AAPL' }).waitFor()
    await page.keyboard.press('Escape')
    await composer(page).fill('')
    await page.getByRole('region', { name: 'Prices' }).getByText('AAPL').waitFor()
  })
})

describe('the composer', () => {
  it('never sends during IME composition', async () => {
    await arrive()
    await composer(page).focus()
    const session = await visitor.context.newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'きょうと', selectionStart: 4, selectionEnd: 4 })
    await composer(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true })
    expect(await answers(page).count()).toBe(0)
    await session.send('Input.insertText', { text: '京都' })
    expect(await composer(page).inputValue()).toBe('京都')
    await composer(page).press('Enter')
    await hear(page, 'You said: 京都')
  })

  it('keeps a long paste separate and sends it as a block', async () => {
    await arrive()
    const long = Array.from({ length: 900 }, (_, line) => `line ${line} of it`).join('\n')
    await pasteText(composer(page), long)
    await attachments().getByText('Pasted text (900 lines)').waitFor()
    expect(await composer(page).inputValue()).toBe('')
    // With Shift the text goes into the field.
    await composer(page).focus()
    await page.keyboard.down('Shift')
    expect(await pasteText(composer(page), long)).toBe(true)
    await page.keyboard.up('Shift')
    expect(await pasteText(composer(page), 'short')).toBe(true)
    await say(page, 'Sum it up')
    await page.getByRole('button', { name: 'Stop generating' }).waitFor({ state: 'detached' })
    expect(lastCall()?.prompt.messages.at(-1)?.text).toContain('```\nline 0 of it')
  })

  it('inserts an emoji at the caret, by search and keyboard, from this origin alone', async () => {
    await arrive()
    await composer(page).fill('Hello world')
    await composer(page).press('Home')
    for (let step = 0; step < 5; step += 1) await composer(page).press('ArrowRight')
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page
      .getByRole('searchbox', { name: 'Search emoji' })
      .or(page.getByLabel('Search emoji'))
      .first()
      .fill('rocket')
    await page.getByRole('gridcell', { name: 'Rocket' }).waitFor()
    await screenshot(page, 'composer-emoji')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe('Hello🚀 world')

    // Each language has its own search word; the last search is kept.
    for (const [locale, insert, search, word] of emojiWords) {
      await drawLocale(page, locale)
      await page.locator('textarea').first().fill('')
      await page.getByRole('button', { name: insert }).click()
      // By a click, which must not be caught by an overlapping element.
      await page.getByLabel(search).first().click()
      await page.getByLabel(search).first().fill(word)
      await page
        .getByRole('gridcell', { name: new RegExp(word, 'i') })
        .first()
        .click()
      await expect.poll(() => page.locator('textarea').first().inputValue()).toBe('🐧')
    }
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('frimousse/data/')))
    expect(kept).toEqual(['frimousse/data//emoji/ar/en'])
  })

  it('can be filled with an example from the tabs', async () => {
    await arrive()
    await page.getByRole('button', { name: 'More examples' }).click()
    await page.getByRole('tab', { name: 'Coding' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: 'Learn', selected: true }).waitFor()
    const panel = page.getByRole('tabpanel', { name: 'Learn' })
    expect(await panel.getByRole('button').count()).toBe(10)
    const prompt = panel.getByRole('button').first()
    const text = await prompt.textContent()
    await prompt.click()
    expect(await composer(page).inputValue()).toBe(text)
  })

  it('has shortcuts, which one sheet lists', async () => {
    await arrive()
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    on.provider.reply({ text: 'Here:\n\n```js\nlet a = 1\n```\n\nDone.' })
    await say(page, 'Show code')
    await hear(page, 'Done.')
    await page.keyboard.press('ControlOrMeta+Shift+Semicolon')
    await expect.poll(() => clipboardText(page)).toBe('let a = 1')
    await page.keyboard.press('ControlOrMeta+Shift+KeyC')
    await expect.poll(() => clipboardText(page)).toContain('Done.')
    await page.keyboard.press('ControlOrMeta+Shift+KeyS')
    await page.getByRole('complementary', { name: 'Sidebar' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+Shift+KeyS')
    await page.keyboard.press('ControlOrMeta+/')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Copy the last code block').waitFor()
    await screenshot(page, 'composer-sheet')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await composer(page).focus()
    await composer(page).press('ArrowUp')
    await page.getByRole('textbox', { name: /edit/i }).waitFor()
    await page.keyboard.press('Escape')
    // The shortcut also works where the list is hidden.
    await page.keyboard.press('ControlOrMeta+Shift+KeyS')
    const address = new URL(page.url()).pathname
    await composer(page).press('ControlOrMeta+Shift+Backspace')
    await page.getByText('“Show code” was deleted').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.keyboard.press('ControlOrMeta+Shift+KeyS')
    await page.locator(`a[href="${address}"]`).waitFor()
  })

  it('saves the chat by a command', async () => {
    await arrive('phone')
    await say(page, 'Keep this')
    await hear(page, 'You said: Keep this')
    const download = page.waitForEvent('download')
    await composer(page).fill('/export')
    await composer(page).press('Enter')
    const path = await (await download).path()
    expect(await readFile(path, 'utf8')).toContain('You said: Keep this')
    await screenshot(page, 'composer-phone')
  })
})

describe('the composer on a phone', () => {
  const faults = async () => [...(await hardToHit(page)), ...(await tooWide(page))]

  it('shows all enabled controls at once, each large enough to touch', async () => {
    await arrive('phone')
    await chooseModel(page, addedModels.reader)
    for (const command of ['/search', '/study', '/finance']) {
      await composer(page).fill(command)
      await composer(page).press('Enter')
    }
    await pick(samplePng())
    await page.getByRole('button', { name: 'Remove wall.png' }).waitFor()
    await composer(page).fill('What of $NOPE9?')
    await page.getByRole('region', { name: 'Prices' }).getByText('Invalid ticker').waitFor()
    expect(await page.getByRole('button', { name: /^Turn off / }).count()).toBe(3)
    expect(await faults()).toEqual([])
    await screenshot(page, 'composer-phone-full')
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('menuitem', { name: /Study mode/ }).waitFor()
    // The open menu covers parts of the page below it.
    expect([...(await hardToHit(page, '[role=menu]')), ...(await tooWide(page))]).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit watchlist' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watchlist' })
    on.quotes.prices.set('ENPH', { c: 71.23, d: -1.2, dp: -1.66, t: 1_790_000_000 })
    await dialog.getByLabel('Ticker').fill('enph')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('button', { name: 'Stop following ENPH' }).waitFor()
    expect(await faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByRole('gridcell').first().waitFor()
    expect(await hardToHit(page, '[role=dialog]')).toEqual([])
  })
})
