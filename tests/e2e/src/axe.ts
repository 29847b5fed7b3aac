import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { drawTheme } from './browser.ts'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The names of what the functions below use of the page they run in. */
declare const axe: Pick<typeof import('axe-core'), 'run'>

type Theme = Parameters<typeof drawTheme>[1]

// Only violations are read, so that nothing is described of what passes.
const common: RunOptions = { resultTypes: ['violations'], selectors: false, preload: false }
const everything: RunOptions = { ...common, rules: { 'target-size': { enabled: true } } }
/** What a theme decides; whatever else axe looks at is the same in both. */
const colours: RunOptions = { ...common, runOnly: ['color-contrast', 'link-in-text-block'] }

/** Lets the next calls of `faultsOf` look at the document that the page shows, until it goes elsewhere. */
export async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source)
}

/**
 * What is wrong with a page as it is laid out now, in both themes: what axe finds, each with the elements that it is about, and a page wider than the screen.
 * Starts in the theme `first`, which is the one that costs nothing where it is drawn already.
 */
export async function faultsOf(page: Page, first: Theme): Promise<string[]> {
  const second = first === 'delgdark' ? 'delglight' : 'delgdark'
  const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
  return [
    ...(await violations(page, first, everything)),
    ...(await violations(page, second, colours)),
    ...(overflow > 0 ? [`${overflow} px too wide`] : []),
  ]
}

async function violations(page: Page, theme: Theme, options: RunOptions): Promise<string[]> {
  await drawTheme(page, theme)
  const found = await page.evaluate(async (wanted) => {
    const { violations } = await axe.run(wanted)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, options)
  return found.map((violation) => `${theme} ${violation}`)
}
