import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { newVisitor } from '../src/browser.ts'
import { intercept } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import {
  adminPerson,
  composer,
  connectedLive,
  enter,
  hear,
  type Person,
  password,
  registerPerson,
  say,
  signInPage,
} from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

let on: SharedSystem
let person: Person
let page: Page
let people = 0

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
})
it.beforeEach(async ({ visitor }) => {
  on.provider.reset()
  people += 1
  person = await registerPerson(on.system, `filer${people}`)
  page = visitor.page
  await signInPage(page, person)
})

const row = (name: string, on: Page = page) => on.getByRole('link', { name, exact: true })

describe('archived chats', () => {
  const write = async (...texts: readonly string[]) => {
    const accept = { headers: { accept: 'application/json' } }
    for (const message of texts) {
      expect((await person.api.post('/api/chat', { message, model: 'v3' }, accept)).status).toBe(200)
    }
  }
  /** Chooses an item from the menu of a chat. */
  const choose = async (title: string, choice: string) => {
    await row(title).hover()
    await page.getByRole('button', { name: `Options for ${title}` }).click()
    await page.getByRole('menuitem', { name: choice, exact: true }).click()
  }
  const openArchive = async () => {
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Archived chats' }).click()
    await page.getByRole('heading', { name: 'Archived chats' }).waitFor()
  }

  it('leave the list on every device, are found in the archive, and return when a message is sent', async () => {
    await write('Filed letter', 'Open letter')
    const other = await newVisitor(on.browser, on.system.url)
    await signInPage(other.page, person)
    await other.page.goto('/')
    await row('Filed letter', other.page).waitFor()
    await page.goto('/')
    await choose('Filed letter', 'Archive')
    await page.getByText('1 chat archived').waitFor()
    for (const each of [page, other.page]) await row('Filed letter', each).waitFor({ state: 'detached' })
    const search = page.getByRole('searchbox', { name: 'Search chats' })
    await search.fill('letter')
    await page.getByText('1 chat found').waitFor()
    await page.getByRole('link', { name: 'Open letter' }).waitFor()
    await search.fill('')
    await openArchive()
    await search.fill('letter')
    await page.getByRole('link', { name: 'Filed letter' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open letter' }).count()).toBe(0)
    await search.fill('')
    await row('Filed letter').click()
    await page.getByText('This chat is archived. A new message brings it back to the list.').waitFor()
    await say(page, 'And an answer to it')
    await hear(page, 'You said: And an answer to it')
    await page.getByText('This chat is archived.').waitFor({ state: 'detached' })
    await row('Filed letter', other.page).waitFor()
    await page.getByText('No archived chats.').waitFor()
    await page.getByRole('button', { name: 'Back to chats' }).click()
    await row('Filed letter').waitFor()
    await other.leave()
  })

  it('are archived together, restored by Undo, and unarchived together', async () => {
    await write('First of three', 'Second of three', 'Third of three')
    await page.goto('/')
    const select = async (...names: readonly string[]) => {
      await page.getByRole('button', { name: 'List options' }).click()
      await page.getByRole('menuitem', { name: 'Select chats' }).click()
      for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
    }
    const bar = page.getByRole('toolbar', { name: 'Select chats' })
    await row('First of three').waitFor()
    await select('First of three', 'Second of three')
    // The bar takes the place of the search field.
    expect(await page.getByRole('searchbox', { name: 'Search chats' }).count()).toBe(0)
    await bar.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('2 chats archived').waitFor()
    await row('First of three').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Second of three').waitFor()
    await select('First of three', 'Third of three')
    await bar.getByRole('button', { name: 'Archive', exact: true }).click()
    await row('Third of three').waitFor({ state: 'detached' })
    await openArchive()
    await row('First of three').waitFor()
    expect(await row('Second of three').count()).toBe(0)
    await select('First of three', 'Third of three')
    await bar.getByRole('button', { name: 'Unarchive' }).click()
    await page.getByText('No archived chats.').waitFor()
    await page.getByRole('button', { name: 'Back to chats' }).click()
    for (const name of ['First of three', 'Second of three', 'Third of three']) await row(name).waitFor()
  })
})

describe('deleting more chats than one call takes', () => {
  it('leaves those that were not deleted in the list, still selected, when a later call fails, and says how many were', async () => {
    const at = new Date().toISOString()
    const listed = Array.from({ length: 503 }, (_, nth) => {
      const title = `Chat ${nth + 1}`
      return { _id: `c${nth}`, title, modelUsed: 'v3', createdAt: at, updatedAt: at, messageCount: 2, pinned: false }
    })
    const deleted = new Set<string>()
    await intercept(page, '/chat/history?*', () => ({ json: listed.filter(({ _id }) => !deleted.has(_id)) }))
    await intercept(page, '/chat/bulk', ({ body }) => {
      const { ids } = body as { ids: string[] }
      if (deleted.size > 0) return { status: 503, json: { error: 'No luck', code: 'unavailable', requestId: 'r1' } }
      for (const id of ids) deleted.add(id)
      return { json: { deleted: ids, notFound: [], unauthorized: [] } }
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Select chats' }).click()
    const bar = page.getByRole('toolbar', { name: 'Select chats' })
    await bar.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('checkbox', { name: 'Select Chat 1', exact: true }).uncheck()
    await bar.getByText('502 selected').waitFor()
    await bar.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('500 chats deleted. No luck').waitFor()
    await bar.getByText('2 selected', { exact: true }).waitFor()
    const left = page.getByRole('checkbox')
    await expect.poll(() => left.count()).toBe(3)
    for (const [nth, name] of ['Chat 1', 'Chat 502', 'Chat 503'].entries()) {
      expect(await left.nth(nth).getAttribute('aria-label')).toBe(`Select ${name}`)
    }
  })
})

describe('the title of a chat', () => {
  it('is generated after the first answer, on every device, once an admin has switched that on', async () => {
    const office = await newVisitor(on.browser, on.system.url)
    await signInPage(office.page, await adminPerson(on.system))
    await office.page.goto('/admin/settings')
    const setting = office.page.getByRole('switch', { name: 'Title chats with a model' })
    await setting.click()
    await expect.poll(() => setting.isChecked()).toBe(true)
    await office.leave()
    const other = await newVisitor(on.browser, on.system.url)
    await signInPage(other.page, person)
    await other.page.goto('/')
    await composer(other.page).waitFor()
    on.provider.reply({ text: 'Yes, take an umbrella' }, { text: '"Rain in Lisbon."' })
    await page.goto('/')
    await say(page, 'Will it rain in Lisbon tomorrow?')
    await hear(page, 'Yes, take an umbrella')
    await row('Rain in Lisbon').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Rain in Lisbon' }).waitFor()
    await row('Rain in Lisbon', other.page).waitFor()
    expect(await row('Will it rain in Lisbon tomorrow?').count()).toBe(0)
    await other.leave()
  })
})

describe('a title being edited in the list', () => {
  it('is saved by a click into the message field, which keeps the focus for the message', async () => {
    const { status } = await person.api.post('/api/chat/history', { title: 'Draft title', model: 'v3' })
    expect(status).toBeLessThan(300)
    await page.goto('/')
    await row('Draft title').dblclick()
    await page.getByRole('textbox', { name: 'New title' }).fill('Final title')
    await composer(page).click()
    await row('Final title').waitFor()
    await page.keyboard.type('What comes next?')
    expect(await composer(page).inputValue()).toBe('What comes next?')
  })
})

describe('the list', () => {
  const list = () => page.getByRole('navigation', { name: 'Chats' })
  const add = async (title: string) => {
    expect((await person.api.post('/api/chat/history', { title, model: 'v3' })).status).toBeLessThan(300)
  }

  it('keeps a title being edited when it is scrolled out of view and back', async () => {
    for (let number = 1; number <= 70; number += 1) await add(`Chat ${number}`)
    await page.goto('/')
    await row('Chat 70').dblclick()
    const field = page.getByRole('textbox', { name: 'New title' })
    await field.fill('Half a title')
    await list().evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await row('Chat 69').waitFor({ state: 'detached' })
    await list().evaluate((element) => element.scrollTo(0, 0))
    await row('Chat 69').waitFor()
    expect(await field.inputValue()).toBe('Half a title')
    await toHaveFocus(field)
    await page.keyboard.type('s')
    await page.keyboard.press('Enter')
    await row('Half a titles').waitFor()
  })

  it('moves chats from “Today” to “Yesterday” in a tab that stays open', async ({ visitor }) => {
    await visitor.installClock()
    await add('Of the day')
    await page.goto('/')
    await list().getByRole('heading', { name: 'Today' }).waitFor()
    await page.clock.fastForward(24 * 3_600_000)
    await list().getByRole('heading', { name: 'Yesterday' }).waitFor()
    expect(await list().getByRole('heading', { name: 'Today' }).count()).toBe(0)
  })

  it('does not mark an answer as running that ended while its user was signed out in the same tab', async () => {
    const held = Promise.withResolvers<void>()
    on.provider.reply({ chunks: ['Half ', 'and half'], pause: { after: 1, until: held.promise } })
    const connected = connectedLive(page)
    await enter(page, person)
    await connected
    await say(page, 'Ends alone')
    const chat = list().getByRole('link')
    const dot = chat.getByRole('img', { name: 'An answer is being written' })
    await dot.waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.getByRole('heading', { name: /what can I help with/ }).waitFor()
    await dot.waitFor()
    await page.getByRole('button', { name: /Free plan$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    held.resolve()
    await page.getByLabel(/^Username or e-?mail$/).fill(`filer${people}`)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await chat.click()
    await hear(page, 'Half and half')
    await expect.poll(() => dot.count()).toBe(0)
  })
})

describe('suggestions after an answer', () => {
  it('fill the composer, and can be switched off by a preference', async () => {
    await on.begin({ emailVerificationRequired: false, followUps: true })
    await page.goto('/profile/preferences')
    const preference = page.getByRole('switch', { name: 'Suggest what to ask next' })
    await preference.waitFor()
    expect(await preference.isChecked()).toBe(true)
    on.provider.reply({ text: 'Yes, take an umbrella' }, { text: '{"suggestions":["And tomorrow?","Why?"]}' })
    await page.goto('/')
    await say(page, 'Will it rain in Lisbon?')
    await hear(page, 'Yes, take an umbrella')
    const suggestions = page.getByRole('list', { name: 'Suggestions' })
    await suggestions.getByRole('button', { name: 'And tomorrow?' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('And tomorrow?')
    expect(on.provider.calls).toHaveLength(2)
    await page.goto('/profile/preferences')
    await preference.click()
    await page.goto('/')
    await composer(page).fill('And the day after?')
    await composer(page).press('Enter')
    await hear(page, 'You said: And the day after?')
    expect(await suggestions.count()).toBe(0)
    expect(on.provider.calls).toHaveLength(3)
  })

  it('are new ones once the answer was continued', async () => {
    await on.begin({ emailVerificationRequired: false, followUps: true })
    await page.goto('/')
    on.provider.reply(
      { text: 'It will rain. ', finishReason: 'length' },
      { text: '{"suggestions":["For how long?"]}' },
      { text: 'Take a coat.' },
      { text: '{"suggestions":["Which coat?"]}' },
    )
    await say(page, 'And in Porto?')
    const suggestions = page.getByRole('list', { name: 'Suggestions' }).getByRole('button')
    await expect.poll(() => suggestions.allTextContents()).toEqual(['For how long?'])
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await hear(page, 'Take a coat.')
    await expect.poll(() => suggestions.allTextContents()).toEqual(['Which coat?'])
  })
})
