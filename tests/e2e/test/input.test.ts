import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { composer, hear, registerPerson, say, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'
import { addRecogniser, failToHear, listensFor, removeRecogniser, speak } from '../src/stand-in-recogniser.ts'

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

/** Opens the empty chat as a new user, in a browser with this preparation. */
async function arrive(prepare?: (page: Page) => Promise<unknown>): Promise<void> {
  people += 1
  const person = await registerPerson(on.system, `speaker${people}`)
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
  await signInPage(page, person)
  await prepare?.(page)
  await page.goto('/')
  await page.getByRole('button', { name: /^Model: (?!Loading)/ }).waitFor()
}

describe('the keys of shortcuts', () => {
  const sheet = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const change = (action: string) => sheet().getByRole('button', { name: `Change: ${action}` })
  const said = (words: string | RegExp) => sheet().getByRole('status').getByText(words).waitFor({ state: 'attached' })
  const rowOf = (action: string) => sheet().locator('dl > div').filter({ hasText: action }).first()
  const newChat = () => page.getByRole('link', { name: 'New chat' })
  const focused = (name: string) => page.locator(':focus').and(page.getByRole('button', { name })).waitFor()

  async function openSheet(): Promise<void> {
    await page.keyboard.press('ControlOrMeta+/')
    await change('New chat').waitFor()
  }

  it('are changed without a mouse, shown everywhere, applied in other tabs at once, and kept after a reload', async () => {
    await arrive()
    await say(page, 'Hello')
    await hear(page, 'You said: Hello')
    await page.waitForURL('/c/*')
    const chat = page.url()
    const other = await visitor.context.newPage()
    await other.goto('/')
    await composer(other).waitFor()
    await openSheet()
    await change('New chat').focus()
    await page.keyboard.press('Enter')
    await said('New chat: press the new keys. Esc cancels.')
    await page.keyboard.press('ControlOrMeta+Shift+KeyJ')
    await said(/^New chat: .*Shift J/)
    await focused('Change: New chat')
    await other.locator('[data-new-chat]').getByText('Ctrl Shift J').waitFor()
    await page.keyboard.press('Escape')
    await sheet().waitFor({ state: 'detached' })
    expect(await newChat().getAttribute('aria-keyshortcuts')).toBe('Control+Shift+J')
    await newChat().getByText('Ctrl Shift J').waitFor()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.getByRole('option', { name: 'New chat Ctrl Shift J' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await hear(page, 'You said: Hello')
    await page.keyboard.press('ControlOrMeta+Shift+KeyO')
    expect(page.url()).toBe(chat)
    await page.keyboard.press('ControlOrMeta+Shift+KeyJ')
    await page.waitForURL('/')
  })

  it('are refused where the browser or other shortcuts need them, can be swapped, and can be reset', async () => {
    await arrive()
    await openSheet()
    await change('New chat').click()
    await page.keyboard.press('ControlOrMeta+KeyW')
    await said(/^.*Ctrl W.* is used by browsers or for typing/)
    await page.keyboard.press('KeyX')
    await said('Use Ctrl with that key, without Alt.')
    await page.keyboard.press('Escape')
    await said('Nothing was changed.')
    await focused('Change: New chat')
    await rowOf('New chat').getByText('O', { exact: true }).waitFor()

    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+KeyK')
    await said(/is already used for “Search chats, commands and models”. Swap the two\?/)
    await focused('Swap')
    await page.keyboard.press('Enter')
    await focused('Change: New chat')
    await rowOf('New chat').getByText('K', { exact: true }).waitFor()
    await rowOf('Search chats').getByText('O', { exact: true }).waitFor()
    await sheet().getByRole('button', { name: 'Reset: New chat' }).press('Enter')
    await focused('Change: New chat')
    await rowOf('Search chats').getByText('K', { exact: true }).waitFor()
    expect(
      await sheet()
        .getByRole('button', { name: /^Reset: / })
        .count(),
    ).toBe(0)

    await change('Stop generating').click()
    await page.keyboard.press('ControlOrMeta+KeyK')
    await said(/is already used for “Search chats, commands and models”. Press other keys\./)
    await page.keyboard.press('F8')
    await rowOf('Stop generating').getByText('F8').waitFor()
    // Tab leaves the field without a change.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await said('Nothing was changed.')
    const all = sheet().getByRole('button', { name: 'Reset all' })
    await all.press('Enter')
    await rowOf('Stop generating').getByText('Esc').waitFor()
    await focused('Reset all')
    expect(await all.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('dictation', () => {
  const button = () => page.getByRole('button', { name: 'Dictate' })
  const listens = () => page.getByText('Listening…')

  async function beginDictation(): Promise<void> {
    await button().click()
    await page
      .getByRole('dialog', { name: 'Dictate a message' })
      .getByRole('button', { name: 'Start dictation' })
      .click()
    await listens().waitFor()
  }

  it('explains once who may hear it, then writes phrases at the cursor, undoes them one by one, and never sends by itself', async () => {
    await arrive(addRecogniser)
    await composer(page).fill('Dear Ann, bye')
    for (let step = 0; step < 3; step += 1) await composer(page).press('ArrowLeft')
    await button().click()
    await page.getByText('Many browsers send the sound to their vendor').waitFor()
    expect(await listensFor(page)).toBeNull()
    await page.keyboard.press('Escape')
    await beginDictation()
    expect(await listensFor(page)).toBe('en-US')
    expect(await button().getAttribute('aria-pressed')).toBe('true')
    await speak(page, ['thank', false])
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, thank bye')
    await speak(page, ['Thank you.', true], [' See', false])
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, Thank you. See bye')
    await button().click()
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, Thank you. See. bye')
    expect(await button().getAttribute('aria-pressed')).toBe('false')
    await page.getByText('Dictation has stopped.').waitFor({ state: 'attached' })
    await composer(page).press('ControlOrMeta+z')
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, Thank you. bye')
    await composer(page).press('ControlOrMeta+z')
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, bye')
    await composer(page).press('ControlOrMeta+Shift+z')
    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ann, Thank you. bye')
    expect(on.provider.calls).toHaveLength(0)

    // Text typed meanwhile stays, and dictation continues at the cursor.
    await composer(page).fill('')
    await button().click()
    await listens().waitFor()
    await speak(page, ['one', false])
    await expect.poll(() => composer(page).inputValue()).toBe('one')
    await composer(page).fill('Typed')
    await speak(page, ['one', true], ['two', false])
    await expect.poll(() => composer(page).inputValue()).toBe('Typed two')
  })

  it('ends on Escape, on sending and when the page is hidden, and keeps the text heard so far', async () => {
    await arrive(addRecogniser)
    await beginDictation()
    await speak(page, ['by Escape', false])
    await page.keyboard.press('Escape')
    await expect.poll(() => composer(page).inputValue()).toBe('by Escape.')
    await button().click()
    await listens().waitFor()
    await speak(page, ['and hidden', false])
    await expect.poll(() => composer(page).inputValue()).toBe('by Escape. and hidden')
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
      delete document.hidden
    `)
    await listens().waitFor({ state: 'detached' })
    expect(await listensFor(page)).toBeNull()
    await button().click()
    await listens().waitFor()
    await speak(page, ['and sent', false])
    await expect.poll(() => composer(page).inputValue()).toBe('by Escape. and hidden and sent')
    await composer(page).press('Enter')
    await hear(page, 'You said: by Escape. and hidden and sent')
    expect(await listensFor(page)).toBeNull()
    expect(await composer(page).inputValue()).toBe('')
  })

  it('says why it failed, and can be restarted', async () => {
    await arrive(addRecogniser)
    await beginDictation()
    const failures = [
      ['not-allowed', /^Dictation needs the microphone\./],
      ['audio-capture', 'No microphone was found.'],
      ['network', /speech service can’t be reached/],
      ['no-speech', /^Nothing was heard\./],
      ['service-not-allowed', /offers no speech service/],
      ['language-not-supported', /in this language/],
      ['bad-grammar', /stopped unexpectedly/],
    ] as const
    for (const [error, words] of failures) {
      await failToHear(page, error)
      await page.getByRole('alert').getByText(words).waitFor()
      expect(await button().getAttribute('aria-pressed')).toBe('false')
      await button().click()
      await listens().waitFor()
    }
  })

  it('is not offered by a browser without speech recognition', async () => {
    await arrive(removeRecogniser)
    // Code that loads after the first screen has arrived once this lazily loaded picker is open.
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByRole('gridcell').first().waitFor()
    expect(await button().count()).toBe(0)
  })
})
