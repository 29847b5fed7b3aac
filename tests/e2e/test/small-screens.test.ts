import type { Hierarchy } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect } from 'vitest'
import { drawLocale, newVisitor, type Visitor } from '../src/browser.ts'
import { intercept } from '../src/intercept.ts'
import { adminPerson, composer, enter, hear, registerPerson, say } from '../src/people.ts'
import { mockAdministration } from '../src/scenes/administration.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let visitor: Visitor
let page: Page

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
})
afterEach(({ task }) => endVisit(visitor, task))

const arrive = async (): Promise<void> => {
  visitor = await newVisitor(on.browser, on.system.url, { size: 'phone' })
  page = visitor.page
}
const bottomOf = async (name: string): Promise<number> => {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox()
  return box === null ? Number.NaN : box.y + box.height
}

describe('a phone', () => {
  it('has room in its header for the model, what is to be said of the provider, and the title', async () => {
    await arrive()
    await enter(page, await registerPerson(on.system, 'narrow'))
    await intercept(page, '/chat/models/hierarchy', async (call) => {
      const { status, json } = await call.fetch()
      const { providers, ...rest } = json as Hierarchy
      const noticed = providers.map((provider) => ({ ...provider, notice: 'Answers are kept for a week' }))
      return { status, json: { ...rest, providers: noticed } }
    })
    await page.reload()
    await say(page, 'Gardens in winter')
    await hear(page, 'You said: Gardens in winter')
    const boxes = [
      page.getByRole('button', { name: /^Model: / }),
      page.getByTitle('Answers are kept for a week'),
      page.getByRole('heading', { name: 'Gardens in winter', level: 1 }),
    ].map((shown) => shown.boundingBox())
    const widths = (await Promise.all(boxes)).map((box) => box?.width ?? 0)
    expect(Math.min(...widths)).toBeGreaterThan(40)
  })

  it('keeps the preferences in their places when the models arrive', async () => {
    await arrive()
    const loaded = Promise.withResolvers<'continue'>()
    await intercept(page, '/chat/models/hierarchy', () => loaded.promise)
    await enter(page, await registerPerson(on.system, 'placed'), '/profile/preferences')
    const placeOf = async () => (await page.getByRole('heading', { name: 'Chats' }).boundingBox())?.y ?? Number.NaN
    const before = await placeOf()
    loaded.resolve('continue')
    await page.getByLabel('Default text model').waitFor()
    expect(Math.abs((await placeOf()) - before)).toBeLessThan(4)
  })

  it('keeps the button that sends at the end of the composer, also below a note', async () => {
    await arrive()
    await enter(page, await registerPerson(on.system, 'noted'))
    const placeOf = async () => {
      const box = await page.getByRole('button', { name: 'Send message' }).boundingBox()
      return box === null ? Number.NaN : box.x
    }
    await composer(page).fill('Short')
    const before = await placeOf()
    await composer(page).fill('x'.repeat(100_001))
    await expect.poll(() => page.locator('#composer-note').textContent()).not.toBe('')
    expect(await placeOf()).toBeCloseTo(before, 0)
  })

  it('keeps the margin beside the tiers of keys, in German, too', async () => {
    await arrive()
    await enter(page, await adminPerson(on.system), '/admin/keys')
    const tiers = page.getByRole('table').last()
    await tiers.getByText('60 per minute').waitFor()
    for (const locale of ['en', 'de', 'fr'] as const) {
      await drawLocale(page, locale)
      const box = await tiers.locator('..').boundingBox()
      expect(390 - (box?.x ?? 0) - (box?.width ?? 0), locale).toBeCloseTo(box?.x ?? Number.NaN, 0)
    }
  })

  it.for([
    { path: '/admin', shown: '24% of all' },
    { path: '/admin/users/user-3', shown: 'person-3@example.org' },
    { path: '/admin/keys', shown: 'Report 1' },
  ])('moves nothing on $path when the values arrive', async ({ path, shown }) => {
    await arrive()
    await page.addInitScript(`
      globalThis.moved = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.moved += value
      }).observe({ type: 'layout-shift', buffered: true })
    `)
    await mockAdministration(page)
    const calm = { services: [], breakers: [], deadLetters: [], certificates: [] }
    await intercept(page, '/admin/health', () => ({ json: calm }))
    const [asked, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<'continue'>()]
    await intercept(page, '/admin/**', () => {
      asked.resolve()
      return loaded.promise
    })
    await enter(page, await adminPerson(on.system), path)
    await asked.promise
    const painted = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    await painted()
    loaded.resolve('continue')
    await page.getByText(shown).first().waitFor()
    await painted()
    expect(await page.evaluate<number>('moved')).toBeLessThanOrEqual(0.05)
  })

  it('shows a model’s answer to a test as Markdown in a box that leaves the buttons in reach', async () => {
    await arrive()
    await enter(page, await adminPerson(on.system), '/admin/models')
    await intercept(page, '/admin/models/test', () => ({
      json: { ok: true, latencyMs: 12, text: `## Tested\n\n${'A long answer. '.repeat(400)}` },
    }))
    await page.locator('[data-row] th button').first().click()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('status').getByRole('heading', { name: 'Tested' }).waitFor()
    expect(await bottomOf('Save model')).toBeLessThanOrEqual(844)
    const top = (await page.getByText('Answered in 12 ms').boundingBox())?.y ?? 0
    expect(top).toBeGreaterThan(844 / 2)
  })
})

