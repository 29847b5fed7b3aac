import type { ChatDetail } from '@parley/contracts'
import { startFaultProxy, waitUntil } from '@parley/testing'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { itWhereItApplies } from '../src/deviations.ts'
import {
  answers,
  composer,
  connectedLive,
  hear,
  type Person,
  registerPerson,
  rewrite,
  say,
  signInPage,
} from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

/** For machines under load. */
const patiently = { timeout: 60_000 }
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index} `)
const questions = (page: Page) => page.getByRole('article', { name: 'You' })
const stop = (page: Page) => page.getByRole('button', { name: 'Stop generating' })
const shownText = async (page: Page): Promise<string> =>
  ((await answers(page).last().textContent()) ?? '').replace(/\s+/g, ' ')
const chatIdOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Reproducible pseudo-random numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('one user on several devices', () => {
  let on: SharedSystem
  let person: Person
  let devices: Visitor[]
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  beforeEach(async () => {
    on.provider.reset()
    devices = []
    people += 1
    person = await registerPerson(on.system, `live${people}`)
  })
  afterEach(async ({ task }) => {
    for (const [index, { page }] of devices.entries()) {
      if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name} ${index}`)
    }
    await Promise.all(devices.map((device) => device.leave()))
    expect(devices.flatMap(({ errors }) => errors)).toEqual([])
  })

  /** Opens `path` in another browser of the same person, with a live connection. */
  const arrive = async (path = '/', origin = on.system.url): Promise<Page> => {
    const device = await newVisitor(on.browser, origin)
    devices.push(device)
    await signInPage(device.page, person)
    const connected = connectedLive(device.page)
    await device.page.goto(path)
    await composer(device.page).waitFor()
    await connected
    return device.page
  }
  const stored = async (chatId: string): Promise<ChatDetail> =>
    (await person.api.get(`/api/chat/history/${chatId}`)).body as ChatDetail

  it('sees an answer on the other device while it is generated, and later changes of its chat', async () => {
    const [here, there] = [await arrive(), await arrive()]
    const chunks = words(120)
    const seen = Promise.withResolvers<void>()
    on.provider.reply({ chunks, delayMs: 25, pause: { after: 60, until: seen.promise } })
    await say(here, 'Seen by two')
    await there.getByRole('link', { name: 'Seen by two' }).click()
    await answers(there).filter({ hasText: 'word20' }).waitFor()
    await stop(there).waitFor()
    expect(await stop(there).count()).toBe(1)
    seen.resolve()
    await Promise.all([hear(here, 'word119'), hear(there, 'word119')])
    expect(await shownText(there)).toContain(chunks.join('').trim())
    expect(on.provider.calls).toHaveLength(1)
    await say(there, 'And back')
    await hear(here, 'You said: And back')
    const chatId = chatIdOf(there)
    await person.api.put(`/api/chat/history/${chatId}/rename`, { title: 'Renamed elsewhere' })
    for (const page of [here, there]) await page.getByRole('link', { name: 'Renamed elsewhere' }).waitFor()
    await person.api.delete(`/api/chat/history/${chatId}`)
    for (const page of [here, there]) {
      await page.getByText('This chat was deleted in another tab or on another device.').waitFor()
      await page.getByRole('link', { name: 'Renamed elsewhere' }).waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/')
    }
  })

  it('has a new chat’s address, title and row before the first word of its answer, which a reload follows to the end', async () => {
    const here = await arrive()
    const [elsewhere, first] = [await arrive(), Promise.withResolvers<void>()]
    const chunks = words(30)
    on.provider.reply({ chunks, pause: { after: 0, until: first.promise } })
    await say(here, 'Slow to begin')
    const row = (page: Page) => page.getByRole('link', { name: 'Slow to begin' })
    await here.waitForURL(/\/c\//)
    await here.locator('a[aria-current="page"]', { hasText: 'Slow to begin' }).waitFor()
    await here.getByRole('heading', { level: 1, name: 'Slow to begin' }).waitFor()
    await row(elsewhere).waitFor()
    await expect.poll(() => on.provider.calls.map(({ sentChunks }) => sentChunks), patiently).toEqual([0])
    expect(await here.getByText('Saving…').count()).toBe(0)
    await here.reload()
    await here.locator('a[aria-current="page"]', { hasText: 'Slow to begin' }).waitFor()
    await questions(here).filter({ hasText: 'Slow to begin' }).waitFor()
    await stop(here).waitFor()
    expect(on.provider.calls.map(({ sentChunks }) => sentChunks)).toEqual([0])
    first.resolve()
    await hear(here, 'word29')
    expect(await shownText(here)).toContain(chunks.join('').trim())
    expect(on.provider.calls).toHaveLength(1)
    expect(await row(here).count()).toBe(1)
  })

  it('finds an answer complete in a new chat that was left before the first word', async () => {
    const here = await arrive()
    await say(here, 'Somewhere else')
    await hear(here, 'You said: Somewhere else')
    const first = Promise.withResolvers<void>()
    on.provider.reply({ chunks: words(10), pause: { after: 0, until: first.promise } })
    await here.getByRole('link', { name: 'New chat' }).click()
    await say(here, 'Left alone')
    await here.getByRole('link', { name: 'Left alone' }).waitFor()
    await here.waitForURL((url) => url.pathname !== '/')
    await here.getByRole('link', { name: 'Somewhere else' }).click()
    await answers(here).filter({ hasText: 'You said: Somewhere else' }).waitFor()
    await here.getByRole('link', { name: 'Left alone' }).click()
    await stop(here).waitFor()
    first.resolve()
    await hear(here, 'word9')
    expect(await questions(here).count()).toBe(1)
    expect(await answers(here).count()).toBe(1)
  })

  it('fetches the credits once per answer, whether it completes or is stopped, and sees the hold meanwhile', async () => {
    const here = await arrive()
    const left = (count: number) => here.getByText(`${count} of 100 credits left`)
    await left(100).waitFor()
    let asked = 0
    here.on('request', (request) => {
      if (request.url().endsWith('/api/user/credits')) asked += 1
    })
    await say(here, 'Counted')
    await hear(here, 'You said: Counted')
    await left(99).waitFor()
    await expect.poll(() => asked, patiently).toBe(1)
    on.provider.reply({ chunks: words(5), hang: 'before-first' })
    await say(here, 'Never mind')
    await left(98).waitFor()
    expect(asked).toBe(1)
    await stop(here).click()
    await stop(here).waitFor({ state: 'detached' })
    await left(99).waitFor()
    await say(here, 'And again')
    await hear(here, 'You said: And again')
    await left(98).waitFor()
    await expect.poll(() => asked, patiently).toBe(3)
  })

  it('sees the same version of a thread everywhere', async () => {
    const here = await arrive()
    await say(here, 'First wording')
    await hear(here, 'You said: First wording')
    await here.waitForURL(/\/c\//)
    const there = await arrive(new URL(here.url()).pathname)
    await answers(there).filter({ hasText: 'You said: First wording' }).waitFor()
    await rewrite(here, 'Second wording')
    await here.getByRole('button', { name: 'Save and send' }).click()
    for (const page of [here, there]) {
      await hear(page, 'You said: Second wording')
      await page.getByText('Version 2 of 2').waitFor()
      expect(await questions(page).count()).toBe(1)
    }
    await there.getByRole('button', { name: 'Previous version' }).click()
    for (const page of [there, here]) {
      await answers(page).filter({ hasText: 'You said: First wording' }).waitFor()
      await page.getByText('Version 1 of 2').waitFor()
      expect(await questions(page).count()).toBe(1)
    }
  })

  it('ends with the server’s state after two tabs send and edit at the same time', async () => {
    const here = await arrive()
    await say(here, 'Common ground')
    await hear(here, 'You said: Common ground')
    await here.waitForURL(/\/c\//)
    const chatId = chatIdOf(here)
    const there = await arrive(`/c/${chatId}`)
    await answers(there).filter({ hasText: 'You said: Common ground' }).waitFor()
    const random = seeded(7)
    const act = async (page: Page, name: string): Promise<void> => {
      const edit = page.getByRole('button', { name: 'Edit message' })
      const editable = await edit.count()
      if (random() < 0.5 || editable === 0) {
        await composer(page).fill(name)
        await composer(page).press('Enter')
        return
      }
      // The other tab may remove the button at any moment; then there is nothing to edit.
      const index = Math.floor(random() * editable)
      const opened = edit.nth(index).click({ timeout: 1_000, force: true })
      const field = page.getByRole('textbox', { name: 'Edit message' })
      await opened
        .then(() => field.fill(`${name} rewritten`, { timeout: 1_000 }))
        .then(() => page.getByRole('button', { name: 'Save and send' }).click({ timeout: 1_000 }))
        .catch(() => field.press('Escape', { timeout: 1_000 }))
        .catch(() => undefined)
    }
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([act(here, `here ${round}`), act(there, `there ${round}`)])
      await Promise.all([here, there].map((page) => stop(page).waitFor({ state: 'detached' })))
    }
    for (const page of [here, there]) {
      // Only visible rows are in the document; in a window this tall that is all of them.
      await page.setViewportSize({ width: 1280, height: 6_000 })
      // A message that conflicted with the other tab's can still be resent from this tab.
      const settled = questions(page).filter({ hasNotText: 'Not sent' })
      await expect
        .poll(async () => {
          // One that a slow page opened after the act had given it up.
          const edited = page.getByRole('textbox', { name: 'Edit message' })
          if (await edited.isVisible()) await edited.press('Escape')
          await page.getByRole('log').evaluate((box) => box.scrollTo(0, 0))
          const { messages, generating } = await stored(chatId)
          const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
          const shown = (await settled.allTextContents()).map((text) => text.replace(/^You/, ''))
          const same = asked.length === shown.length && asked.every((text, index) => shown[index]?.startsWith(text))
          return same && generating === undefined ? 'same' : { asked, shown }
        }, patiently)
        .toBe('same')
      const { messages } = await stored(chatId)
      const answered = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
      await expect
        .poll(async () => {
          // The last question goes back to the top when the page is laid out anew.
          await page.getByRole('log').evaluate((box) => box.scrollTo(0, 0))
          const shown = (await answers(page).allTextContents()).join('\n')
          return answered.filter((content) => !shown.includes(content))
        }, patiently)
        .toEqual([])
    }
  })

  it('ends with the server’s state when one tab deletes, and undoes deleting, the chat that the other writes in', async () => {
    const here = await arrive()
    await say(here, 'Common ground')
    await hear(here, 'You said: Common ground')
    await here.waitForURL(/\/c\//)
    const chatId = chatIdOf(here)
    const there = await arrive(`/c/${chatId}`)
    await answers(there).filter({ hasText: 'You said: Common ground' }).waitFor()
    on.provider.reply({ chunks: words(200), delayMs: 20 })
    await say(here, 'Too late')
    await stop(there).waitFor()
    await there.getByRole('button', { name: 'Options for Common ground' }).click()
    await there.getByRole('menuitem', { name: 'Delete' }).click()
    const listed = (page: Page) => page.getByRole('link', { name: 'Common ground' })
    for (const page of [here, there]) {
      await listed(page).waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).pathname, patiently).toBe('/')
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), patiently).toBe(0)
      expect(await questions(page).count()).toBe(0)
    }
    expect((await person.api.get(`/api/chat/history/${chatId}`)).status).toBe(404)
    await there.getByRole('button', { name: 'Undo' }).click()
    for (const page of [here, there]) {
      await listed(page).click()
      await expect
        .poll(async () => {
          const { messages, generating } = await stored(chatId)
          const shown = await answers(page).allTextContents()
          const kept = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content.trim())
          const whole = kept.every((text, index) => shown[index]?.replace(/\s+/g, ' ').includes(text))
          return generating === undefined && whole && kept.length === shown.length
        }, patiently)
        .toBe(true)
      expect(await questions(page).count()).toBe(2)
    }
  })

  itWhereItApplies(
    'is told that live updates have stopped after twenty attempts, and resumes them on request',
    async () => {
      const device = await newVisitor(on.browser, on.system.url)
      devices.push(device)
      const { page } = device
      await signInPage(device.page, person)
      let tries = 0
      let closed = true
      await page.routeWebSocket(/socket\.io/, (socket) => {
        tries += 1
        if (closed) void socket.close()
        else socket.connectToServer()
      })
      await device.installClock()
      await page.goto('/')
      await composer(page).waitFor()
      const notice = page.getByText('Live updates have stopped.')
      await expect
        .poll(
          async () => {
            // A longer jump looks like a machine waking from sleep, after which the attempts start over.
            await page.clock.fastForward(3_900)
            return await notice.count()
          },
          { timeout: 60_000, interval: 50 },
        )
        .toBe(1)
      expect(tries).toBe(21)
      closed = false
      await page.getByRole('button', { name: 'Reconnect' }).click()
      await notice.waitFor({ state: 'detached' })
      const accept = { headers: { accept: 'application/json' } }
      await person.api.post('/api/chat', { message: 'Begun elsewhere', model: 'v3' }, accept)
      await page.getByRole('link', { name: 'Begun elsewhere' }).waitFor()
      expect(tries).toBe(22)
    },
  )

  it('recovers from a network outage, which is shown meanwhile', async () => {
    const { port, hostname } = new URL(on.system.url)
    const proxy = await startFaultProxy({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) })
    const page = await arrive('/', proxy.url)
    const chunks = words(120)
    on.provider.reply({ chunks, delayMs: 20 })
    await say(page, 'Through a tunnel')
    await answers(page).filter({ hasText: 'word9' }).waitFor()
    const line = await page.context().newCDPSession(page)
    const network = (offline: boolean) =>
      line.send('Network.emulateNetworkConditions', {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
    await network(true)
    proxy.cutNow()
    await page.getByText('You’re offline.').waitFor()
    await waitUntil(() => on.provider.calls[0]?.finishedAt, 'the end of the answer')
    await network(false)
    await hear(page, 'word119')
    expect(await shownText(page)).toContain(chunks.join('').trim())
    await page.getByText('You’re offline.').waitFor({ state: 'detached' })
    expect(await page.getByText(/interrupted|Sorry|Not sent/).count()).toBe(0)
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0)
    // Only what happens from now on is announced.
    await page.waitForURL(/\/c\//)
    await person.api.put(`/api/chat/history/${chatIdOf(page)}/rename`, { title: 'Out of the tunnel' })
    await page.getByRole('link', { name: 'Out of the tunnel' }).waitFor()
    await proxy.close()
  })

  it('recovers after the page was frozen in the middle of an answer', async () => {
    const page = await arrive()
    const chunks = words(100)
    on.provider.reply({ chunks, delayMs: 20 })
    await say(page, 'Asleep')
    await answers(page).filter({ hasText: 'word9' }).waitFor()
    const line = await page.context().newCDPSession(page)
    await line.send('Page.setWebLifecycleState', { state: 'frozen' })
    await waitUntil(() => on.provider.calls[0]?.finishedAt, 'the end of the answer')
    await line.send('Page.setWebLifecycleState', { state: 'active' })
    await hear(page, 'word99')
    expect(await shownText(page)).toContain(chunks.join('').trim())
    expect(await page.getByText(/interrupted|Sorry|Connection lost/).count()).toBe(0)
  })

  it('loses the live connection at sign-out', async () => {
    const page = await arrive()
    const reconnected = page.waitForEvent('websocket')
    await page.reload()
    const socket = await reconnected
    // Without a failure where the connection was not established yet.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await page.getByRole('button', { name: `live${people}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await closed
    await page.getByRole('button', { name: `live${people}` }).waitFor({ state: 'detached' })
  })
})
