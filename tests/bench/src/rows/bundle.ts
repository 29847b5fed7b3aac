import { gzipSync } from 'node:zlib'
import type { Browser, Page, Response } from 'playwright-core'
import { composer } from '../browser.ts'
import type { Row } from '../table.ts'

/** Kilobytes of 1,000 bytes, compressed by gzip. */
interface Loaded {
  readonly scripts: number
  readonly styles: number
}

/** W5: JavaScript and CSS that a first visit loads until the login form, and until a message can be written. */
export async function measureBundle(browser: Browser, url: string): Promise<Row[]> {
  const login = await firstVisit(browser, `${url}/login`, (page) =>
    page.locator('input[autocomplete~="current-password"]').waitFor(),
  )
  const chat = await firstVisit(browser, `${url}/`, (page) => composer(page).waitFor())
  return [
    sizeRow(
      'JavaScript to a usable composer, gzip',
      chat.ready.scripts,
      170,
      `all it loads by itself: ${kilobytes(chat.all.scripts)}`,
    ),
    sizeRow('JavaScript of the login page, gzip', login.all.scripts, 120),
    sizeRow('CSS, gzip', chat.all.styles, 20),
  ]
}

async function firstVisit(
  browser: Browser,
  url: string,
  usable: (page: Page) => Promise<void>,
): Promise<{ ready: Loaded; all: Loaded }> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto(url)
    await usable(page)
    const ready = await sizesOf([...responses])
    await page.waitForLoadState('networkidle')
    return { ready, all: await sizesOf(responses) }
  } finally {
    await context.close()
  }
}

async function sizesOf(responses: readonly Response[]): Promise<Loaded> {
  const sizes = { scripts: 0, styles: 0 }
  for (const response of responses) {
    const kind = response.request().resourceType()
    if (kind === 'script') sizes.scripts += await gzipped(response)
    if (kind === 'stylesheet') sizes.styles += await gzipped(response)
  }
  return sizes
}

const gzipped = async (response: Response): Promise<number> => gzipSync(await response.body()).length / 1_000
const kilobytes = (size: number): string => `${size.toFixed(1)} kB`

const sizeRow = (goal: string, size: number, limit: number, note?: string): Row => ({
  id: 'W5',
  goal: note === undefined ? goal : `${goal} (${note})`,
  measured: kilobytes(size),
  limit: `≤ ${limit} kB`,
  met: size <= limit,
})
