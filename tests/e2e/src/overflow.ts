import type { Page } from 'playwright-core'

interface Box {
  readonly left: number
  readonly right: number
  readonly width: number
}
interface Element {
  readonly textContent: string | null
  readonly parentElement: Element | null
  getBoundingClientRect(): Box
}
interface TextNode {
  readonly textContent: string
  readonly parentElement: Element
}
/** What the function below uses of the page it runs in. */
declare const document: {
  querySelectorAll(selector: string): Iterable<Element>
  createTreeWalker(root: Element, whatToShow: number): { nextNode(): TextNode | null }
  createRange(): { selectNodeContents(node: TextNode): void; getBoundingClientRect(): Box }
}
declare const getComputedStyle: (element: Element) => { readonly textOverflow: string; readonly overflowX: string }
declare const innerWidth: number

/** Buttons, and what is chosen like them, whose visible text stands beyond their edge or that stand beyond the window's, by their text. */
export const overflowingButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isBeyond = ({ left, right }: Box, edge: { readonly left: number; readonly right: number }): boolean =>
      left < edge.left - 1 || right > edge.right + 1
    const textsOf = (element: Element): TextNode[] => {
      const walker = document.createTreeWalker(element, 4)
      const found: TextNode[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        // A box of one pixel is for screen readers; an ellipsis says itself that there is more.
        const { width } = node.parentElement.getBoundingClientRect()
        const isCutOnPurpose = getComputedStyle(node.parentElement).textOverflow === 'ellipsis'
        if (node.textContent.trim() !== '' && width > 1 && !isCutOnPurpose) found.push(node)
      }
      return found
    }
    const boxOf = (node: TextNode): Box => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    }
    const isScrolled = ({ parentElement }: Element): boolean =>
      parentElement !== null &&
      (/auto|scroll/.test(getComputedStyle(parentElement).overflowX) || isScrolled(parentElement))
    const buttons = document.querySelectorAll(
      'button, [role=button], [role=tab], [role=menuitem], label:has([type=radio])',
    )
    return [...buttons]
      .filter((button) => {
        const box = button.getBoundingClientRect()
        const texts = textsOf(button)
        if (texts.length === 0 || box.width <= 1) return false
        // What lies outside as a whole waits there, as a drawer does; a row that scrolls shows so that it goes on.
        const isCut = box.right > 0 && box.left < innerWidth && isBeyond(box, { left: 0, right: innerWidth })
        return (isCut && !isScrolled(button)) || texts.some((text) => isBeyond(boxOf(text), box))
      })
      .map((button) => `${button.textContent}`.slice(0, 60))
  })
