import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { manyMessages, openChat, scrollUntil, thread } from '../src/crafted-chat.ts'
import { answers, composer, hear, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'
import { showcaseChat } from '../src/showcase-chat.ts'

let on: SharedSystem
let person: Person
let visitor: Visitor
let page: Page

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  person = await registerPerson(on.system, 'reader')
})
beforeEach(async () => {
  on.provider.reset()
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInPage(visitor.page, person)
})
afterEach(({ task }) => endVisit(visitor, task))

declare const location: { readonly pathname: string }
declare const navigator: { readonly clipboard: { readText(): Promise<string> } }
declare const getComputedStyle: (element: unknown) => { readonly direction: string }
declare const getSelection: () => unknown
declare const dispatchEvent: (event: object) => void
declare class Event {
  constructor(type: string)
}

/** Rendering is late on a machine under load. */
const patiently = { timeout: 60_000 }
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

describe('versions', () => {
  it('of an edited question stay in its place: the old one is kept and shown on request', async () => {
    await page.goto('/')
    await say(page, 'First wording')
    await hear(page, 'You said: First wording')
    await page.getByRole('article', { name: 'You' }).hover()
    await button('Edit message').click()
    const field = page.getByRole('textbox', { name: 'Edit message' })
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await button('Edit message').click()
    await field.press('Shift+Enter')
    expect(await field.inputValue()).toBe('First wording\n')
    await field.fill('Second wording')
    await field.press('Enter')
    await hear(page, 'You said: Second wording')
    await page.getByText('Version 2 of 2').waitFor()
    await button('Previous version').click()
    await hear(page, 'You said: First wording')
    await page.getByText('Version 1 of 2').waitFor()
    await page.reload()
    await hear(page, 'You said: First wording')
  })

  it('that replace a focused question, version or answer keep the focus', async () => {
    const focused = page.locator(':focus')
    await page.goto('/')
    await say(page, 'First wording')
    await hear(page, 'You said: First wording')
    const field = page.getByRole('textbox', { name: 'Edit message' })
    await composer(page).press('ArrowUp')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Message')
    await button('Edit message').focus()
    await page.keyboard.press('Enter')
    await field.press('Escape')
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Edit message')
    await page.keyboard.press('Enter')
    await field.fill('Second wording')
    await field.press('Enter')
    await expect.poll(() => focused.locator('article').getAttribute('aria-label'), patiently).toBe('You')
    await hear(page, 'You said: Second wording')
    await button('Previous version').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Version 1 of 2').waitFor()
    await expect.poll(() => focused.getAttribute('aria-label'), patiently).toBe('Next version')
    await page.keyboard.press('Enter')
    await page.getByText('Version 2 of 2').waitFor()
    await expect.poll(() => focused.getAttribute('aria-label'), patiently).toBe('Previous version')
  })

  it('from two models of the same answer are both shown', async () => {
    await page.goto('/')
    on.provider.reply({ text: 'The first answer' }, { text: 'The second answer' })
    await say(page, 'Twice')
    await hear(page, 'The first answer')
    await button('Regenerate').click()
    await page.getByRole('menuitem', { name: 'Try again' }).click()
    await hear(page, 'The second answer')
    await button('Previous version').click()
    await hear(page, 'The first answer')
    await button('Regenerate').click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(1)
  })
})

