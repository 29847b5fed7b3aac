import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@parley/contracts'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Flags that stop Chromium's own requests to the internet. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of a visitor share a process, which has already compiled the application.
  '--process-per-site',
  // Test pages live too briefly for optimised code to pay off.
  '--js-flags=--no-opt,--no-maglev',
]

/** Starts the Chromium of `CHROME_PATH`, by default the system's. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: quiet })

/** The three designed viewport sizes, in CSS pixels. */
export const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
} as const

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors reported by the page; tests end by expecting none. */
  readonly errors: readonly string[]
  /** Requests to other origins. */
  readonly foreignRequests: readonly string[]
  /** Puts the clock of all pages under the test's control, by `page.clock` from then on: a context cannot remove it, so this one is not reused. */
  installClock(options?: { readonly time: Date }): Promise<void>
  /** Closes the page and clears everything this visitor stored. */
  leave(): Promise<void>
}

interface VisitorOptions {
  readonly size?: keyof typeof sizes
  readonly theme?: 'delgdark' | 'delglight'
  /** Allows the page to register its service worker; false by default. */
  readonly serviceWorker?: boolean
}

/** Contexts free for reuse, by size and origin. A new context would load and compile the whole application again. */
const spares = new WeakMap<Browser, Map<string, BrowserContext[]>>()

function sparesOf(browser: Browser, kind: string): BrowserContext[] {
  const kinds = spares.get(browser) ?? new Map<string, BrowserContext[]>()
  spares.set(browser, kinds)
  const contexts = kinds.get(kind) ?? []
  kinds.set(kind, contexts)
  return contexts
}

/** Generous, for a machine under load; nothing here asserts speed. */
const patienceMs = 60_000

async function openContext(
  browser: Browser,
  origin: string,
  { size, theme, serviceWorker }: VisitorOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: sizes[size ?? 'desktop'],
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    locale: 'en-US',
    colorScheme: theme === 'delglight' ? 'light' : 'dark',
    reducedMotion: 'reduce',
    serviceWorkers: serviceWorker ? 'allow' : 'block',
  })
  context.setDefaultTimeout(patienceMs)
  // A page controlled by a service worker would keep the worker's next version waiting.
  if (!serviceWorker) await keepProcess(context)
  return context
}

/** Open pages that no visitor uses. */
const idlePages = new WeakSet<Page>()

/** Keeps the context's renderer process alive between pages, together with the compiled application. */
async function keepProcess(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  idlePages.add(page)
  await page.goto('/icon.svg')
}

/** Clears everything the last visitor could have left in a context, except the cached application. */
async function clear(context: BrowserContext, page: Page, origin: string): Promise<void> {
  const session = await context.newCDPSession(page)
  const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage'
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes })
  await session.detach()
  await context.clearCookies()
  await context.clearPermissions()
  await context.setOffline(false)
}

/** A visitor with a browser context of their own, on no page yet. */
export async function newVisitor(browser: Browser, origin: string, options: VisitorOptions = {}): Promise<Visitor> {
  const contexts = sparesOf(browser, JSON.stringify([origin, options]))
  const used = contexts.pop()
  const context = used ?? (await openContext(browser, origin, options))
  let isReusable = true
  const page = await context.newPage()
  const { clock } = page
  Object.defineProperty(page, 'clock', {
    get() {
      if (isReusable) throw new Error('`installClock` must be called before `clock` is used')
      return clock
    },
  })
  if (used) await clear(used, page, origin)
  const { theme } = options
  if (theme !== undefined) await page.addInitScript((name) => localStorage.setItem('theme', name), theme)
  const errors: string[] = []
  const foreignRequests: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    // The console also reports refused calls and connections; the test checks how the product handles them.
    const refused = /^(Failed to load resource|WebSocket connection to)/.test(message.text())
    if (message.type() === 'error' && !refused) errors.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url())
    if (protocol.startsWith('http') && target !== new URL(origin).origin) foreignRequests.push(request.url())
  })
  return {
    page,
    context,
    errors,
    foreignRequests,
    async installClock(time) {
      isReusable = false
      await clock.install(time)
    },
    async leave() {
      if (!isReusable) return await context.close()
      await Promise.all(context.pages().map((one) => idlePages.has(one) || one.close()))
      contexts.push(context)
    },
  }
}

/** Saves a screenshot in the ignored folder `screens/`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, '../../../screens')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

interface Animation {
  readonly effect: { getComputedTiming(): { readonly endTime: unknown } } | null
  readonly playState: string
  finish(): void
}
interface StyleSheet {
  replaceSync(text: string): void
}
declare const CSSStyleSheet: new () => StyleSheet
declare const document: { adoptedStyleSheets: readonly StyleSheet[]; getAnimations(): Animation[] }
declare const dispatchEvent: (event: Event) => void
declare const StorageEvent: new (name: string, about: object) => Event
declare const localStorage: { setItem(key: string, value: string): void }

/** Applies a theme, whatever the person chose, and finishes all running animations except endless ones. */
export async function drawTheme(page: Page, theme: 'delgdark' | 'delglight'): Promise<void> {
  await page.locator('html').evaluate((html, name) => {
    // Starting and ending transitions on some thousand elements would take a second.
    const sheets = document.adoptedStyleSheets
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important }')
    if (html.getAttribute('data-theme') !== name) document.adoptedStyleSheets = [...sheets, still]
    html.setAttribute('data-theme', name)
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity)
    // Finishing a transition can start that of an element which inherits from it.
    for (let left = moving(); left.length > 0; left = moving()) for (const animation of left) animation.finish()
    document.adoptedStyleSheets = sheets
  }, theme)
}

/** Switches the page to a language of the product, as if it were chosen in another tab. */
export async function drawLocale(page: Page, locale: Locale): Promise<void> {
  await page.locator('html').evaluate((_, newValue) => {
    const key = 'app-locale'
    localStorage.setItem(key, newValue)
    dispatchEvent(new StorageEvent('storage', { key, newValue }))
  }, locale)
  await page.locator(`html[lang="${locale}"]`).waitFor({ state: 'attached' })
}
