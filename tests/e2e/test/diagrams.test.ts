import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { manyMessages, openChat, scrollUntil, thread } from '../src/crafted-chat.ts'
import { type Person, registerPerson, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let person: Person
let visitor: Visitor
let page: Page

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  person = await registerPerson(on.system, 'drawer')
})
beforeEach(async () => {
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
  await signInPage(page, person)
})
afterEach(({ task }) => endVisit(visitor, task))

declare const navigator: { readonly clipboard: { read(): Promise<{ readonly types: readonly string[] }[]> } }
/** Rendering is late on a machine under load. */
const patiently = { timeout: 60_000 }
const button = (name: string) => page.getByRole('button', { name, exact: true })
const drawing = [
  { role: 'user' as const, content: 'Draw it' },
  { role: 'assistant' as const, content: '```mermaid\ngraph LR\n  A --> B\n```' },
]

describe('a diagram', () => {
  it('has the brightness of a changed theme at once, and then its colours', async () => {
    await openChat(page, thread(...drawing))
    const picture = page.getByRole('img', { name: 'Diagram' })
    await picture.waitFor(patiently)
    const before = await picture.getAttribute('src')
    await page.evaluate(`globalThis.seen = []
      const image = document.querySelector('.diagram img')
      new MutationObserver(() => seen.push(image.className)).observe(image, { attributeFilter: ['class'] })
      document.documentElement.dataset.theme = 'delglight'`)
    await expect.poll(() => picture.getAttribute('src'), patiently).not.toBe(before)
    expect(await page.evaluate('seen')).toEqual(['invert hue-rotate-180', ''])
  })

  it('is a picture at once when it is scrolled into view again', async () => {
    await openChat(page, thread(...drawing, ...manyMessages))
    const picture = page.getByRole('img', { name: 'Diagram' })
    await scrollUntil(page, 'Home', picture, true)
    await scrollUntil(page, 'End', picture, false)
    await page.evaluate(`globalThis.seen = []
      const look = () => document.body.textContent.includes('graph LR') && seen.push('its source')
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })`)
    await scrollUntil(page, 'Home', picture, true)
    expect(await page.evaluate('seen')).toEqual([])
  })

  it('is printed as a picture, with the brightness of paper', async () => {
    await openChat(page, thread(...drawing))
    const picture = page.getByRole('img', { name: 'Diagram' })
    await picture.waitFor(patiently)
    await page.emulateMedia({ media: 'print' })
    // Browsers take what is printed right after the event.
    const printed = await page.evaluate(`dispatchEvent(new Event('beforeprint'))
      const image = document.querySelector('.print-sheet .diagram img')
      image && getComputedStyle(image).filter`)
    expect(printed).toBe('invert(1) hue-rotate(180deg)')
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  })

  it('that was never in view is drawn before its chat is printed', async () => {
    const isPrinting = Promise.withResolvers<void>()
    await page.route('**/assets/diagram-*.js', async (route) => {
      await isPrinting.promise
      await route.continue()
    })
    await openChat(page, thread(...drawing, ...manyMessages))
    await page.getByText('Message 19.').waitFor()
    await page.evaluate(`window.print = () => {
      const images = [...document.querySelectorAll('.print-sheet .diagram img')]
      globalThis.printed = images.map((image) => image.complete && image.naturalWidth > 0)
    }`)
    expect(await page.getByRole('img', { name: 'Diagram' }).count()).toBe(0)
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('print')
    await page.getByRole('option', { name: 'Print this chat' }).click()
    isPrinting.resolve()
    await expect.poll(() => page.evaluate('globalThis.printed')).toEqual([true])
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.locator('.print-sheet').waitFor({ state: 'detached' })
  })

  it('is shown at the size of the window, where it can be zoomed and copied, and is downloaded', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openChat(page, thread(...drawing))
    await button('Enlarge the diagram').click()
    const dialog = page.getByRole('dialog', { name: 'Diagram' })
    const size = dialog.getByRole('status')
    const width = async () => (await dialog.getByRole('presentation').boundingBox())?.width ?? 0
    await expect.poll(() => size.textContent()).toBe('100%')
    const fitting = await width()
    await button('Zoom in').click()
    await expect.poll(() => size.textContent()).toBe('135%')
    await page.keyboard.press('+')
    await expect.poll(() => size.textContent()).toBe('182%')
    expect((await width()) / fitting).toBeCloseTo(1.82, 1)
    await button('Zoom out').click()
    await page.mouse.wheel(0, 300)
    await dialog.getByRole('presentation').dblclick()
    await expect.poll(() => size.textContent()).toBe('100%')
    await dialog.getByRole('presentation').dblclick()
    await expect.poll(() => size.textContent()).toBe('250%')
    await button('Fit to the window').click()
    await expect.poll(() => size.textContent()).toBe('100%')
    await button('Copy the image').click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.read().then(([item]) => item?.types))).toEqual(['image/png'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await button('Enlarge the diagram').evaluate((element) => element.matches(':focus'))).toBe(true)
    const saved = page.waitForEvent('download')
    await button('Download the diagram').click()
    expect((await saved).suggestedFilename()).toBe('diagram.svg')
  })
})

describe('a formula', () => {
  it('whose renderer is loaded late leaves a table of its answer in the page, with what is selected or clicked in it', async () => {
    const { promise: asked, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/assets/math-parts-*', async (route) => {
      await asked
      await route.continue()
    })
    const content = '| a | b |\n|---|---|\n| 1 | 2 |\n\n$$E = mc^2$$'
    await openChat(page, thread({ role: 'user', content: 'Explain' }, { role: 'assistant', content }))
    await page.getByRole('table').waitFor(patiently)
    await page.evaluate('globalThis.seen = document.querySelector("table")')
    expect(await page.getByRole('math').count()).toBe(0)
    load()
    await page.getByRole('math').waitFor(patiently)
    expect(await page.evaluate('seen.isConnected')).toBe(true)
  })
})