describe('the content of an answer', () => {
  it('cites only pages that were read, and folds tool parameters', async () => {
    await openChat(page, showcaseChat)
    await expect.poll(() => page.locator('.citation').allTextContents(), patiently).toEqual(['1'])
    await page.getByText('see also [2] and [3]').waitFor()
    await page.getByText('$71.23').waitFor()
    await page.locator('summary').filter({ hasText: 'One page read' }).click()
    await page.getByText('https://a.example').waitFor()
  })

  it('renders formulas and leaves prices unchanged', async () => {
    await openChat(page, showcaseChat)
    await page.locator('.katex-display').waitFor()
    expect(await page.locator('.katex').count()).toBe(2)
    await page.getByText('costs $5 and $10.').waitFor()
  })

  it('shows a diagram as a picture, and its source', async () => {
    await openChat(page, showcaseChat)
    const picture = page.getByRole('img', { name: 'Diagram' })
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(100)
    const source = page.getByText('graph LR')
    // A click is lost when the block is drawn anew at that moment.
    const shown = async (): Promise<number> => {
      if ((await source.count()) === 0) await button('Show source').click()
      return await source.count()
    }
    await expect.poll(shown, patiently).toBe(1)
    await button('Show diagram').click()
    await picture.waitFor()
  })

  it('copies a table as comma-separated values and code unchanged', async () => {
    await openChat(page, showcaseChat)
    await page.getByRole('table').hover()
    await button('Copy as CSV').click()
    await expect.poll(clipboard, patiently).toBe('System,COP,Cost\r\nAir,2.9,"€ 2,235"\r\nGround,4.4,"€ 1,473"\r\n')
    // A block is re-rendered when its language has loaded, and a click at that moment is lost.
    const copied = async (): Promise<string> => {
      await button('Copy code').first().click()
      return await clipboard()
    }
    await expect.poll(copied, patiently).toContain('return heat / cop * price')
    await button('Wrap lines').first().click()
    expect(await button('Wrap lines').first().getAttribute('aria-pressed')).toBe('true')
  })

  it('keeps the toolbar of a long code block at the top of the thread while the code scrolls below it', async () => {
    const code = Array.from({ length: 120 }, (_, line) => `line_${line} = ${line}`).join('\n')
    await openChat(
      page,
      thread({ role: 'user', content: 'Count' }, { role: 'assistant', content: `\`\`\`python\n${code}\n\`\`\`` }),
    )
    await page.getByText('line_119').waitFor()
    const log = page.getByRole('log')
    await log.hover()
    await page.mouse.wheel(0, -1000)
    const below = async (): Promise<number> => {
      const [bar, box] = await Promise.all([
        page.getByText('python', { exact: true }).locator('..').boundingBox(),
        log.boundingBox(),
      ])
      return Math.round((bar?.y ?? 0) - (box?.y ?? 0))
    }
    await expect.poll(below, patiently).toBe(0)
  })

  it('gives lists, quotations and code within Arabic their direction', async () => {
    const content = '1. أولا\n\n   ثانيا\n\n2. ثالثا\n\n> اقتباس\n\nشغّل `run()` الآن\n\n- `run()` يعمل'
    await openChat(page, thread({ role: 'user', content: 'اكتب' }, { role: 'assistant', content }))
    const directions = (selector: string) =>
      page
        .getByRole('article', { name: 'Answer' })
        .locator(selector)
        .evaluateAll((found) => found.map((one) => getComputedStyle(one).direction))
    await expect.poll(() => directions('ol, ul, blockquote'), patiently).toEqual(['rtl', 'rtl', 'rtl'])
    expect(await directions('code')).toEqual(['ltr', 'ltr'])
  })

  it('writes a formula within Arabic from left to right', async () => {
    await openChat(page, thread({ role: 'assistant', content: 'مجموع مربعي الضلعين: $a^2+b^2=c^2$.' }))
    const parts = page.locator('.katex-base')
    await expect.poll(() => parts.count(), patiently).toBe(3)
    const places = await parts.evaluateAll((found) => found.map((one) => one.getBoundingClientRect().left))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  it('opens an attached picture larger, and returns the focus', async () => {
    await openChat(page, showcaseChat)
    // A thread keeps its end in view until this is laid out.
    await page.locator('.katex-display').waitFor()
    await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0))
    await button('Enlarge house.png').click()
    await page.getByRole('dialog', { name: 'house.png' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button('Enlarge house.png').evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.getByText('3 pages').waitFor()
  })

  it('folds a long question', async () => {
    await openChat(
      page,
      thread({ role: 'user', content: `${'word '.repeat(800)}last` }, { role: 'assistant', content: 'Yes' }),
    )
    expect(await page.getByText('last').count()).toBe(0)
    await button('Show more').click()
    await page.getByText('last').waitFor()
    await button('Show less').click()
    expect(await page.getByText('last').count()).toBe(0)
  })

  it('keeps what was unfolded in a message that leaves the window', async () => {
    const content = '```ts\nexport const price = 1\n```'
    const long = { role: 'user' as const, content: 'word '.repeat(260) }
    await openChat(page, thread(long, { role: 'assistant', content }, ...manyMessages))
    await scrollUntil(page, 'Home', button('Show more'), true)
    await button('Show more').click()
    await button('Wrap lines').click()
    await scrollUntil(page, 'End', button('Show less'), false)
    await scrollUntil(page, 'Home', button('Show less'), true)
    expect(await button('Wrap lines').getAttribute('aria-pressed')).toBe('true')
  })
})

describe('an answer', () => {
  it('keeps what is selected in it while it grows', async () => {
    await page.goto('/')
    const { promise: seen, resolve: go } = Promise.withResolvers<void>()
    on.provider.reply({
      chunks: ['Some words to ', 'select, ', 'and **more', '** to come'],
      pause: { after: 2, until: seen },
    })
    await say(page, 'Grow')
    const words = answers(page).getByText('Some words to select')
    // On its second word, as people select one.
    await words.dblclick({ position: { x: 55, y: 12 } })
    const selected = () => page.evaluate(() => String(getSelection()).trim())
    expect(await selected()).toBe('words')
    go()
    await hear(page, 'and more to come')
    expect(await selected()).toBe('words')
  })

  it('can be rated with a reason, and the rating withdrawn', async () => {
    await page.goto('/')
    await say(page, 'Rate me')
    await hear(page, 'You said: Rate me')
    await button('Bad answer').click()
    await page.getByRole('textbox', { name: /What was wrong/ }).fill('Too short')
    await button('Send').click()
    await page.waitForURL(/\/c\//)
    await page.reload()
    await hear(page, 'You said: Rate me')
    await expect.poll(() => button('Bad answer').getAttribute('aria-pressed'), patiently).toBe('true')
    await button('Bad answer').click()
    await expect.poll(() => button('Bad answer').getAttribute('aria-pressed'), patiently).toBe('false')
  })

  it('keeps the reason that is being written for its rating while it is scrolled out of the thread', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}. ${'Some more words. '.repeat(40)}`,
    }))
    await openChat(page, thread(...messages))
    const log = page.getByRole('log')
    const rated = answers(page).filter({ hasText: 'Message 57.' })
    const reason = page.getByRole('textbox', { name: /What was wrong/ })
    await rated.getByRole('button', { name: 'Bad answer' }).click()
    await reason.fill('Far too lo')
    expect(await reason.evaluate((field) => field.matches(':focus'))).toBe(true)
    await log.press('Home')
    await rated.waitFor({ state: 'detached', ...patiently })
    await log.press('End')
    await expect.poll(() => reason.inputValue(), patiently).toBe('Far too lo')
    // Whoever scrolls is not typing there any more.
    expect(await reason.evaluate((field) => field.matches(':focus'))).toBe(false)
  })

  it('is read aloud without its marks and code, until it is stopped', async () => {
    await page.addInitScript(`globalThis.spoken = []
      globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }
      const voice = { speak: ({ text }) => spoken.push(text), cancel: () => spoken.push('(silence)') }
      Object.defineProperty(globalThis, 'speechSynthesis', { value: voice })`)
    const answer = 'The **first** part.\n\n```js\nlet code\n```\n\nAnd [the last](https://parley.test).'
    await openChat(page, thread({ role: 'user', content: 'Read to me' }, { role: 'assistant', content: answer }))
    await button('Read aloud').click()
    await button('Stop reading').click()
    await button('Read aloud').waitFor()
    const heard = ['(silence)', 'The first part.', 'And the last.', '(silence)']
    expect(await page.evaluate('spoken')).toEqual(heard)
  })

  it('shows its price on hover', async () => {
    await openChat(page, showcaseChat)
    await button(/^Details: .*508 tokens/).focus()
    const details = page.getByRole('tooltip').filter({ hasText: 'Input tokens' })
    await expect.poll(() => details.isVisible(), patiently).toBe(true)
    expect(await details.textContent()).toMatch(/Input tokens.*about 412.*Output tokens.*about 96/)
  })

  it('can be continued after it was interrupted', async () => {
    await page.goto('/')
    on.provider.reply({ chunks: ['Half ', 'an ', 'answer'], cutAfterChunks: 2 })
    await say(page, 'Break')
    await page.getByText('This answer was interrupted.').waitFor()
    on.provider.reply({ text: 'answer and the other half' })
    await button('Continue').click()
    await hear(page, 'Half an answer and the other half')
  })
})

describe('a long thread', () => {
  const long = thread(
    ...Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}. ${'It goes on and on. '.repeat(30)}`,
    })),
  )

  it('has a button back to its end', async () => {
    await openChat(page, long)
    const log = page.getByRole('log')
    await page.getByText('Message 39.').waitFor()
    await log.evaluate((box) => box.scrollTo(0, 0))
    await page.getByText('Message 0.').waitFor()
    await button('Jump to latest').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Message 39.').waitFor()
    await button('Jump to latest').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').textContent(), patiently).toContain('Message 39.')
  })

  it('prints in full, without anything around it', async () => {
    await openChat(page, long)
    await page.getByText('Message 39.').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    const sheet = page.getByRole('main', { name: 'Printed chat' })
    expect(await sheet.getByText(/^Message \d+\./).count()).toBe(40)
    expect(await page.getByRole('log').isVisible()).toBe(false)
    const margins = `[...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].filter((rule) => rule instanceof CSSPageRule).map(({ style }) => style.margin))`
    expect(await page.evaluate(margins)).toEqual(['1.8cm 2cm'])
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await sheet.waitFor({ state: 'detached' })
  })
})

