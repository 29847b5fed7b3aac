import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More tab stops than any screen has, including a list of many chats; after that the focus starts over. */
const mostPresses = 500

/**
 * Presses Tab, or Shift+Tab when the element is before the focus, until the element has the focus; then in the other direction, because a notification
 * that Tab leaves gives the focus back, and a disabled button that had the focus hides where it was.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' })
  const keys = ['Tab', 'Shift+Tab']
  if (await target.evaluate(isBeforeFocus)) keys.reverse()
  for (const key of keys) {
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await isFocused(target)) return
      await page.keyboard.press(key)
    }
  }
  throw new Error(`${keys.join(' and ')} never reach ${target}`)
}

interface PageElement {
  readonly ownerDocument: { readonly activeElement: PageElement | null }
  compareDocumentPosition(other: PageElement): number
}
/** Runs in the page. */
const isBeforeFocus = (element: PageElement): boolean =>
  // 4 is `Node.DOCUMENT_POSITION_FOLLOWING`.
  ((element.ownerDocument.activeElement?.compareDocumentPosition(element) ?? 4) & 4) === 0

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'))

/** Waits until the element has the focus. */
export const toHaveFocus = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)
