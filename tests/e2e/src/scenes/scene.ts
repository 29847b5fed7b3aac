import type { Page } from 'playwright-core'
import type { sizes } from '../browser.ts'
import { intercept } from '../intercept.ts'
import { answers, composer } from '../people.ts'
import type { World } from '../world.ts'

/** One screen in one state, and the steps that lead to it. */
export interface Scene {
  readonly name: string
  /** The viewer; a guest or visitor by default. */
  readonly who?: 'regular' | 'newcomer' | 'banned' | 'admin'
  /** Opens the sidebar: a column in a wide window, a drawer in a narrow one, so the scene cannot be resized. */
  readonly sidebar?: boolean
  /** The sizes at which the scene exists; all by default. */
  readonly at?: readonly (keyof typeof sizes)[]
  /** Name of the scene that this one continues: it has the same viewer and directly precedes this one in the list. */
  readonly continues?: string
  /** Gets to the screen from a fresh page, or from the scene it continues; resolves once it is complete. */
  readonly show: (page: Page, world: World) => Promise<void>
}

type Show = Scene['show']
type SceneOptions = Omit<Scene, 'name' | 'who' | 'show'>
const scenesOf =
  (who?: Scene['who']) =>
  (name: string, ...rest: [Show] | [SceneOptions, Show]): Scene => {
    const [options, show] = rest.length === 2 ? rest : [{}, rest[0]]
    return { name, ...(who && { who }), ...options, show }
  }

/** Scenes by their viewer, declared like tests: `regular('chat-menu', { continues: 'drawer' }, async (page) => …)`. */
export const visitor = scenesOf()
export const regular = scenesOf('regular')
export const newcomer = scenesOf('newcomer')
export const banned = scenesOf('banned')
export const admin = scenesOf('admin')

/** A question whose answer needs a table. */
export const question =
  'Which heat pump suits an uninsulated 140 m² house from 1962 in Munich? Show me the running cost as a table.'

/** Opens the sidebar where it is a drawer; resolves once its links are shown. */
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

/** Opens the showcase chat. */
export async function openShowcase(page: Page, { showcaseId }: World): Promise<void> {
  await page.goto(`/c/${showcaseId}`)
  await answers(page).locator('.code-box').waitFor()
}

/** Mocks the response of an API route. */
export async function answerWith(page: Page, path: string, status: number, body: unknown): Promise<void> {
  await intercept(page, path, () => ({ status, json: body }))
}

/** Chooses a model in the header by its exact name. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Model: (?!Loading)/ }).click()
  await page.getByRole('combobox', { name: 'Search models' }).fill(name)
  await page.getByRole('option', { name }).click()
}