it('an answer can be copied without a mouse', async () => {
  await openChat(page, showcaseChat)
  const copy = answers(page).first().getByRole('button', { name: 'Copy', exact: true })
  await copy.focus()
  await page.keyboard.press('Enter')
  await expect.poll(clipboard, patiently).toContain('flow temperature')
})

it('copying works as plain text in a browser that cannot copy rich text', async () => {
  await page.addInitScript(() => Object.defineProperty(globalThis, 'ClipboardItem', { value: undefined }))
  await openChat(page, showcaseChat)
  await answers(page).first().getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(clipboard, patiently).toContain('flow temperature')
})

it('copying works on plain HTTP, too, also in a dialog, and keeps the focus', async () => {
  await page.addInitScript(() => {
    if (location.pathname !== '/icon.svg') Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await openChat(page, showcaseChat)
  const reader = await visitor.context.newPage()
  await reader.goto('/icon.svg')
  const copied = async (): Promise<string> => {
    await reader.bringToFront()
    const text = await reader.evaluate(() => navigator.clipboard.readText())
    await page.bringToFront()
    return text
  }
  await button('Copy code').first().focus()
  await page.keyboard.press('Enter')
  expect(await copied()).toContain('return heat / cop * price')
  expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/Cop/)
  await button('Chat information').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Copy info' }).focus()
  await page.keyboard.press('Enter')
  expect(await copied()).toContain('Username')
  expect(await page.locator(':focus').textContent()).toMatch(/Cop/)
})