describe('the filters of the memories', () => {
  it.for([390, 720, 1_440])('show their texts in full at a width of %i', async (width) => {
    await arrive()
    await page.setViewportSize({ width, height: 844 })
    await enter(page, await registerPerson(on.system, `filters-${width}`), '/profile/memory')
    for (const locale of ['en', 'de', 'ar'] as const) {
      await drawLocale(page, locale)
      const cut = await page
        .getByRole('main')
        .locator('select')
        .filter({ visible: true })
        .evaluateAll((selects) =>
          selects
            .map((select) => {
              const shown = select.getBoundingClientRect().width
              const { width: before, minWidth } = select.style
              Object.assign(select.style, { width: 'max-content', minWidth: 'max-content' })
              const needed = select.getBoundingClientRect().width
              Object.assign(select.style, { width: before, minWidth })
              return { needed, shown }
            })
            .filter(({ needed, shown }) => needed > shown + 1),
        )
      expect(cut, locale).toEqual([])
    }
  })
})

describe('the settings on a phone', () => {
  const isInView = () =>
    page
      .getByRole('navigation')
      .filter({ visible: true })
      .locator('[aria-current="page"]')
      .evaluate((link) => {
        const [entry, bar] = [link.getBoundingClientRect(), link.parentElement?.getBoundingClientRect()]
        return bar !== undefined && bar.width < 400 && entry.left >= bar.left && entry.right <= bar.right
      })

  it('show the active section in the bar of sections, also of another section and in another language', async () => {
    await arrive()
    await enter(page, await registerPerson(on.system, 'scroller'), '/profile/memory')
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor()
    await expect.poll(isInView).toBe(true)
    for (const locale of ['fr', 'ar', 'ja', 'de'] as const) {
      await drawLocale(page, locale)
      await expect.poll(isInView, { message: locale }).toBe(true)
    }
    await page
      .locator('a[aria-current="page"] ~ a, a:has(~ a[aria-current="page"])')
      .filter({ visible: true })
      .first()
      .click()
    await page.waitForURL('**/profile')
    await expect.poll(isInView).toBe(true)
    expect(await page.locator('html').evaluate((root) => root.scrollTop)).toBe(0)
  })
})

describe('a phone on its side', () => {
  const turn = () => page.setViewportSize({ width: 844, height: 390 })

  it('leaves about two thirds to the thread, however much is written', async () => {
    await arrive()
    await turn()
    await enter(page, await registerPerson(on.system, 'turned'))
    await say(page, 'Short')
    await hear(page, 'You said: Short')
    await composer(page).fill('One line\n'.repeat(20))
    const box = await composer(page).boundingBox()
    expect(390 - (box?.y ?? 0)).toBeLessThanOrEqual(390 * 0.36)
    await page.getByText('You said: Short').waitFor()
  })

  it('shows the active section in the list of sections of the administration, beside the content and in the drawer', async () => {
    const isInView = () =>
      page
        .getByRole('navigation', { name: 'Administration sections' })
        .locator('[aria-current="page"]')
        .evaluate((link) => {
          const entry = link.getBoundingClientRect()
          return entry.top >= 0 && entry.bottom <= 390
        })
    await arrive()
    await turn()
    await enter(page, await adminPerson(on.system), '/admin/audit')
    await expect.poll(isInView).toBe(true)
    await page.setViewportSize({ width: 667, height: 390 })
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await expect.poll(isInView).toBe(true)
  })

  it('has every section of the settings in reach, and the button that signs in', async () => {
    await arrive()
    await turn()
    await enter(page, await registerPerson(on.system, 'turned-too'), '/profile')
    // A tap fails on what lies below something else.
    await page
      .getByRole('navigation', { name: 'Settings sections' })
      .getByRole('link', { name: 'Memory' })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor()
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await bottomOf('Sign in')).toBeLessThanOrEqual(390)
  })
})

it.each([
  ['phone', [360, 390]],
  ['desktop', [390, 640, 820, 1024, 1280]],
] as const)('a %s shows the whole price beside three modes, in Japanese, too', async (size, widths) => {
  visitor = await newVisitor(on.browser, on.system.url, { size })
  page = visitor.page
  await intercept(page, '/chat/tools', () => ({ json: { webSearch: true, finance: true, followUps: false } }))
  const extras = JSON.stringify({ modes: ['webSearch', 'study', 'finance'] })
  await page.addInitScript(`localStorage.setItem('private:draft-extras:new', '${extras}')`)
  await enter(page, await registerPerson(on.system, `three-modes-${size}`))
  await drawLocale(page, 'ja')
  await page.getByRole('button', { name: /学習モード/ }).waitFor()
  const price = page.getByText(/^(?:1クレジット|1回あたり1)$/).filter({ visible: true })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(
        () =>
          price.evaluate((text) => {
            const [inner, outer] = [text, text.parentElement ?? text].map((box) => box.getBoundingClientRect())
            return text.scrollWidth <= text.clientWidth && (inner?.left ?? 0) >= Math.floor(outer?.left ?? 0)
          }),
        { message: `${width} px` },
      )
      .toBe(true)
  }
})
