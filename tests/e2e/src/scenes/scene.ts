import type { Page } from 'playwright-core'
import type { sizes } from '../browser.ts'
import { intercept } from '../intercept.ts'
import { answers, composer } from '../people.ts'
import type { World } from '../world.ts'

/** One screen in one state, and the way there. */
export interface Scene {
  readonly name: string
  /** Who looks at it; nobody is a guest or visitor. */
  readonly who?: 'regular' | 'newcomer' | 'banned' | 'admin'
  /** Has the sidebar open, which is a column in a wide window and a drawer in a narrow one, so that it cannot be resized. */
  readonly sidebar?: boolean
  /** The sizes that have it; all by default. */
  readonly at?: readonly (keyof typeof sizes)[]
  /** The scene, by its name, that it continues: of the same viewer, and right before it in the list. */
  readonly continues?: string
  /** Leads there, a fresh page or one that shows what it continues, and resolves once it stands. */
  readonly show: (page: Page, world: World) => Promise<void>
}

/** A question that needs a table. */
export const question =
  'Which heat pump suits an uninsulated 140 m² house from 1962 in Munich? Show me the running cost as a table.'

/** Opens the sidebar where it is a drawer; resolves once its links are there. */
export async function openSidebar(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  await composer(page).waitFor()
  if (await opener.isVisible()) await opener.click()
  await page.getByRole('link', { name: 'New chat' }).waitFor()
}

/** Asks `question` in a new chat; resolves once an answer has begun. */
export async function ask(page: Page): Promise<void> {
  await page.goto('/')
  await composer(page).fill(question)
  await composer(page).press('Enter')
  await answers(page).waitFor()
}

/** Opens the regular's chat that holds everything Markdown can. */
export async function openShowcase(page: Page, { showcaseId }: World): Promise<void> {
  await page.goto(`/c/${showcaseId}`)
  await answers(page).locator('.code-box').waitFor()
}

/** Answers a route of the API in the server's place. */
export async function answerWith(page: Page, path: string, status: number, body: unknown): Promise<void> {
  await intercept(page, path, () => ({ status, json: body }))
}

/** Chooses a model in the header, by its whole name. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Model: (?!Loading)/ }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill(name)
  await page.getByRole('option', { name }).click()
}
