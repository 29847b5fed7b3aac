import type { ChatDetail } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { answers, composer, connectedLive, hear, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

const whole = 'The quick brown fox jumps over the lazy dog.'
const start = 'The quick brown '
const rest = 'fox jumps over the lazy dog.'

describe('an answer that is continued', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0
  let person: Person

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false, guest: { weeklyLimit: 1_000 } })
  })
  beforeEach(() => on.provider.reset())
  afterEach(({ task }) => endVisit(visitor, task))

  const continueButton = (where: Page) => where.getByRole('button', { name: 'Continue', exact: true })
  const stop = (where: Page) => where.getByRole('button', { name: 'Stop generating' })
  const questions = (where: Page) => where.getByRole('article', { name: /^You|Your message/ })

  const arrive = async (who: 'guest' | 'user'): Promise<void> => {
    visitor = await newVisitor(on.browser, on.system.url)
    page = visitor.page
    people += 1
    if (who === 'guest') return
    person = await registerPerson(on.system, `goeson${people}`)
    await signInPage(page, person)
  }
  /** Asks, and stops the answer after its first words. */
  const stopped = async (): Promise<void> => {
    on.provider.reply({ chunks: [start], hang: { after: 1 } })
    await page.goto('/')
    await say(page, 'Tell me')
    await answers(page).filter({ hasText: start.trim() }).waitFor()
    await stop(page).click()
    await continueButton(page).waitFor()
  }
  const read = async (where: Page): Promise<string | null> => await answers(where).last().textContent()

  it('is one text in one message, live in another tab and after a reload', async () => {
    await arrive('user')
    await stopped()
    const other = await visitor.context.newPage()
    const connected = connectedLive(other)
    await other.goto(page.url())
    await connected
    await answers(other).filter({ hasText: start.trim() }).waitFor()
    expect(await continueButton(page).getAttribute('title')).toMatch(/^Continues this answer for \d+ credits?$/)
    const held = Promise.withResolvers<void>()
    // The provider repeats the last words.
    on.provider.reply({ chunks: ['The quick brown ', 'fox ', rest.slice(4)], pause: { after: 2, until: held.promise } })
    await page.bringToFront()
    await continueButton(page).press('Enter')
    await answers(page).filter({ hasText: 'The quick brown fox' }).waitFor()
    await stop(page).waitFor()
    await other.bringToFront()
    await answers(other).filter({ hasText: 'The quick brown fox' }).waitFor()
    held.resolve()
    await answers(other).filter({ hasText: whole }).waitFor()
    await page.bringToFront()
    await hear(page, whole)
    for (const where of [page, other]) {
      expect(await answers(where).count()).toBe(1)
      expect((await read(where))?.split('quick')).toHaveLength(2)
      expect(await continueButton(where).count()).toBe(0)
    }
    await page.reload()
    await answers(page).filter({ hasText: whole }).waitFor()
    expect(await answers(page).count()).toBe(1)
    expect(on.provider.calls).toHaveLength(2)
  })

  it('says in every tab, below its first part, that the provider is busy until the answer goes on', async () => {
    await arrive('user')
    await stopped()
    const other = await visitor.context.newPage()
    const connected = connectedLive(other)
    await other.goto(page.url())
    await connected
    await continueButton(other).waitFor()
    on.provider.reply({ status: 429, headers: { 'retry-after': '8' } })
    on.provider.reply({ chunks: [rest] })
    await page.bringToFront()
    await continueButton(page).click()
    for (const where of [page, other]) {
      await where.bringToFront()
      await where.getByRole('status').filter({ hasText: 'The provider is busy.' }).waitFor()
      expect(await read(where)).toContain(start.trim())
    }
    for (const where of [page, other]) {
      await answers(where).filter({ hasText: whole }).waitFor()
      expect(await where.getByText('The provider is busy.').count()).toBe(0)
    }
  })

  it('lists each part and their sum in its receipt', async () => {
    await arrive('user')
    await stopped()
    on.provider.reply({ chunks: [rest] })
    await continueButton(page).click()
    await hear(page, whole)
    const details = page.getByRole('button', { name: /^Details/ })
    await details.hover()
    const receipt = page.getByRole('tooltip')
    await receipt.getByText('Balance after').waitFor()
    const rows = await receipt.locator('dl > div').allTextContents()
    const value = (name: string) => Number(rows.find((row) => row.startsWith(name))?.slice(name.length))
    expect(value('Part 1')).toBeGreaterThan(0)
    expect(value('Credits')).toBe(value('Part 1') + value('Part 2'))
  })

  it('stays unchanged when the provider sends nothing more, and can be continued later', async () => {
    await arrive('user')
    await stopped()
    for (let tries = 0; tries < 5; tries += 1) on.provider.reply({ status: 400 })
    await continueButton(page).click()
    await page
      .getByText(/couldn’t|Sorry|error|try again/i)
      .first()
      .waitFor()
    await continueButton(page).waitFor()
    expect(await read(page)).toContain(start.trim())
    on.provider.reset()
    on.provider.reply({ chunks: [rest] })
    await continueButton(page).click()
    await hear(page, whole)
    expect(await answers(page).count()).toBe(1)
  })

  it('keeps the text received before the server dies, and can be continued again', async () => {
    await arrive('user')
    await stopped()
    on.provider.reply({ chunks: ['fox jumps '], hang: { after: 1 } })
    await continueButton(page).click()
    await answers(page).filter({ hasText: 'The quick brown fox jumps' }).waitFor()
    // What comes between two checkpoints is lost with the process.
    const path = `/api/chat/history/${new URL(page.url()).pathname.split('/').at(-1)}`
    const saved = async () => ((await person.api.get(path)).body as ChatDetail).messages.at(-1)?.content
    await expect.poll(saved).toContain('jumps')
    await on.system.kill()
    await on.startAgain()
    await continueButton(page).waitFor({ timeout: 60_000 })
    await stop(page).waitFor({ state: 'detached' })
    expect(await read(page)).toContain('The quick brown fox jumps')
    on.provider.reply({ chunks: ['over the lazy dog.'] })
    await continueButton(page).click()
    await hear(page, whole)
    await page.reload()
    await answers(page).filter({ hasText: whole }).waitFor()
    expect(await answers(page).count()).toBe(1)
  })

  it('can be continued by a guest', async () => {
    await arrive('guest')
    await stopped()
    on.provider.reply({ chunks: [rest] })
    await continueButton(page).click()
    await hear(page, whole)
    expect(await answers(page).count()).toBe(1)
    expect(await questions(page).count()).toBeLessThan(2)
    await composer(page).waitFor()
    await page.reload()
    await answers(page).filter({ hasText: whole }).waitFor()
  })
})
