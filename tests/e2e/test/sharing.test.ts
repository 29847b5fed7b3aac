import type { ShareBody } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, type Visitor } from '../src/browser.ts'
import { intercept } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { composer, enter, hear, registerPerson, say } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

describe('a shared chat', () => {
  let on: SharedSystem
  let owner: Visitor
  let stranger: Visitor
  /** Makes names unique when a test is retried. */
  let nth = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  beforeEach(async () => {
    nth += 1
    on.provider.reset()
    owner = await newVisitor(on.browser, on.system.url)
    stranger = await newVisitor(on.browser, on.system.url, { size: 'phone' })
  })
  afterEach(async ({ task }) => {
    await endVisit(owner, task)
    await endVisit(stranger, task)
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share chat' })

  async function begin(name: string): Promise<void> {
    await enter(owner.page, await registerPerson(on.system, name), '/')
    await say(owner.page, 'Who is reached at ada@secret.example?')
    await hear(owner.page, 'You said: Who is reached at')
  }
  async function toReportCopied(): Promise<void> {
    const reports = dialogOf(owner.page).locator('[role=status]:not(:empty), [role=alert]')
    await reports.first().waitFor()
    expect(await reports.allTextContents()).toEqual([expect.stringMatching(/Link copied|couldn’t be copied/)])
  }
  /** Creates or renews the link in the open dialog; resolves to its address. */
  async function makeLink(label: 'Create link' | 'Update link'): Promise<string> {
    await dialogOf(owner.page).getByText('What others will see').waitFor()
    await button(owner.page, label).click()
    await toReportCopied()
    return await dialogOf(owner.page).getByLabel('Link', { exact: true }).inputValue()
  }

  it('is read by a stranger without what its owner hid, continued after signing in, and gone when it is revoked', async () => {
    await begin(`sharer${nth}`)
    on.provider.reply({ text: 'Pythagoras: $$a^2+b^2=c^2$$' })
    await say(owner.page, 'And a formula?')
    await hear(owner.page, 'Pythagoras')
    await button(owner.page, 'Share chat').click()
    await dialogOf(owner.page).getByText('Email address').waitFor()
    await dialogOf(owner.page).locator('.katex').waitFor()
    const link = await makeLink('Create link')
    const { page } = stranger
    await page.goto(link)
    await page.getByText('Shared today').waitFor()
    await page.getByText('DeepSeek v3', { exact: true }).waitFor()
    await page.getByText('You said: Who is reached at █████?').waitFor()
    await page.locator('.katex').waitFor()
    expect(await page.content()).not.toMatch(/ada@secret|sharer/)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

    const reader = await registerPerson(on.system, `link-reader${nth}`)
    await enter(page, reader, new URL(link).pathname)
    await button(page, 'Continue this chat').click()
    await page.waitForURL(/\/c\//)
    await say(page, 'And then?')
    await hear(page, 'You said: And then?')

    await owner.page.goto('/profile')
    await button(owner.page, 'Stop sharing all').click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Stop sharing all' }).click()
    await owner.page.getByText('You aren’t sharing any chats.').waitFor()
    await page.goto(link)
    await page.getByText('Invalid share link.').waitFor()
  })

  it('leaves the focus on the next link when it is revoked, and on the reason for an empty list when it was the last one', async () => {
    const person = await registerPerson(on.system, `sharer${nth}`)
    for (const message of ['First', 'Second', 'Third']) {
      const accept = { headers: { accept: 'application/json' } }
      const { body } = await person.api.post('/api/chat', { message, model: 'v3' }, accept)
      const { chatId } = body as { chatId: string }
      await person.api.put(`/api/chat/history/${chatId}/rename`, { title: message })
      expect((await person.api.post('/api/share', { chatId })).status).toBeLessThan(300)
    }
    const { page } = owner
    await enter(page, person, '/profile')
    const links = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Stop sharing “/ }) })
    await expect.poll(() => links.count()).toBe(3)
    for (const [revoked, next] of [
      ['Second', 'First'],
      ['First', 'Third'],
    ]) {
      await button(page, `Stop sharing “${revoked}”`).press('Enter')
      await button(page, `Stop sharing “${revoked}”`).waitFor({ state: 'detached' })
      await toHaveFocus(page.locator('[data-row]').filter({ hasText: String(next) }))
    }
    await button(page, 'Stop sharing “Third”').press('Enter')
    await toHaveFocus(page.getByText('You aren’t sharing any chats.'))
  })

  it('shows a hundred of its possibly private texts, and the others on request, of which the first gets the focus', async () => {
    const person = await registerPerson(on.system, `sharer${nth}`)
    const message = Array.from({ length: 150 }, (_, at) => `ada${at}@secret.example`).join(' ')
    const accept = { headers: { accept: 'application/json' } }
    const { body } = await person.api.post('/api/chat', { message, model: 'v3' }, accept)
    await enter(owner.page, person, `/c/${(body as { chatId: string }).chatId}`)
    await button(owner.page, 'Share chat').click()
    const found = dialogOf(owner.page).getByRole('group', { name: 'Possibly private' })
    const boxes = found.getByRole('checkbox')
    await expect.poll(() => boxes.count()).toBe(100)
    await found.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect.poll(() => boxes.count()).toBe(150)
    await toHaveFocus(boxes.nth(100))
    expect(await found.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it('is previewed once it is known what visitors would see, and is copied although the links cannot be loaded afterwards', async () => {
    await begin(`sharer${nth}`)
    const { page } = owner
    const redacted = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await intercept(page, '/share/preview', async ({ body }): Promise<'continue'> => {
      if ((body as ShareBody).redact === undefined) return 'continue'
      redacted.resolve()
      await released.promise
      return 'continue'
    })
    await button(page, 'Share chat').click()
    await redacted.promise
    expect(await button(page, 'Create link').count()).toBe(0)
    released.resolve()
    await dialogOf(page).getByText('You said: Who is reached at █████?').waitFor()
    await intercept(page, '/share?chatId=*', () => 'hang')
    await button(page, 'Create link').click()
    await toReportCopied()
  })

  it('requires its password from a stranger, and ends when its chat is deleted, which announces that', async () => {
    await begin(`sharer${nth}`)
    await button(owner.page, 'Share chat').click()
    await dialogOf(owner.page).getByLabel('Require a password').check()
    await dialogOf(owner.page).getByLabel('Password', { exact: true }).fill('ümläut 1')
    const link = await makeLink('Create link')
    const { page } = stranger
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await button(page, 'Open chat').click()
    await page.getByText('Incorrect password. Try again.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('ümläut 1')
    await button(page, 'Open chat').click()
    await page.getByText('You said: Who is reached at █████?').waitFor()

    await owner.page.keyboard.press('Escape')
    await composer(owner.page).waitFor()
    await owner.page.getByRole('button', { name: /^Options.*Who is reached/ }).click()
    await owner.page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await owner.page.getByText('its shared link no longer works').waitFor()
    await page.reload()
    await page.getByText('Invalid share link.').waitFor()
  })

  it('keeps the day on which it ends when it is updated, and is not made anew while it is unknown whether there is one', async () => {
    await begin(`sharer${nth}`)
    const { page } = owner
    await button(page, 'Share chat').click()
    const expiry = dialogOf(page).getByLabel('Expires', { exact: true })
    await expiry.selectOption('7')
    await makeLink('Create link')
    let isLost = true
    await intercept(page, '/share?chatId=*', () => (isLost ? { status: 500 } : 'continue'))
    await page.reload()
    await button(page, 'Share chat').click()
    await dialogOf(page).getByText('Your shared links couldn’t be loaded.').waitFor()
    expect(await button(page, 'Create link').count()).toBe(0)
    isLost = false
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
    await button(page, 'Update link').waitFor()
    expect(await expiry.inputValue()).toBe('date')
    await makeLink('Update link')
    await dialogOf(page)
      .getByText(/Expires \w/)
      .waitFor()
  })

  it('is known to have a link when the newest links of its owner are of other chats', async () => {
    await begin(`sharer${nth}`)
    const { page } = owner
    await button(page, 'Share chat').click()
    const link = await makeLink('Create link')
    await intercept(page, '/share?limit=*', () => ({ json: { items: [], nextCursor: 'older' } }))
    await page.reload()
    await button(page, 'Share chat').click()
    await button(page, 'Update link').waitFor()
    expect(await dialogOf(page).getByLabel('Link', { exact: true }).inputValue()).toBe(link)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Options.*Who is reached/ }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByText('its shared link no longer works').waitFor()
  })
})
