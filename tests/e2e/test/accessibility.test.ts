import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newVisitor, openBrowser } from '../src/browser.ts'
import { tabTo, toHaveFocus } from '../src/keyboard.ts'
import { answers, composer, configure, hear, password, say } from '../src/people.ts'
import { type Scene, scenesInChats } from '../src/scenes.ts'
import { createViewing, type Viewing, visitsOf } from '../src/viewing.ts'
import { openWorld, signInBrowser, type World } from '../src/world.ts'

declare const getComputedStyle: (element: unknown) => { readonly borderTopWidth: string }

let world: World
let browser: Browser
let viewing: Viewing

beforeAll(async () => {
  // The browser first: if it fails, no system has been started that would have to be stopped.
  browser = await openBrowser()
  world = await openWorld()
  viewing = createViewing(browser, world, 'desktop', scenesInChats)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

describe('every chat screen, in both themes, on a desktop and on a phone', () => {
  it.each(visitsOf(scenesInChats))('has no accessibility fault: %s, opened at %s size', async (_name, _size, scene) => {
    expect(await viewing.faultsOf(scene)).toEqual([])
  })
})

describe('the accessibility check', () => {
  it('finds low contrast in either theme, a button without a name and a page that is too wide, at both sizes', async () => {
    const planted: Scene = {
      name: 'planted',
      show: async (page) => {
        await page.goto('/login')
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        await page.evaluate(`{
          const plant = (parent, name, text, style) => {
            const element = document.createElement(name)
            element.textContent = text
            Object.assign(element.style, style)
            document.querySelector(parent).append(element)
          }
          plant('main', 'p', 'Unreadable in the dark', { color: '#151515' })
          plant('main', 'p', 'Unreadable in the light', { color: '#f0f0f0' })
          plant('main', 'button', '', { width: '48px', height: '48px' })
          plant('body', 'div', '', { width: '2000px', height: '1px' })
        }`)
      },
    }
    const found = await viewing.faultsOf(planted)
    const about = (part: string) => found.filter((fault) => fault.includes(part)).map((fault) => fault.split(':')[0])
    expect(about('Unreadable in the dark')).toEqual(['delgdark color-contrast', 'delgdark color-contrast'])
    expect(about('Unreadable in the light')).toEqual(['delglight color-contrast', 'delglight color-contrast'])
    expect(about('button-name')).toEqual(['delgdark button-name', 'delglight button-name'])
    expect(about('too wide')).toEqual(['560 px too wide', '1610 px too wide'])
  })
})

describe('a user without a mouse', () => {
  it('signs in, sends, chooses a model, renames, deletes, undoes and deletes a selection, and never loses the focus', async () => {
    await configure(world.system, { emailVerificationRequired: false })
    world.provider.reset()
    const { page, context, errors } = await newVisitor(browser, world.system.url)
    const keys = page.keyboard
    const chat = (title: string): Locator => page.getByRole('link', { name: title, exact: true })
    const openMenu = async (name: string): Promise<void> => {
      await tabTo(page, page.getByRole('button', { name, exact: true }))
      await keys.press('Enter')
    }
    await page.goto('/login')
    await toHaveFocus(page.getByLabel('Username or email'))
    await keys.type('newcomer')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await keys.type(password)
    await keys.press('Enter')
    await toHaveFocus(composer(page))

    for (const title of ['One', 'Two', 'Three']) {
      await say(page, title)
      await hear(page, `You said: ${title}`)
      await toHaveFocus(composer(page))
      await chat(title).waitFor()
      await keys.press('ControlOrMeta+Shift+KeyO')
      await answers(page).waitFor({ state: 'detached' })
    }

    const picker = page.getByRole('button', { name: /^Model:/ })
    await tabTo(page, picker)
    await keys.press('Enter')
    await toHaveFocus(page.getByRole('combobox', { name: 'Search models' }))
    await keys.press('Escape')
    await toHaveFocus(picker)
    await keys.press('Enter')
    await keys.type('haiku')
    await keys.press('Enter')
    await toHaveFocus(picker)
    await page.getByRole('button', { name: 'Model: Claude Haiku' }).waitFor()

    await openMenu('Options for Two')
    await toHaveFocus(page.getByRole('menuitem', { name: 'Rename' }))
    await keys.press('Enter')
    await keys.type('Renamed')
    await keys.press('Enter')
    await toHaveFocus(chat('Renamed'))

    await openMenu('Options for Renamed')
    await keys.press('ArrowUp')
    await keys.press('Enter')
    await chat('Renamed').waitFor({ state: 'detached' })
    await toHaveFocus(chat('One'))
    // To the toasts, which stay while the focus is among them.
    await keys.press('Alt+KeyT')
    await tabTo(page, page.getByRole('button', { name: 'Undo' }))
    await keys.press('Enter')
    await chat('Renamed').waitFor()

    await openMenu('List options')
    await toHaveFocus(page.getByRole('menuitem', { name: 'Select chats' }))
    await keys.press('Enter')
    await tabTo(page, page.getByRole('checkbox').first())
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('ArrowDown')
    await keys.press('Shift+Space')
    await page.getByText('3 selected').waitFor()
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await tabTo(page, remove)
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Escape')
    await toHaveFocus(remove)
    await keys.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await keys.press('Enter')
    await chat('One').waitFor({ state: 'detached' })
    await toHaveFocus(page.getByRole('link', { name: 'New chat' }))
    await keys.press('Shift+Escape')
    await toHaveFocus(composer(page))
    expect(errors).toEqual([])
    await context.close()
  })

  it('opens and closes the drawer on a phone, and the focus returns', async () => {
    const { page, context } = await newVisitor(browser, world.system.url, { size: 'phone' })
    await signInBrowser(context, world.regular)
    await page.goto('/')
    const opener = page.getByRole('button', { name: 'Open sidebar' })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    await toHaveFocus(page.getByRole('button', { name: 'Close sidebar' }))
    await page.keyboard.press('Escape')
    await toHaveFocus(opener)
    await context.close()
  })
})

describe('a user with colours of their own', () => {
  it('sees a border around each of their messages, whose background is not drawn', async () => {
    const { page, context } = await newVisitor(browser, world.system.url)
    await signInBrowser(context, world.regular)
    await page.goto(`/c/${world.showcaseId}`)
    const bubble = page.getByRole('log').locator('.bg-bubble').first()
    const border = () => bubble.evaluate((drawn) => getComputedStyle(drawn).borderTopWidth)
    await expect.poll(border).toBe('0px')
    await page.emulateMedia({ forcedColors: 'active' })
    await expect.poll(border).toBe('1px')
    await context.close()
  })
})
