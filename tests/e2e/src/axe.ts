import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { drawTheme } from './browser.ts'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Globals of the page that the functions below run in. */
declare const axe: Pick<typeof import('axe-core'), 'run'>

type Theme = Parameters<typeof drawTheme>[1]

// Only violations are read; `resultTypes` saves axe the description of what passes.
const common: RunOptions = { resultTypes: ['violations'], selectors: false, preload: false }
const everything: RunOptions = { ...common, rules: { 'target-size': { enabled: true } } }
/** Rules whose outcome depends on the theme; all others are the same in both. */
const colours: RunOptions = { ...common, runOnly: ['color-contrast', 'link-in-text-block'] }

/** Injects axe into the current document, for `faultsOf`. */
export async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source)
}

/**
 * Faults of a page in its current layout, in both themes: axe violations with the elements concerned, and a page wider than the screen.
 * Starts with the theme `first`; pass the one that is drawn already, to save a repaint.
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
