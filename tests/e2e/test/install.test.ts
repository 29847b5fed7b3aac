import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { composer, enter, hear, registerPerson, say } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

interface Icon {
  readonly src: string
  readonly sizes: string
  readonly purpose?: string
}

describe('the installed application', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false, guest: { weeklyLimit: 1_000 } })
  })
  beforeEach(async () => {
    people += 1
    visitor = await newVisitor(on.browser, on.system.url, { serviceWorker: true })
    page = visitor.page
  })
  afterEach(({ task }) => endVisit(visitor, task))

  const arrive = async (): Promise<void> => {
    await enter(page, await registerPerson(on.system, `installer${people}`))
    await composer(page).waitFor()
  }
  const keptPaths = () =>
    page.evaluate<string[]>(`
      caches.keys().then(async (names) => {
        const opened = await Promise.all(names.map((name) => caches.open(name)))
        const keys = await Promise.all(opened.map((cache) => cache.keys()))
        return keys.flat().map(({ url }) => new URL(url).pathname)
      })
    `)
  /** Resolves once the service worker has cached the page and everything it has loaded so far. */
  const untilKept = async (): Promise<void> => {
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    await expect.poll(async () => (await keptPaths()).some((path) => path.includes('chat-screen'))).toBe(true)
  }

  it('opens offline with the draft, and caches nothing of the API, the sockets and shared pages', async () => {
    await arrive()
    await untilKept()
    await say(page, 'Hello')
    await hear(page, 'You said: Hello')
    await page.goto('/')
    await composer(page).fill('Written on the train')
    await visitor.context.setOffline(true)
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Written on the train')
    await page.getByText('You’re offline').waitFor()
    await visitor.context.setOffline(false)
    await page.getByText('You’re offline').waitFor({ state: 'detached' })
    await composer(page).press('Enter')
    await hear(page, 'You said: Written on the train')
    const kept = await keptPaths()
    expect(kept).toContain('/index.html')
    expect(
      kept.filter((path) => !/^\/(assets\/.+|index\.html|manifest\.json|first-paint\.js|icon\.svg)$/.test(path)),
    ).toEqual([])
  })

  it('opens offline for a guest, and says so instead of waiting for a sign-in', async () => {
    await page.goto('/')
    await composer(page).waitFor()
    await untilKept()
    await composer(page).fill('Written on the train')
    await visitor.context.setOffline(true)
    await page.reload()
    await page.getByText('You’re offline').waitFor()
    expect(await composer(page).inputValue()).toBe('Written on the train')
    await visitor.context.setOffline(false)
    await page.getByText('You’re offline').waitFor({ state: 'detached' })
    await composer(page).press('Enter')
    await hear(page, 'You said: Written on the train')
  })

  it('asks the server directly for the API, so that no request waits for an idle worker to start', async () => {
    await arrive()
    await untilKept()
    const source = await page.evaluate(`
      fetch('/api/models?directly').then(async (response) => {
        await response.text()
        return performance.getEntriesByName(response.url).at(-1).workerMatchedSourceType
      })
    `)
    expect(source).toBe('network')
  })

  it('announces a new version quietly, and runs it after a reload, with the draft', async () => {
    // The browser's update check bypasses this route and reaches the server.
    await visitor.context.route('**/sw.js', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()}\n// an older version` })
    })
    await arrive()
    await untilKept()
    await composer(page).fill('Not sent yet')
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())')
    await page.getByText('A new version is ready.').waitFor()
    expect(await composer(page).inputValue()).toBe('Not sent yet')
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload' }).click()
    await loaded
    await expect.poll(() => composer(page).inputValue()).toBe('Not sent yet')
    const waits = 'navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)'
    await expect.poll(() => page.evaluate(waits)).toBe(false)
  })

  it('can be installed from the account menu where the browser supports it, with a manifest whose icons exist', async () => {
    await arrive()
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await page.request.get(href ?? '')
    const { start_url, display, icons } = (await manifest.json()) as {
      start_url: string
      display: string
      icons: Icon[]
    }
    expect([manifest.status(), start_url, display]).toEqual([200, '/', 'standalone'])
    expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ])
    for (const { src } of icons) {
      const icon = await page.request.get(src)
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png'])
    }
    const account = page.getByRole('button', { name: /^installer/ })
    await account.click()
    const entry = page.getByRole('menuitem', { name: 'Install the app' })
    expect(await entry.count()).toBe(0)
    await page.keyboard.press('Escape')
    // Simulates a browser that offers installation; headless ones never do.
    await page.evaluate(`
      window.asked = 0
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => { window.asked += 1 } }))
    `)
    await account.click()
    await entry.click()
    expect(await page.evaluate('window.asked')).toBe(1)
    await account.click()
    await page.getByRole('menuitem', { name: 'API documentation' }).waitFor()
    expect(await entry.count()).toBe(0)
  })
})
