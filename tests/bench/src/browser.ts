import { type Browser, chromium, type Page } from 'playwright-core'
import { admin } from './parley.ts'

const arguments_ = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']

/** Runs a measurement in the Chromium of `CHROME_PATH`, by default the system's, and closes it afterwards. */
export async function inBrowser<T>(measure: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium'
  await using browser = await chromium.launch({ executablePath, args: arguments_ })
  return await measure(browser)
}

/** The composer's text field. */
export const composer = (page: Page): ReturnType<Page['locator']> => page.locator('form textarea')

/** Signs in as the admin through the form, and waits for the composer. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete~="username"]').fill(admin.identifier)
  await page.locator('input[autocomplete~="current-password"]').fill(admin.password)
  await page.keyboard.press('Enter')
  await composer(page).waitFor()
}

/** Throttles the page's CPU by this factor. */
export async function slowDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}
