import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than a screen has stops, with a list of many chats beside it; beyond that the focus goes round. */
const mostPresses = 500

/** Presses Tab until the element has the focus; a person without a mouse has no other way. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' })
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target}`)
}

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'))

/** Waits until the element has the focus. */
export const toHaveFocus = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)
