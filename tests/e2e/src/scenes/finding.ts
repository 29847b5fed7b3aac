import type { Page } from 'playwright-core'
import { answers, composer, hear, say } from '../people.ts'
import { newcomer, openShowcase, openSidebar, regular, type Scene, visitor } from './scene.ts'

async function openPalette(page: Page): Promise<void> {
  await page.goto('/')
  await composer(page).waitFor()
  await page.keyboard.press('ControlOrMeta+KeyK')
}

/** The palette, the search and the info panel. */
export const finding: Scene[] = [
  regular('palette', async (page) => {
    await openPalette(page)
    await page.getByRole('option').first().waitFor()
  }),
  regular('palette-found', { continues: 'palette' }, async (page) => {
    await page.keyboard.type('house of 140')
    await page
      .getByRole('option', { name: /heat pumps/ })
      .first()
      .waitFor()
  }),
  regular('jump', { continues: 'palette-found' }, async (page, world) => {
    await page
      .getByRole('option', { name: /heat pumps/ })
      .first()
      .click()
    await page.waitForURL(new RegExp(world.showcaseId))
    await answers(page).locator('.code-box').waitFor()
  }),
  visitor('palette-empty', async (page) => {
    await openPalette(page)
    await page.keyboard.type('zzzz')
    await page.getByText('No results.').waitFor()
  }),
  regular('information', async (page, world) => {
    await openShowcase(page, world)
    await page.getByRole('button', { name: 'Chat information' }).click()
    await page.getByText('Accurate').waitFor()
  }),
  visitor('information-guest', async (page) => {
    await page.goto('/')
    await say(page, 'As a guest')
    await hear(page, 'You said: As a guest')
    await page.getByRole('button', { name: 'Chat information' }).click()
    await page.getByText('Remaining messages').waitFor()
  }),
  regular('shortcuts', async (page) => {
    await page.goto('/')
    await composer(page).fill('/help')
    await composer(page).press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  }),
  regular('shortcuts-changed', { continues: 'shortcuts' }, async (page) => {
    await page.getByRole('button', { name: 'Change: Copy the last answer' }).click()
    await page.keyboard.press('ControlOrMeta+Shift+KeyJ')
    await page.getByRole('button', { name: 'Reset: Copy the last answer' }).waitFor()
    await page.getByRole('button', { name: 'Change: New chat' }).click()
    await page.getByText('Press keys…').waitFor()
  }),
  regular('shortcuts-swap', { continues: 'shortcuts-changed' }, async (page) => {
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.getByRole('button', { name: 'Swap' }).waitFor()
  }),
  newcomer('models', async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Model: DeepSeek/ }).click()
    await page.getByRole('option').first().waitFor()
  }),
  visitor('models-guest', async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Model: DeepSeek/ }).click()
    await page.getByText('Sign in to choose another.').waitFor()
  }),
]

/** Screens reached from the sidebar. */
export const keeping: Omit<Scene, 'sidebar'>[] = [
  regular('search', async (page) => {
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('radiators')
    await page.getByRole('navigation', { name: 'Search chats' }).locator('mark').first().waitFor()
  }),
  regular('search-empty', { continues: 'search' }, async (page) => {
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('zzzz')
    await page.getByText('No results.').waitFor()
  }),
  regular('import', async (page) => {
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import chats' })
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'not.json', mimeType: 'application/json', buffer: Buffer.from('{"broken') })
    await dialog.getByText('“not.json” isn’t a JSON file.').waitFor()
  }),
]
