import { type Browser, chromium, type Page } from 'playwright-core'
import { admin } from './parley.ts'

const arguments_ = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']

/** Measures with the Chromium of `CHROME_PATH`, else the system's, which ends afterwards. */
export async function inBrowser<T>(measure: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium'
  await using browser = await chromium.launch({ executablePath, args: arguments_ })
  return await measure(browser)
}

/** The field to write a message in. */
export const composer = (page: Page): ReturnType<Page['locator']> => page.locator('form textarea')

/** Signs in as the admin, as a person would, and waits until a message can be written. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete~="username"]').fill(admin.identifier)
  await page.locator('input[autocomplete~="current-password"]').fill(admin.password)
  await page.keyboard.press('Enter')
  await composer(page).waitFor()
}

/** Makes the page's processor so many times slower. */
export async function slowDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}
