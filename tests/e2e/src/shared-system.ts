import { defaultSettings, type SettingsPatch } from '@parley/contracts'
import { waitUntil } from '@parley/testing'
import { startOidcProvider } from '@parley/testing/oidc-provider'
import type { Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import { newVisitor, openBrowser, screenshot, type Visitor } from './browser.ts'
import { asAdmin, configure } from './people.ts'
import type { System } from './system.ts'
import { startTooledSystem } from './tooled-system.ts'

/** The system and the browser shared by all test files of one worker. */
export type SharedSystem = Awaited<ReturnType<typeof openSharedSystem>>

const client = { client_id: 'parley', client_secret: 'what parley and the provider know', redirect_uris: [] }

async function openSharedSystem() {
  const signOn = await startOidcProvider({ clients: [client], accounts: [] })
  const [tooled, browser] = await Promise.all([
    startTooledSystem({
      // Lets pages state their client address.
      TRUSTED_PROXIES: '127.0.0.1/32',
      OIDC_ISSUER: signOn.issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_LABEL: 'Continue with the company',
    }),
    openBrowser(),
  ])
  const { provider, search, quotes } = tooled
  const scripts = { search: search.script, quotes: quotes.script }
  signOn.allowRedirect(client.client_id, `${tooled.system.url}/auth/callback`)
  return {
    get system() {
      return tooled.system
    },
    provider,
    search,
    quotes,
    browser,
    /** The only accounts are those that a file adds with `know`. */
    signOn,
    startAgain: tooled.startAgain,
    /** Call it first in a test file: the system runs, no script is left, every model is enabled, and settings are the defaults plus these. */
    async begin(settings?: SettingsPatch): Promise<void> {
      // A failed test may have left the system killed.
      if (!(await isUp(tooled.system.url))) await tooled.startAgain()
      provider.reset()
      search.script = scripts.search
      quotes.script = scripts.quotes
      const { rateLimits, ...initial } = defaultSettings
      await configure(tooled.system, { ...initial, ...settings })
      await enableModels(tooled.system)
      const { weeklyLimit } = { ...initial.guest, ...settings?.guest }
      await waitUntil(async () => (await guestLimit(tooled.system.url)) === weeklyLimit, 'the settings')
    },
    async close(): Promise<void> {
      await browser.close()
      await tooled.close()
      await signOn.close()
    },
  }
}

/** A failed test may have left models disabled. */
async function enableModels(system: System): Promise<void> {
  const admin = await asAdmin(system)
  const { status, text } = await admin.api.patch('/api/admin/models', { enabled: true })
  await admin.close()
  if (status !== 200) throw new Error(`models: ${text}`)
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/api/auth/config`).then(
    ({ ok }) => ok,
    () => false,
  )

/** As seen by the service that counts guests' messages, which hears of changed settings later than the one that stores them. */
async function guestLimit(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/chat/guest-info`)
  return ((await answer.json()) as { guestSession: { messageLimit: number } }).guestSession.messageLimit
}

/**
 * `it` with two fixtures. `shared`, for `it.beforeAll`, is opened for the first file of a worker. `visitor`, for `it.beforeEach` and tests, is opened for
 * each test that uses it; its visit ends with the test.
 */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which other fixtures it needs.
  .extend('shared', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const shared = await openSharedSystem()
    onCleanup(() => shared.close())
    return shared
  })
  .extend('visitor', async ({ shared, task }, { onCleanup }) => {
    const visitor = await newVisitor(shared.browser, shared.system.url)
    onCleanup(() => endVisit(visitor, task))
    return visitor
  })

/** Ends a test's visit: takes a screenshot and prints what the page shows if the test failed, and expects no page errors and no requests to other origins. */
export async function endVisit(visitor: Visitor, task: TestContext['task']): Promise<void> {
  if (task.result?.state === 'fail') {
    await screenshot(visitor.page, `failed ${task.name}`)
    console.log(`failed: ${task.name}: ${await outline(visitor.page)}`)
  }
  await visitor.leave()
  expect(visitor.errors).toEqual([])
  expect(visitor.foreignRequests).toEqual([])
}

/** What a page shows, as its accessibility tree; at most 6,000 characters. */
async function outline(page: Page): Promise<string> {
  try {
    return (await page.locator('body').ariaSnapshot({ timeout: 5_000 })).slice(0, 6_000)
  } catch (error) {
    return `no outline: ${String(error)}`
  }
}
