import type { Page } from 'playwright-core'

interface Box {
  readonly left: number
  readonly right: number
  readonly width: number
}
interface Element {
  readonly textContent: string | null
  readonly parentElement: Element | null
  closest(selector: string): Element | null
  getBoundingClientRect(): Box
}
interface TextNode {
  readonly textContent: string
  readonly parentElement: Element
}
/** The part of the page's DOM that the function below uses. */
declare const document: {
  querySelectorAll(selector: string): Iterable<Element>
  createTreeWalker(root: Element, whatToShow: number): { nextNode(): TextNode | null }
  createRange(): { selectNodeContents(node: TextNode): void; getBoundingClientRect(): Box }
}
declare const getComputedStyle: (element: Element) => { readonly textOverflow: string; readonly overflowX: string }
declare const innerWidth: number

/** Texts of buttons, and of options that look like buttons, whose text overflows the button or that overflow their form or the window. */
export const overflowingButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isBeyond = ({ left, right }: Box, edge: { readonly left: number; readonly right: number }): boolean =>
      left < edge.left - 1 || right > edge.right + 1
    const textsOf = (element: Element): TextNode[] => {
      const walker = document.createTreeWalker(element, 4)
      const found: TextNode[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        // A box of one pixel is for screen readers only; an ellipsis is a deliberate cut.
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
        // An element fully outside is hidden on purpose, such as a drawer; in a scrolling row a cut shows that there is more.
        const isCut = box.right > 0 && box.left < innerWidth && isBeyond(box, { left: 0, right: innerWidth })
        const form = button.closest('form')?.getBoundingClientRect()
        const isOutside = form !== undefined && form.width > 1 && isBeyond(box, form)
        return (isCut && !isScrolled(button)) || isOutside || texts.some((text) => isBeyond(boxOf(text), box))
      })
      .map((button) => `${button.textContent}`.slice(0, 60))
  })
