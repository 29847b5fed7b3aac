import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { button } from '../src/entrance.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { composer, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('the keyboard focus', () => {
  let on: SharedSystem
  let page: Page
  let person: Person
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(async ({ visitor }) => {
    people += 1
    person = await registerPerson(on.system, `focused${people}`)
    page = visitor.page
  })

  it('returns to the search of chats when that is cleared', async () => {
    await enter(page, person)
    const search = page.getByRole('searchbox', { name: 'Search chats' })
    await search.fill('anything')
    await button(page, 'Clear search').click()
    await toHaveFocus(search)
    expect(await search.inputValue()).toBe('')
  })

  it('returns to where it was when a notice about memories is dismissed or has been undone, or else to the tab', async () => {
    for (const text of ['I like pears', 'I like plums']) await person.api.post('/api/memory', { text })
    await enter(page, person, '/profile/memory')
    const options = button(page, 'Options for “I like pears”')
    const remove = async () => {
      await options.click()
      await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
    }
    const rest = page.locator('[data-row]', { hasText: 'I like plums' })
    await remove()
    await toHaveFocus(rest)
    await button(page, 'Undo').click()
    await options.waitFor()
    await toHaveFocus(rest)
    await remove()
    await page.getByText('1 memory removed.').waitFor()
    await button(page, 'Dismiss').click()
    await toHaveFocus(rest)
    // What had the focus is removed together with the memory that it belonged to.
    await button(page, 'Options for “I like plums”').click()
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
    await page.getByText('No memories yet').waitFor()
    await button(page, 'Dismiss').click()
    await toHaveFocus(page.getByRole('tab', { name: 'Memories' }))
  })

  it('returns to the button of a pattern’s form when that closes, and to a neighbour when a pattern is removed', async () => {
    await enter(page, person, '/profile/memory')
    await page.getByRole('tab', { name: 'Settings' }).click()
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    const add = async (called: string) => {
      await button(page, 'Add pattern').click()
      await name.fill(called)
      await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('my (cat|dog) is called')
      await button(page, 'Save').click()
      await toHaveFocus(button(page, 'Add pattern'))
    }
    await button(page, 'Add pattern').click()
    await button(page, 'Cancel').click()
    await toHaveFocus(button(page, 'Add pattern'))
    await add('Pets')
    await add('Cats')
    for (const end of ['Cancel', 'Save']) {
      await button(page, 'Edit Pets').click()
      await button(page, end).click()
      await toHaveFocus(button(page, 'Edit Pets'))
    }
    await button(page, 'Remove Pets').click()
    await toHaveFocus(button(page, 'Edit Cats'))
    await button(page, 'Remove Cats').click()
    await toHaveFocus(button(page, 'Add pattern'))
  })

  it('leaves the list of models by Tab, which closes it, for what is next on the page, and by Shift and Tab for its opener', async () => {
    await enter(page, person)
    const opener = page.getByRole('button', { name: /^Model:/ })
    const search = page.getByRole('combobox', { name: 'Search models' })
    await opener.click()
    await toHaveFocus(search)
    await page.keyboard.press('Tab')
    await search.waitFor({ state: 'detached' })
    expect(await page.locator(':focus').isVisible()).toBe(true)
    await opener.click()
    await toHaveFocus(search)
    await page.keyboard.press('Shift+Tab')
    await search.waitFor({ state: 'detached' })
    await toHaveFocus(opener)
    await opener.click()
    await toHaveFocus(search)
    await opener.click()
    await search.waitFor({ state: 'detached' })
  })

  it('reaches the retry in a list of models that failed to load, by Tab, and the search when it is pressed', async () => {
    await page.route('**/api/chat/models/hierarchy', (route) => route.fulfill({ status: 500, body: '' }))
    // The first connection would request them, too, while the retry has the focus.
    await page.routeWebSocket(/socket\.io/, () => undefined)
    await enter(page, person)
    await page.getByRole('button', { name: /^Model:/ }).click()
    const search = page.getByRole('combobox', { name: 'Search models' })
    await page.getByText('Failed to load available models').waitFor()
    await toHaveFocus(search)
    await page.keyboard.press('Tab')
    await toHaveFocus(button(page, 'Try again'))
    await page.unrouteAll()
    await page.keyboard.press('Enter')
    await toHaveFocus(search)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await toHaveFocus(page.getByRole('button', { name: /^Model:/ }))
  })

  it('goes from the button that closes the sidebar to the one that opens it, and back, or else to the sidebar', async () => {
    await enter(page, person)
    const [closer, opener] = [button(page, 'Close sidebar'), button(page, 'Open sidebar')]
    await closer.press('Enter')
    await toHaveFocus(opener)
    await opener.press('Enter')
    await toHaveFocus(closer)
    await closer.press('Enter')
    await page.goto('/profile')
    await opener.press('Enter')
    await toHaveFocus(page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link').first())
  })

  it('goes to the heading of a new screen, or to its field, when what had it is gone with the screen before', async () => {
    await enter(page, person)
    await composer(page).waitFor()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: `focused${people}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    await choose('Settings')
    await toHaveFocus(title('Profile'))
    const appearance = page.getByRole('link', { name: 'Appearance' })
    await appearance.click()
    await title('Appearance').waitFor()
    await toHaveFocus(appearance)
    await page.getByRole('link', { name: 'Back to chat' }).click()
    await toHaveFocus(composer(page))
    await choose('API documentation')
    await toHaveFocus(title('API documentation'))
    // In a narrow window the links to the sections are part of each of them.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/profile')
    await title('Profile').waitFor()
    await page.getByRole('link', { name: 'Usage' }).click()
    await toHaveFocus(title('Usage'))
    await button(page, 'Open sidebar').click()
    await page.getByRole('dialog', { name: 'Sidebar' }).getByRole('link', { name: 'API Keys' }).click()
    await toHaveFocus(title('API Keys'))
  })

  it('moves between the boxes of a mailed code by an arrow key alone: with Alt that is the way back', async () => {
    await page.addInitScript(`sessionStorage.setItem('private:verification', '{"username":"ada","sentAt":1}')`)
    await page.goto('/login')
    const digit = (position: number) => page.getByLabel(`Digit ${position} of 6`)
    await digit(1).click()
    await page.keyboard.type('12')
    await toHaveFocus(digit(3))
    await page.keyboard.press('Alt+ArrowLeft')
    await page.keyboard.type('3')
    expect(await digit(3).inputValue()).toBe('3')
    await page.keyboard.press('ArrowLeft')
    await toHaveFocus(digit(3))
  })

  it('stays where it is at an arrow key with a modifier, which belongs to the browser: on tabs, in a menu, in the list of models', async () => {
    await enter(page, person)
    await button(page, 'More examples').click()
    const coding = page.getByRole('tab', { name: 'Coding' })
    await coding.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await toHaveFocus(coding)
    await page.keyboard.press('ArrowRight')
    await toHaveFocus(page.getByRole('tab', { name: 'Learn' }))
    await button(page, 'List options').click()
    const items = page.getByRole('menuitem')
    await toHaveFocus(items.first())
    await page.keyboard.press('Control+ArrowDown')
    await toHaveFocus(items.first())
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Model:/ }).click()
    const search = page.getByRole('combobox', { name: 'Search models' })
    const active = await search.getAttribute('aria-activedescendant')
    await search.press('Meta+ArrowDown')
    expect(await search.getAttribute('aria-activedescendant')).toBe(active)
    await search.press('ArrowDown')
    expect(await search.getAttribute('aria-activedescendant')).not.toBe(active)
    await page.goto('/profile/memory')
    const memories = page.getByRole('tab', { name: 'Memories' })
    await memories.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await toHaveFocus(memories)
  })
})
