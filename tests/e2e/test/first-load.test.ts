import { gzipSync } from 'node:zlib'
import type { SharedChat } from '@parley/contracts'
import type { Locale } from '@parley/contracts/constants'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { newVisitor } from '../src/browser.ts'
import { answers, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

/** JavaScript that a first visit may load, in kilobytes (1,000 bytes) after gzip. */
const budgets = { composer: 170, login: 120, sharedChat: 60 } as const

interface Visit {
  readonly path: string
  /** Selector of the element that the visit waits for. */
  readonly until: string
  readonly locale?: Locale
  readonly prepare?: (page: Page) => Promise<unknown>
}

const shared: SharedChat = {
  id: '00000000000000000000c0de',
  title: 'A shared chat',
  sharedAt: '2026-01-05T10:00:00.000Z',
  model: 'DeepSeek V3',
  messages: [
    { role: 'user', content: 'What is measured?', createdAt: '2026-01-05T10:00:00.000Z' },
    {
      role: 'assistant',
      content: '# It is **measured**\n\n```js\nconst size = 60\n```\n\n| a | b |\n|---|---|\n| c | d |',
      createdAt: '2026-01-05T10:00:01.000Z',
    },
  ],
}

describe('the first load', () => {
  let on: SharedSystem
  let person: Person
  const sizes = new Map<string, Promise<number>>()

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    person = await registerPerson(on.system, 'first-loader')
  })

  const sizeOf = (url: string): Promise<number> => {
    const size = sizes.get(url) ?? fetch(url).then(async (answer) => gzipSync(await answer.bytes()).length / 1_000)
    sizes.set(url, size)
    return size
  }

  /** Kilobytes of all scripts requested before that element is shown; of all requested scripts if that moment was missed. */
  async function measure({ path, until, locale = 'en', prepare }: Visit): Promise<number> {
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    await page.addInitScript({
      content: `
        localStorage.setItem('app-locale', ${JSON.stringify(locale)})
        new MutationObserver((_, observer) => {
          if (!document.querySelector(${JSON.stringify(until)})) return
          performance.mark('there')
          observer.disconnect()
        }).observe(document, { childList: true, subtree: true })
      `,
    })
    await prepare?.(page)
    await page.goto(path)
    await page.locator(until).first().waitFor()
    await page.waitForLoadState('networkidle')
    const urls = await page.evaluate<string[]>(`
      performance.getEntriesByType('resource')
        .filter(({ startTime }) => startTime <= (performance.getEntriesByName('there')[0] ?? { startTime: Infinity }).startTime)
        .map(({ name }) => name)
        .filter((name) => name.endsWith('.js'))
    `)
    await visitor.leave()
    const each = await Promise.all(urls.map(sizeOf))
    return Math.round(each.reduce((sum, size) => sum + size, 0) * 10) / 10
  }

  /** The sizes over the budget, by language. */
  async function exceeding(budget: number, tried: readonly Locale[], visit: Visit): Promise<Record<string, number>> {
    const over: Record<string, number> = {}
    for (const locale of tried) {
      const size = await measure({ ...visit, locale })
      if (size > budget) over[locale] = size
    }
    return over
  }

  const composer = 'form textarea'
  /** The smallest and the largest catalogue. */
  const extremes: readonly Locale[] = ['en', 'ar']

  it('stays within its JavaScript budget until a guest can write', async () => {
    expect(await exceeding(budgets.composer, extremes, { path: '/', until: composer })).toEqual({})
  })

  it('stays within its JavaScript budget until a signed-in user can write', async () => {
    const prepare = (page: Page) => signInPage(page, person)
    expect(await exceeding(budgets.composer, extremes, { path: '/', until: composer, prepare })).toEqual({})
  })

  it('stays within its JavaScript budget until a visitor can sign in', async () => {
    const visit = { path: '/login', until: 'input[autocomplete~="current-password"]' }
    expect(await exceeding(budgets.login, extremes, visit)).toEqual({})
  })

  it('stays within its JavaScript budget until a shared chat with code and a table can be read', async () => {
    const prepare = (page: Page) =>
      page.route(`**/api/share/${shared.id}?*`, (route) => route.fulfill({ json: shared }))
    const visit = { path: `/s/${shared.id}`, until: 'article table td', prepare }
    expect(await exceeding(budgets.sharedChat, extremes, visit)).toEqual({})
  })

  it('shows the greeting in the visitor’s language, direction, theme and name before any application code has run', async () => {
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    await signInPage(page, person)
    await page.addInitScript("localStorage.setItem('app-locale', 'ar'); localStorage.setItem('theme', 'delglight')")
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    const root = page.locator('html[lang=ar][dir=rtl][data-theme=delglight]')
    await root.getByText('مرحبًا first-loader، كيف يمكنني المساعدة؟').waitFor()
    await page.unrouteAll()
    await page.reload()
    await page.locator(composer).waitFor()
    expect(await page.locator('#first-paint').count()).toBe(0)
    await visitor.leave()
  })

  it('hides the placeholder once it reports that the screen’s code cannot be loaded', async () => {
    // Not the fixture, which expects a page without errors.
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    await page.route('**/assets/chat-screen*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('button', { name: /try again/i }).waitFor()
    expect(await page.locator('#first-paint').isVisible()).toBe(false)
    await visitor.leave()
  })

  it('leaves out what cannot be loaded while the server is away, and adds it once it is back', async () => {
    // Not the fixture, which expects a page without errors.
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    await visitor.installClock()
    await signInPage(page, person)
    const parts = ['markdown-answer', 'account-updates', 'context-meter', 'saved-chats']
    const missing = new Set<string>()
    await page.route(/\/assets\/[\w-]+\.js$/, (route) => {
      const part = parts.find((name) => route.request().url().includes(`/${name}-`))
      if (part === undefined) return route.continue()
      missing.add(part)
      return route.abort()
    })
    await page.goto('/')
    on.provider.reply({ chunks: ['It is **bold**'] })
    await say(page, 'Without the rest')
    await answers(page).filter({ hasText: 'It is **bold**' }).waitFor()
    await expect.poll(() => [...missing].sort()).toEqual([...parts].sort())
    // Longer than a screen is waited for.
    for (let second = 0; second < 20; second += 1) await page.clock.runFor(1_000)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.unrouteAll()
    const bold = answers(page).locator('strong', { hasText: 'bold' })
    await expect.poll(async () => [await page.clock.runFor(1_000), await bold.count()]).toEqual([undefined, 1])
    await page.getByRole('link', { name: 'Without the rest' }).waitFor()
    await visitor.leave()
  })

  it('offers the new version when a file of the old one is gone from the server', async () => {
    // Not the fixture, which expects a page without errors.
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    await page.goto('/')
    await page.route('**/assets/emoji-panel-*.js', (route) => route.fulfill({ status: 404 }))
    await page.route('/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('/assets/app-', '/assets/app-new-') })
    })
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByText('A new version is ready.').waitFor()
    await page.unrouteAll()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload' }).click()
    await loaded
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByLabel('Search emoji').waitFor()
    await visitor.leave()
  })

  it('has its functions compiled while the largest chunks load, for which their first line asks', async ({
    visitor: { page },
  }) => {
    await page.goto('/')
    await page.locator(composer).waitFor()
    const urls = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\/(app|frame|chat)-[\\w-]{8}\\.js$/.test(name))`,
    )
    const firstLines = await Promise.all(urls.map(async (url) => (await (await fetch(url)).text()).split('\n', 1)[0]))
    expect(firstLines.length).toBeGreaterThanOrEqual(3)
    expect(new Set(firstLines)).toEqual(new Set(['//# allFunctionsCalledOnLoad']))
  })

  it('has no :has() on its outermost elements, with which every change of the document restyles the whole page', async ({
    visitor: { page },
  }) => {
    await signInPage(page, person)
    await page.goto('/')
    await page.locator(composer).waitFor()
    const found = await page.evaluate<string[]>(`
      const outermost = 'html, body, #root, #root > *, main'
      const rulesOf = (list) => [...list].flatMap((rule) =>
        rule.media?.mediaText === 'print' ? [] : [rule, ...rulesOf(rule.cssRules ?? [])])
      const sheets = [...document.styleSheets, ...document.adoptedStyleSheets]
      sheets.flatMap((sheet) => rulesOf(sheet.cssRules)).map(({ selectorText = '' }) => selectorText).filter((selector) => {
        const before = selector.split(',').filter((each) => each.includes(':has(')).map((each) => each.split(':has(')[0])
        return before.some((each) => [...document.querySelectorAll(outermost)].some((element) => element.matches(each || '*')))
      })
    `)
    expect(found).toEqual([])
  })

  describe('a screen before the chat', () => {
    /** The top and width of title, fields and button in the visible form. */
    const measureForm = (page: Page, title: string, field: string, submit: string) =>
      page.evaluate<Record<'top' | 'left' | 'width' | 'height', number>[]>(`
        [...document.querySelectorAll(${JSON.stringify(`${title}, ${field}, ${submit}`)})]
          .filter((element) => element.checkVisibility())
          .map((element) => element.getBoundingClientRect())
          .map(({ top, left, width, height }) => ({ top, left, width, height }))
          .map((box) => Object.fromEntries(Object.entries(box).map(([name, length]) => [name, Math.round(length)])))
      `)

    it.for([
      { path: '/login', locale: 'en', title: 'Sign in' },
      { path: '/login', locale: 'ar', title: 'تسجيل الدخول', theme: 'delglight' },
      { path: '/register', locale: 'de', title: 'Konto erstellen' },
      { path: '/password-reset', locale: 'fr', title: 'Réinitialiser votre mot de passe' },
      { path: '/password-reset?token=a&email=ada@a.example', locale: 'en', title: 'Choose a new password' },
      { path: '/login', locale: 'zh', title: '查收邮件', pending: true },
    ] as const)(
      'shows its form at $path in $locale before any application code has run, which then moves nothing',
      async ({ path, locale, title, ...options }) => {
        const { theme = 'delgdark', pending = false } = { ...options } as { theme?: string; pending?: boolean }
        const visitor = await newVisitor(on.browser, on.system.url, { size: 'phone' })
        const { page } = visitor
        await page.addInitScript({
          content: `
          localStorage.setItem('app-locale', ${JSON.stringify(locale)})
          localStorage.setItem('theme', ${JSON.stringify(theme)})
          if (${pending}) sessionStorage.setItem('private:verification', '{"username":"ada","sentAt":1}')
          globalThis.moved = 0
          new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) globalThis.moved += value
          }).observe({ type: 'layout-shift', buffered: true })
        `,
        })
        const loading = Promise.withResolvers<void>()
        await page.route('**/assets/*.js', async (route) => {
          await loading.promise
          await route.continue()
        })
        await page.goto(path, { waitUntil: 'commit' })
        const root = page.locator(`html[lang=${locale}][dir=${locale === 'ar' ? 'rtl' : 'ltr'}][data-theme=${theme}]`)
        await root.locator('.first-title', { hasText: title }).filter({ visible: true }).waitFor()
        // Nothing is painted before the style sheets are there.
        const paints = () => page.evaluate<number>("performance.getEntriesByName('first-contentful-paint').length")
        await expect.poll(paints).toBeGreaterThan(0)
        expect(await page.locator('input, h1').count()).toBe(0)
        const before = await measureForm(page, '.first-title', '.first-field', '.first-submit')
        expect(before.length).toBeGreaterThan(2)
        loading.resolve()
        await page.getByRole('heading', { name: title, exact: true }).waitFor()
        expect(await page.locator('#first-paint').count()).toBe(0)
        const fields = pending ? 'fieldset input' : 'form div:has(> input)'
        expect(await measureForm(page, 'h1', fields, 'button[type=submit]')).toEqual(before)
        expect(await page.evaluate<number>('moved')).toBeLessThanOrEqual(0.02)
        await visitor.leave()
      },
    )
  })

  it('lets Escape cancel a menu whose items are still loading', async () => {
    const visitor = await newVisitor(on.browser, on.system.url)
    const { page } = visitor
    const loading = Promise.withResolvers<void>()
    await page.route('**/assets/account-choices*.js', async (route) => {
      await loading.promise
      await route.continue()
    })
    await page.goto('/')
    await page.locator(composer).waitFor()
    const account = page.getByRole('button', { name: /^Guest/ })
    await account.click()
    await page.keyboard.press('Escape')
    expect(await account.getAttribute('aria-expanded')).toBe('false')
    loading.resolve()
    await account.click()
    await page.getByRole('menuitem', { name: 'API documentation' }).waitFor()
    expect(await account.getAttribute('aria-expanded')).toBe('true')
    await visitor.leave()
  })
})
