import type { Page } from 'playwright-core'

/** A button by its exact name. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A heading by part of its text. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { name })
/** Shown only to visitors who are not signed in. */
export const signedOut = (page: Page) => page.getByRole('link', { name: 'Sign in' }).first()

/** Types a mailed code into its boxes. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').click()
  await page.keyboard.type(code)
}

/** All contents of this browser's storage, as one text. */
export const storedText = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
