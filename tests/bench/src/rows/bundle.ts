import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { signIn } from '../browser.ts'
import type { Row } from '../table.ts'

/** Kilobytes (1,000 bytes) after gzip. */
interface Loaded {
  /** Scripts requested before the visitor could begin. */
  readonly needed: number
  /** All scripts that the page loads by itself. */
  readonly scripts: number
  readonly styles: number
}

type StorageState = BrowserContextOptions['storageState']

const composerField = 'form textarea'
const passwordField = 'input[autocomplete~="current-password"]'

/** W5: JavaScript and CSS that a first visit loads until the login form is shown, and until a message can be written. */
export async function measureBundle(browser: Browser, url: string): Promise<Row[]> {
  const login = await firstVisit(browser, `${url}/login`, passwordField)
  const guest = await firstVisit(browser, `${url}/`, composerField)
  const person = await firstVisit(browser, `${url}/`, composerField, await signedIn(browser, url))
  return [
    sizeRow('JavaScript to a usable composer as a guest, gzip', guest.needed, 170),
    sizeRow('JavaScript to a usable composer signed in, gzip', person.needed, 170),
    sizeRow('JavaScript of the login page, gzip', login.scripts, 120),
    sizeRow('CSS, gzip', guest.styles, 20),
  ]
}

/** The admin's sign-in, for visits with an otherwise empty browser. */
async function signedIn(browser: Browser, url: string): Promise<StorageState> {
  const context = await browser.newContext()
  try {
    await signIn(await context.newPage(), url)
    return await context.storageState()
  } finally {
    await context.close()
  }
}

/** Records inside the page when a selector first matches; a message to this process could arrive after further requests. */
const noteWhenThere = (selector: string): string => `
  new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(selector)})) return
    performance.mark('there')
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
`

/** URL and start time of each file requested by the page, and the time of readiness, by the page's clock in milliseconds. */
const readTimes = `({
  there: performance.getEntriesByName('there')[0]?.startTime ?? Infinity,
  files: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
})`

interface Times {
  readonly there: number
  readonly files: readonly { readonly name: string; readonly startTime: number }[]
}

async function firstVisit(browser: Browser, url: string, usable: string, storageState?: StorageState): Promise<Loaded> {
  const context = await browser.newContext(storageState === undefined ? {} : { storageState })
  try {
    const page = await context.newPage()
    await page.addInitScript({ content: noteWhenThere(usable) })
    await page.goto(url)
    await page.locator(usable).waitFor()
    await page.waitForLoadState('networkidle')
    const { there, files } = await page.evaluate<Times>(readTimes)
    const scripts = files.filter(({ name }) => name.endsWith('.js'))
    return {
      needed: await sizeOf(scripts.filter(({ startTime }) => startTime <= there)),
      scripts: await sizeOf(scripts),
      styles: await sizeOf(files.filter(({ name }) => name.endsWith('.css'))),
    }
  } finally {
    await context.close()
  }
}

async function sizeOf(files: Times['files']): Promise<number> {
  const names = [...new Set(files.map(({ name }) => name))]
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await (await fetch(name)).bytes()).length / 1_000))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const sizeRow = (goal: string, size: number, limit: number): Row => ({
  id: 'W5',
  goal,
  measured: `${size.toFixed(1)} kB`,
  limit: `≤ ${limit} kB`,
  met: size <= limit,
})
