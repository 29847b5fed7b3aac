import { startFaultProxy } from '@parley/testing'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, sizes, type Visitor } from '../src/browser.ts'
import { itWhereItApplies } from '../src/deviations.ts'
import { intercept } from '../src/intercept.ts'
import { answers, composer, hear, registerPerson, rewrite, say, signInPage } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index} `)
const stop = (page: Page) => page.getByRole('button', { name: 'Stop generating' })

async function wholeText(page: Page, chunks: readonly string[]): Promise<void> {
  const text = (await answers(page).last().textContent())?.replace(/\s+/g, ' ')
  expect(text).toContain(chunks.join('').trim())
}

describe('a chat under failures', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false, guest: { weeklyLimit: 1_000 } })
  })
  beforeEach(() => on.provider.reset())
  afterEach(({ task }) => endVisit(visitor, task))

  const arrive = async (
    who: 'guest' | 'user',
    size: keyof typeof sizes = 'desktop',
    origin = on.system.url,
  ): Promise<void> => {
    visitor = await newVisitor(on.browser, origin, { size })
    page = visitor.page
    people += 1
    if (who === 'user') await signInPage(visitor.page, await registerPerson(on.system, `resilient${people}`))
  }

  it('shows the whole answer after a network outage, and no false failure', async () => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(on.system.url).port) })
    await arrive('user', 'desktop', proxy.url)
    const chunks = words(200)
    const lost = Promise.withResolvers<void>()
    on.provider.reply({ chunks, delayMs: 20, pause: { after: 100, until: lost.promise } })
    await page.goto('/')
    await say(page, 'Go on')
    await answers(page).filter({ hasText: 'word9' }).waitFor()
    await visitor.context.setOffline(true)
    // Chromium lets a stream continue that is already open.
    proxy.cutNow()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    lost.resolve()
    await expect.poll(() => on.provider.calls[0]?.finishedAt).toBeDefined()
    await visitor.context.setOffline(false)
    await hear(page, 'word199')
    await wholeText(page, chunks)
    expect(await page.getByText(/interrupted|Connection lost|Sorry/).count()).toBe(0)
    expect(on.provider.calls).toHaveLength(1)
    await proxy.close()
  })

  itWhereItApplies('shows an answer as interrupted when the server dies, and retries it', async () => {
    await arrive('user')
    on.provider.reply({ chunks: words(50), hang: { after: 20 } })
    await page.goto('/')
    await say(page, 'Survive')
    await answers(page).filter({ hasText: 'word19' }).waitFor()
    await on.system.kill()
    await on.startAgain()
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.waitFor({ timeout: 60_000 })
    await stop(page).waitFor({ state: 'detached' })
    await page
      .getByText(/interrupted/i)
      .first()
      .waitFor()
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0)
    await retry.click()
    await hear(page, 'You said: Survive')
  })

  it('stays the same in two tabs of one user: started in one, deleted in the other', async () => {
    await arrive('user')
    await page.goto('/')
    const other = await visitor.context.newPage()
    await other.goto('/')
    await composer(other).waitFor()
    await say(page, 'In both tabs')
    await hear(page, 'You said: In both tabs')
    await other.bringToFront()
    const there = other.getByRole('link', { name: 'In both tabs' })
    await there.click()
    await answers(other).filter({ hasText: 'You said: In both tabs' }).waitFor()
    await say(other, 'More of it')
    await hear(other, 'You said: More of it')
    await page.bringToFront()
    await answers(page).filter({ hasText: 'You said: More of it' }).waitFor()
    await page.getByRole('button', { name: 'Options for In both tabs' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'In both tabs' }).waitFor({ state: 'detached' })
    await other.bringToFront()
    await there.waitFor({ state: 'detached' })
  })

  it('keeps the text of an edit while another chat is open, and in the composer if another tab edits that question', async () => {
    await arrive('user')
    await page.goto('/')
    await say(page, 'First wording')
    await hear(page, 'You said: First wording')
    await page.waitForURL(/\/c\//)
    const other = await visitor.context.newPage()
    await other.goto(page.url())
    const edit = await rewrite(other, 'Wording of the other tab')
    await other.getByRole('link', { name: 'New chat' }).click()
    await edit.waitFor({ state: 'detached' })
    await other.goBack()
    await expect.poll(() => edit.inputValue()).toBe('Wording of the other tab')
    await page.bringToFront()
    await (await rewrite(page, 'Second wording')).press('Enter')
    await hear(page, 'You said: Second wording')
    await other.bringToFront()
    await edit.waitFor({ state: 'detached' })
    expect(await composer(other).inputValue()).toBe('Wording of the other tab')
  })

  it('keeps the text of an edit that is saved while another tab’s answer runs, until it can be sent', async () => {
    await arrive('user')
    await page.goto('/')
    await say(page, 'First wording')
    await hear(page, 'You said: First wording')
    await page.waitForURL(/\/c\//)
    const other = await visitor.context.newPage()
    await other.goto(page.url())
    const edit = await rewrite(other, 'Second wording')
    const { promise: seen, resolve: go } = Promise.withResolvers<void>()
    on.provider.reply({ chunks: ['Not ', 'yet'], pause: { after: 1, until: seen } })
    await page.bringToFront()
    await say(page, 'Meanwhile')
    await answers(page).filter({ hasText: 'Not' }).waitFor()
    await other.bringToFront()
    await answers(other).filter({ hasText: 'Not' }).waitFor()
    await edit.press('Enter')
    expect(await edit.inputValue()).toBe('Second wording')
    go()
    await hear(other, 'Not yet')
    await edit.press('Enter')
    await hear(other, 'You said: Second wording')
  })

  it('gives a message that waited for the network and was refused back to the draft of its chat', async () => {
    await arrive('user')
    await page.goto('/')
    await say(page, 'An open chat')
    await hear(page, 'You said: An open chat')
    await page.waitForURL(/\/c\//)
    await visitor.context.setOffline(true)
    await say(page, 'From a tunnel')
    await page.getByText('Will be sent once you’re back online.').waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
    await intercept(page, '/chat', () => {
      refuse()
      return { status: 402, json: { error: 'No credits left', code: 'insufficient_credits', requestId: 'r1' } }
    })
    await visitor.context.setOffline(false)
    await refused
    await page.getByRole('link', { name: 'An open chat' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('From a tunnel')
  })

  it.each(['guest', 'user'] as const)('starts for a %s whose local storage is damaged', async (who) => {
    await arrive(who)
    await visitor.page.addInitScript((signedIn) => {
      if (sessionStorage.getItem('damaged')) return
      sessionStorage.setItem('damaged', 'once')
      const keys = ['theme', 'sidebar', 'app-locale', 'guestSessionId', 'private:model', 'errorLog', 'wantedPath']
      for (const key of signedIn ? keys : [...keys, 'token', 'user']) localStorage.setItem(key, '{"broken')
      sessionStorage.setItem('private:guest-thread', '{"messages":[{"role":7}')
      sessionStorage.setItem('wantedPath', '//evil.test')
    }, who === 'user')
    await page.goto('/')
    await say(page, 'Still here?')
    await hear(page, 'You said: Still here?')
  })

  it('works for a guest whose browser forbids storage', async () => {
    await arrive('guest')
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        const get = () => {
          throw new DOMException('Access is denied', 'SecurityError')
        }
        Object.defineProperty(globalThis, name, { get })
      }
    })
    await page.goto('/')
    await say(page, 'Without storage')
    await hear(page, 'You said: Without storage')
  })

  it('keeps the draft of a new chat there when the one before it is stored later', async () => {
    await arrive('user')
    await page.goto('/')
    const { promise: written, resolve: store } = Promise.withResolvers<void>()
    await intercept(page, '/chat', async () => {
      await written
      return 'continue' as const
    })
    await say(page, 'Stored late')
    await page.getByRole('link', { name: 'New chat' }).click()
    await composer(page).fill('Of another chat')
    store()
    await page.getByRole('link', { name: 'Stored late' }).click()
    await hear(page, 'You said: Stored late')
    expect(await composer(page).inputValue()).toBe('')
    await page.getByRole('link', { name: 'New chat' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Of another chat')
  })

  it('continues a guest’s answer after a reload in the middle of it', async () => {
    await arrive('guest')
    const chunks = words(150)
    on.provider.reply({ chunks, delayMs: 20 })
    await page.goto('/')
    await say(page, 'Long one')
    await answers(page).filter({ hasText: 'word5' }).waitFor()
    await page.reload()
    await hear(page, 'word149')
    await wholeText(page, chunks)
    expect(on.provider.calls).toHaveLength(1)
  })

  itWhereItApplies('sends a message written before the models were loaded', async () => {
    await arrive('user')
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/chat/models/hierarchy', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    await composer(page).fill('Too early')
    await composer(page).press('Enter')
    await page.getByText('This will be sent once the models have loaded.').waitFor()
    release()
    await hear(page, 'You said: Too early')
    expect(await composer(page).inputValue()).toBe('')
    expect(on.provider.calls).toHaveLength(1)
  })

  it('does not send another chat’s draft instead of a message written before the models were loaded', async () => {
    await arrive('user')
    await page.goto('/')
    await say(page, 'An earlier chat')
    await hear(page, 'You said: An earlier chat')
    await page.waitForURL(/\/c\//)
    await composer(page).fill('Not yet finished')
    const { promise: loaded, resolve: release } = Promise.withResolvers<void>()
    await intercept(page, '/chat/models/hierarchy', async () => {
      await loaded
      return 'continue' as const
    })
    await page.goto('/')
    await composer(page).fill('Too early')
    await composer(page).press('Enter')
    await page.getByText('This will be sent once the models have loaded.').waitFor()
    await page.getByRole('link', { name: 'An earlier chat' }).click()
    await hear(page, 'You said: An earlier chat')
    release()
    await page.getByRole('button', { name: /^Model:/ }).waitFor()
    expect(await composer(page).inputValue()).toBe('Not yet finished')
    expect(on.provider.calls).toHaveLength(1)
  })

  itWhereItApplies('says why a message is not sent when the models cannot be loaded', async () => {
    await arrive('user')
    await page.route('**/api/chat/models/hierarchy', (route) =>
      route.fulfill({ status: 403, json: { error: 'Not today', code: 'forbidden' } }),
    )
    await page.goto('/')
    await composer(page).fill('Hopeless')
    await composer(page).press('Enter')
    await page.getByText('No model is available right now.').waitFor()
    expect(await composer(page).inputValue()).toBe('Hopeless')
  })

  itWhereItApplies('inserts stored messages before one that was sent while they loaded', async () => {
    await arrive('user')
    await page.goto('/')
    await say(page, 'The first question')
    await hear(page, 'You said: The first question')
    await page.waitForURL(/\/c\//)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/chat/history/*', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await say(page, 'The second question')
    await hear(page, 'You said: The second question')
    release()
    // The second question is held at the top of the window; earlier messages are rendered once they are scrolled to.
    await answers(page).filter({ hasText: 'You said: The first question' }).waitFor()
    await answers(page).last().hover()
    await page.mouse.wheel(0, -10_000)
    await expect
      .poll(() => page.getByRole('article', { name: 'You' }).allTextContents())
      .toEqual(['YouThe first question', 'YouThe second question'])
  })

  it('shows after a reload that an answer was stopped, and how long it reasoned', async () => {
    await arrive('user')
    on.provider.reply({ reasoning: ['Let me see. ', 'Hm.'], chunks: words(30), delayMs: 300, hang: { after: 6 } })
    await page.goto('/')
    await say(page, 'Think')
    await answers(page).filter({ hasText: 'word3' }).waitFor()
    await stop(page).click()
    await page.getByText('You stopped this answer.').waitFor()
    await page.reload()
    await page.getByText('You stopped this answer.').waitFor()
    await page.getByText(/Thought for \d s/).waitFor()
  })

  it('retries the first message of a chat in that chat, also with another model', async () => {
    await arrive('user')
    on.provider.always({ status: 500 }, ({ model }) => model === 'deepseek-chat')
    await page.goto('/')
    await say(page, 'Once only')
    await page.getByText('No credits were charged.').waitFor()
    await page.getByRole('button', { name: /^Model:/ }).click()
    await page
      .getByRole('option', { name: /reasoner|R1/i })
      .first()
      .click()
    await page.getByRole('button', { name: 'Retry' }).click()
    await hear(page, 'You said: Once only')
    await page.reload()
    await page.getByRole('link', { name: 'Once only' }).waitFor()
    expect(await page.getByRole('link', { name: 'Once only' }).count()).toBe(1)
  })

  itWhereItApplies('works on a phone: drawer, a composer that stays, send, stop', async () => {
    await arrive('user', 'phone')
    // Slow enough that the message is seen before the answer pushes it out of view.
    on.provider.reply({ chunks: words(400), delayMs: 5, hang: { after: 300 } })
    await page.goto('/')
    const place = async () => (await composer(page).boundingBox())?.y
    await composer(page).waitFor()
    const before = await place()
    await say(page, 'On the way')
    await answers(page).filter({ hasText: 'word299' }).waitFor()
    expect(await place()).toBe(before)
    await stop(page).tap()
    await page.getByText('You stopped this answer.').waitFor()
    await page.waitForURL(/\/c\//)
    // The header shows the chat's title below its model.
    const title = page.getByRole('heading', { level: 1, name: 'On the way' })
    await expect.poll(async () => (await title.boundingBox())?.width).toBeGreaterThan(20)
    const opener = page.getByRole('button', { name: 'Open sidebar' })
    await opener.tap()
    await page.getByRole('button', { name: 'Options for On the way' }).tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await page.getByRole('link', { name: 'On the way' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).tap()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'On the way' }).click()
    await answers(page).filter({ hasText: 'word299' }).waitFor()
    await opener.waitFor()
    const { width } = sizes.phone
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width)
  })
})
