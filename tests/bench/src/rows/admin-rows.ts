import type { Browser, Page } from 'playwright-core'
import { signIn, slowDown } from '../browser.ts'
import type { Parley } from '../parley.ts'
import type { Plan } from '../plan.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'

const slowness = 4
const limitMs = 500
const sections = ['users', 'models', 'keys', 'audit'] as const

/** The part of the page's DOM used below. */
declare const document: {
  querySelector(selector: string): { click(): void } | null
}
declare const requestAnimationFrame: (draw: () => void) => void
declare const requestIdleCallback: (act: () => void) => void

/** W9: on a slow processor, the time from the click on a section of the administration to the frame after its first rows. */
export async function measureAdminRows(plan: Plan, parley: Parley, browser: Browser): Promise<Row[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await signIn(page, parley.url)
    await slowDown(page, slowness)
    const rows: Row[] = []
    for (const section of sections) {
      const times: number[] = []
      // The first round fills the browser's cache and is not counted.
      for (let round = -1; round < plan.rounds; round += 1) {
        const ms = await openSection(page, parley.url, section)
        if (round >= 0) times.push(ms)
      }
      rows.push({
        id: 'W9',
        goal: `first rows of /admin/${section} after the click on it, CPU ×${slowness}`,
        measured: withSpread(times, 0, ' ms'),
        limit: `≤ ${limitMs} ms`,
        met: median(times) <= limitMs,
      })
    }
    return rows
  } finally {
    await context.close()
  }
}

/** Milliseconds, from a freshly loaded section without a list: no data of the measured one is loaded yet, and of its code what the idle page has preloaded. */
async function openSection(page: Page, url: string, section: string): Promise<number> {
  await page.goto(`${url}/admin/limits`)
  await page.locator(`a[href="/admin/${section}"]`).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
  return page.evaluate(
    (link) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        const look = (): void => {
          if (document.querySelector('[data-row]')) requestAnimationFrame(() => resolve(performance.now() - startedAt))
          else requestAnimationFrame(look)
        }
        document.querySelector(link)?.click()
        look()
      }),
    `a[href="/admin/${section}"]`,
  )
}
