import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { button } from '../src/entrance.ts'
import { composer, enter, type Person, password, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('after a sign-out in another tab', () => {
  let on: SharedSystem
  let page: Page
  let former: Person
  let name: string
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(async ({ visitor }) => {
    people += 1
    name = `former${people}`
    former = await registerPerson(on.system, name)
    page = visitor.page
  })

  /** Creates a chat; resolves to its path. */
  const givenChat = async (title: string): Promise<string> => {
    const { body } = await former.api.post('/api/chat/history', { title, model: 'v3' })
    return `/c/${(body as { chatId: string }).chatId}`
  }
  const signOutElsewhere = async () => {
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByRole('button', { name }).first().click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await other.close()
  }

  it('no toast names a chat of the user, or offers to act on it, while one about the page stays', async () => {
    await givenChat('Secret plans')
    await enter(page, former)
    await page.getByRole('link', { name: 'Secret plans' }).hover()
    await button(page, 'Options for Secret plans').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.route('/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('/assets/app-', '/assets/app-new-') })
    })
    const news = page.getByText('A new version is ready.')
    // The page listens for it some time after its load.
    const isNewsShown = async () => {
      await page.evaluate("dispatchEvent(new Event('vite:preloadError'))")
      return await news.isVisible()
    }
    await expect.poll(isNewsShown).toBe(true)
    const toast = page.getByText('“Secret plans” was deleted')
    // A toast under the pointer, or in a hidden tab, stays.
    await toast.hover()
    await signOutElsewhere()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await toast.waitFor({ state: 'detached' })
    expect(await button(page, 'Undo').count()).toBe(0)
    expect(await news.isVisible()).toBe(true)
  })

  it('the next user is not sent to the chat that the tab showed', async () => {
    const next = `next-after-${name}`
    await registerPerson(on.system, next)
    await enter(page, former, await givenChat('Former chat'))
    await composer(page).waitFor()
    await signOutElsewhere()
    await page.waitForURL('**/login')
    await page.getByLabel(/^Username or e-?mail$/).fill(next)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Sign in').click()
    await composer(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })
})
