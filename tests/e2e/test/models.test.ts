import { authRoutes, demoNotice, type Hierarchy, locales, modelRoutes } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { drawLocale, newVisitor, type Visitor } from '../src/browser.ts'
import {
  answers,
  asAdmin,
  composer,
  connectedLive,
  hear,
  type Person,
  registerPerson,
  say,
  signInPage,
} from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let admin: Awaited<ReturnType<typeof asAdmin>>
let visitor: Visitor
let page: Page
let people = 0

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  admin = await asAdmin(on.system)
})
beforeEach(async () => {
  on.provider.reset()
  await enable(true)
})
afterEach(({ task }) => endVisit(visitor, task))

/** The times at which a page requested the models, and how many of these requests have no response yet. */
interface Polling {
  readonly asked: number[]
  running: number
}

const hierarchy = '**/api/chat/models/hierarchy'
const chosen = () => page.getByRole('button', { name: /^Model: / })
const option = (name: string) => page.getByRole('option', { name })

async function enable(enabled: boolean, id?: string): Promise<void> {
  const path = id === undefined ? '/api/admin/models' : `/api/admin/models/${id}`
  expect((await admin.api.patch(path, { enabled })).status).toBe(200)
}

/** Whether every replica that serves the list has the model locked for this person: each request's new connection reaches another replica. */
async function isLockedEverywhere(id: string, { api }: Person): Promise<boolean> {
  const lists = await Promise.all(Array.from({ length: 4 }, () => api.call(modelRoutes.hierarchy)))
  return lists.every(({ body }) =>
    body.providers.some(({ groups }) =>
      groups.some(({ models }) => models.some((model) => model.id === id && model.locked)),
    ),
  )
}

async function visit(): Promise<void> {
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
}

/** Registers a new user with these preferences, without opening a page. */
async function register(preferences: { readonly defaultModel?: string } = {}): Promise<Person> {
  people += 1
  const registered = await registerPerson(on.system, `chooser${people}`)
  const { body } = await registered.api.call(authRoutes.updateProfile, { body: { preferences } })
  const person = { ...registered, user: body.user }
  await visit()
  await signInPage(visitor.page, person)
  return person
}

