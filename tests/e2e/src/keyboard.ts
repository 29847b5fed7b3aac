import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than a screen has stops, with a list of many chats beside it; beyond that the focus goes round. */
const mostPresses = 500

/** Presses Tab, or Shift and Tab for what is before the focus, until the element has it; a person without a mouse has no other way. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' })
  const key = (await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab'
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reaches ${target}`)
}

interface PageElement {
  readonly ownerDocument: { readonly activeElement: PageElement | null }
  compareDocumentPosition(other: PageElement): number
}
/** Runs in the page. */
const isBeforeFocus = (element: PageElement): boolean =>
  // 4: it follows.
  ((element.ownerDocument.activeElement?.compareDocumentPosition(element) ?? 4) & 4) === 0

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'))

/** Waits until the element has the focus. */
export const toHaveFocus = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)
