import type { SharedChat } from '@parley/contracts'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

declare const getComputedStyle: (element: unknown) => { readonly color: string; readonly backgroundColor: string }

const id = '00000000000000000000c0de'
const at = '2026-01-05T10:00:00.000Z'
const later = '2026-01-05T11:00:00.000Z'
const words = 'It says a **little** more than nothing. '.repeat(20)
const long: SharedChat = {
  id,
  title: 'A long shared chat',
  sharedAt: at,
  model: 'DeepSeek V3',
  messages: Array.from({ length: 50 }, (_, nth) =>
    nth % 2 === 0
      ? { role: 'user', content: `Question ${nth}`, createdAt: at }
      : { role: 'assistant', content: `Answer ${nth}. ${words}`, createdAt: at },
  ),
}

describe('the page of a shared chat', () => {
  let on: SharedSystem
  let reader: Visitor

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  beforeEach(async () => {
    reader = await newVisitor(on.browser, on.system.url, { size: 'phone' })
  })
  afterEach(({ task }) => endVisit(reader, task))

  it('shows the first messages of a long chat before rendering the rest, and all of them once the page is idle', async () => {
    const { page } = reader
    await page.addInitScript(`
      const waiting = new Set()
      globalThis.requestIdleCallback = (act) => void waiting.add(act)
      globalThis.cancelIdleCallback = () => undefined
      globalThis.letBeIdle = () => {
        globalThis.requestIdleCallback = (act) => setTimeout(act)
        for (const act of waiting) act()
      }
    `)
    await page.route(`**/api/share/${id}?*`, (route) => route.fulfill({ json: long }))
    await page.goto(`/s/${id}`)
    await page.getByText('Answer 1.').waitFor()
    const messages = page.locator('ol > li')
    expect(await messages.count()).toBeLessThan(20)
    expect(await page.evaluate<boolean>("document.querySelector('ol').scrollHeight > innerHeight")).toBe(true)
    await page.evaluate('letBeIdle()')
    await page.getByText('Answer 49.').waitFor()
    expect(await messages.count()).toBe(50)
  })

  it('prints all that was read, black on white in a dark theme, without controls, and with long lines wrapped', async () => {
    const { page } = reader
    const code = `\`\`\`js\n${'wide '.repeat(80)}\n\`\`\``
    const messages = [...long.messages, { role: 'assistant' as const, content: `The end.\n\n${code}`, createdAt: at }]
    await page.route(`**/api/share/${id}?*`, (route) => route.fulfill({ json: { ...long, messages } }))
    await page.goto(`/s/${id}`)
    await page.getByText('Answer 49.').waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delgdark')
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulateMedia({ media: 'print' })
    // Without motion every change is a transition, if the shortest.
    const pale = () =>
      page
        .locator('h1, h1 + p, article > div, article p, article strong, footer')
        .evaluateAll((drawn) =>
          drawn
            .filter((element) => !/^rgb\((0, 0, 0|51, 51, 51|85, 85, 85)\)$/.test(getComputedStyle(element).color))
            .map(({ outerHTML }) => outerHTML.slice(0, 120)),
        )
    await expect.poll(pale).toEqual([])
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    expect(await page.locator('button, select').filter({ visible: true }).count()).toBe(0)
    const wide = await page.locator('pre').evaluateAll((all) => all.map((pre) => pre.scrollWidth <= pre.clientWidth))
    expect(wide).toEqual([true])
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
  })

  it('prints nothing of a chat of several pages while one of them fails, says so, and prints them all once it loads', async () => {
    const { page } = reader
    let fails = true
    await page.addInitScript(`globalThis.print = () => {
      globalThis.printed = document.querySelectorAll('ol > li').length
    }`)
    await page.route(`**/api/share/${id}?*`, (route) => {
      const isFirst = new URL(route.request().url()).searchParams.get('page') === '0'
      if (fails && !isFirst) return route.fulfill({ status: 503, json: { error: 'Away', code: 'unavailable' } })
      return route.fulfill({ json: { ...long, pages: 2 } })
    })
    await page.goto(`/s/${id}`)
    const print = page.getByRole('button', { name: 'Print', exact: true })
    await print.click()
    const alert = page.getByRole('alert').filter({ hasText: 'The chat couldn’t be loaded completely' })
    await alert.waitFor()
    expect(await page.evaluate('globalThis.printed')).toBeUndefined()
    fails = false
    await print.click()
    await expect.poll(() => page.evaluate('globalThis.printed')).toBe(100)
    expect(await alert.count()).toBe(0)
  })

  it('shows the renewed chat from its beginning when its link is renewed while its pages are read', async () => {
    const { page } = reader
    let isRenewed = false
    await page.route(`**/api/share/${id}?*`, (route) => {
      isRenewed ||= new URL(route.request().url()).searchParams.get('page') !== '0'
      const content = isRenewed ? 'Renewed' : 'Former'
      const messages = long.messages.map((message) => ({ ...message, content }))
      return route.fulfill({ json: { ...long, messages, pages: 2, sharedAt: isRenewed ? later : at } })
    })
    await page.goto(`/s/${id}`)
    const shown = async (content: string) => {
      await page.getByRole('button', { name: 'Print', exact: true }).scrollIntoViewIfNeeded()
      return await page.locator('ol > li').filter({ hasText: content }).count()
    }
    await expect.poll(() => shown('Renewed')).toBe(100)
    expect(await shown('Former')).toBe(0)
  })

  it('requests the chat while its texts are still loading', async () => {
    const { page } = reader
    const texts = Promise.withResolvers<void>()
    await page.route('**/assets/en-*.js', async (route) => {
      await texts.promise
      await route.continue()
    })
    const asked = Promise.withResolvers<void>()
    let calls = 0
    await page.route(`**/api/share/${id}?*`, (route) => {
      calls += 1
      asked.resolve()
      return route.fulfill({ json: long })
    })
    await page.goto(`/s/${id}`, { waitUntil: 'commit' })
    await asked.promise
    expect(await page.locator('#root > *').count()).toBe(0)
    texts.resolve()
    await page.getByText('Answer 1.').waitFor()
    expect(calls).toBe(1)
  })
})