/** Registers a new user and opens the page, which hears of changes of the models from then on. */
async function arrive(): Promise<Person> {
  const person = await register()
  const connected = connectedLive(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
  await connected
  return person
}

describe('the selected model', () => {
  it('is replaced with a notice when an admin disables it, and the draft stays', async () => {
    await arrive()
    await composer(page).fill('Still here')
    await enable(false, 'v3')
    await page
      .getByText('Model v3 has been disabled by the admin. Switching to an available model.', { exact: true })
      .waitFor()
    expect(await chosen().getAttribute('aria-label')).not.toMatch(/DeepSeek v3|No model/)
    expect(await composer(page).inputValue()).toBe('Still here')
    await chosen().click()
    const locked = option('DeepSeek v3')
    await locked.getByText('This model is currently unavailable. Please select a different model.').waitFor()
    await locked.click({ force: true })
    expect(await locked.getAttribute('aria-selected')).toBe('false')
  })

  it('is replaced, too, when an admin disables it between the page’s load and its first live connection', async () => {
    const person = await register()
    const held = Promise.withResolvers<void>()
    await page.routeWebSocket(/socket\.io/, async (socket) => {
      await held.promise
      socket.connectToServer()
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
    await enable(false, 'v3')
    await expect.poll(() => isLockedEverywhere('v3', person)).toBe(true)
    held.resolve()
    await page.getByText('Model v3 has been disabled by the admin.').waitFor()
  })

  it('is none while all are disabled, and is chosen again once one is enabled', async () => {
    await arrive()
    await enable(false)
    await page.getByRole('button', { name: 'Model: No model available' }).waitFor()
    await composer(page).fill('Nobody there')
    await composer(page).press('Enter')
    await page.getByText('No model is available right now.', { exact: true }).waitFor()
    expect(on.provider.calls).toHaveLength(0)
    await enable(true)
    await page.getByText('A model is now available for use.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
    await composer(page).press('Enter')
    await hear(page, 'You said: Nobody there')
  })

  it('falls back from a preferred model that is locked, naming both', async () => {
    const person = await register({ defaultModel: 'v3' })
    await enable(false, 'v3')
    // A page that loads before the change has reached every replica would show another notice.
    await expect.poll(() => isLockedEverywhere('v3', person)).toBe(true)
    await page.goto('/')
    const notice = page.getByText(/^Your preferred model \(v3\) is currently locked\. Falling back to .+\.$/)
    await notice.waitFor()
    const [, name] = /Falling back to (.+)\.$/.exec((await notice.textContent()) ?? '') ?? []
    await page.getByRole('button', { name: `Model: ${name}`, exact: true }).waitFor()
  })

  it('is refused by the server when the page does not know yet that it is locked', async () => {
    const { api } = await arrive()
    const known = await (await page.request.get('/api/chat/models/hierarchy')).json()
    await page.route(hierarchy, (route) => route.fulfill({ json: known }))
    await page.reload()
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
    await enable(false, 'v3')
    await expect.poll(async () => (await api.post('/api/chat', { message: 'Now?', model: 'v3' })).status).toBe(403)
    const before = on.provider.calls.length
    await say(page, 'Answer me')
    const refused = page.getByRole('article').filter({ hasText: 'Answer me' })
    await page.getByText('This model is currently unavailable. Please select a different model.').first().waitFor()
    await refused.first().waitFor()
    expect(on.provider.calls).toHaveLength(before)
  })
})

describe('the list of models', () => {
  it('shows that it could not be loaded, and loads on retry', async () => {
    await register()
    const refusal = { error: 'Internal error', code: 'internal', requestId: 'r' }
    await page.route(hierarchy, (route) => route.fulfill({ status: 500, json: refusal }))
    // The first connection would request them, too.
    await page.routeWebSocket(/socket\.io/, () => undefined)
    await page.goto('/')
    await page.getByRole('button', { name: 'Model: Choose a model' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to load available models' })
    await failure.waitFor()
    await page.unroute(hierarchy)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await option('DeepSeek v3').waitFor()
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
  })

  it('is polled every 10 s without live updates, and not in between', async () => {
    await visit()
    await visitor.installClock()
    // Counted inside the page, because the test may learn of requests late.
    await page.addInitScript(() => {
      const polling: Polling = { asked: [], running: 0 }
      Object.assign(globalThis, { polling })
      const real = globalThis.fetch
      globalThis.fetch = async (...call: Parameters<typeof fetch>) => {
        if (!String(call[0]).endsWith('/chat/models/hierarchy')) return await real(...call)
        polling.asked.push(Date.now())
        polling.running += 1
        return await real(...call).finally(() => {
          polling.running -= 1
        })
      }
    })
    const polling = () => page.evaluate<Polling>('polling')
    await page.goto('/')
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    const before = (await polling()).asked.length
    while ((await polling()).asked.length < before + 3) {
      await expect.poll(async () => (await polling()).running).toBe(0)
      await page.clock.runFor(200)
    }
    const [first = 0, second = 0, third = 0] = (await polling()).asked.slice(before)
    for (const pause of [second - first, third - second]) {
      expect(pause).toBeGreaterThanOrEqual(9_800)
      expect(pause).toBeLessThanOrEqual(10_400)
    }
  })

  it('is not polled with live updates', async () => {
    await register()
    await visitor.installClock()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/chat/models/hierarchy')) asked += 1
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Model: DeepSeek v3' }).waitFor()
    await expect
      .poll(async () => {
        const before = asked
        await page.clock.runFor(11_000)
        return asked - before
      })
      .toBe(0)
    await enable(false, 'v3')
    await page.getByText('Model v3 has been disabled by the admin.').waitFor()
    expect(await answers(page).count()).toBe(0)
  })

  it('says on a phone, in every language and in full, that the demo answers instead', async () => {
    visitor = await newVisitor(on.browser, on.system.url, { size: 'phone' })
    page = visitor.page
    await page.route(hierarchy, async (route) => {
      const answer = await route.fetch()
      const { providers } = (await answer.json()) as Hierarchy
      await route.fulfill({ json: { providers: providers.map((each) => ({ ...each, notice: demoNotice })) } })
    })
    await page.goto('/')
    const notice = page.locator('header span[title]')
    await notice.getByText(demoNotice).waitFor()
    const parts = notice.or(notice.locator('..'))
    let said = ''
    for (const locale of locales) {
      await drawLocale(page, locale)
      await expect.poll(() => notice.innerText(), { message: locale }).not.toBe(said)
      said = await notice.innerText()
      const cut = await parts.evaluateAll((all) =>
        all.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
      )
      expect(cut, locale).toBe(false)
    }
  })
})
