import type { Page } from 'playwright-core'

/** The minimum width and height of a touch target, in CSS pixels, less one for rounding. */
const least = 43

/** The part of the page's DOM that the functions below use. */
interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}
interface Element {
  readonly textContent: string | null
  readonly scrollWidth: number
  readonly clientWidth: number
  getAttribute(name: string): string | null
  getBoundingClientRect(): Box
  contains(other: Element | null): boolean
  scrollIntoView(options: { block: 'nearest' }): void
}
declare const document: {
  readonly documentElement: Element
  querySelectorAll(selector: string): Iterable<Element>
  elementFromPoint(x: number, y: number): Element | null
}
declare const innerWidth: number

/** Controls in the boxes matching `within` that are smaller than 44 px in either direction, by name and size. */
export const hardToHit = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate(
    ([wanted, box]) => {
      const faults: string[] = []
      const controls = 'button, a[href], [role=option], [role=menuitem], [role=menuitemradio], [role=tab]'
      for (const control of document.querySelectorAll(`:is(${box}) :is(${controls})`)) {
        // A control clipped by its list is whole once it is scrolled into view.
        control.scrollIntoView({ block: 'nearest' })
        const { left, top, width, height } = control.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        const hits = (atX: number, atY: number) => control.contains(document.elementFromPoint(atX, atY))
        if (width === 0 || !hits(x, y)) continue
        const reach = (stepX: number, stepY: number) => {
          let steps = 0
          while (steps < wanted && hits(x + stepX * (steps + 1), y + stepY * (steps + 1))) steps += 1
          return steps
        }
        const [wide, high] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
        const name = control.getAttribute('aria-label') ?? control.textContent?.slice(0, 40)
        if (wide < wanted || high < wanted) faults.push(`${name}: ${wide} × ${high}`)
      }
      return faults
    },
    [least, within] as const,
  )

/** Boxes that extend past the window or scroll sideways, by name. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('form, dialog, [role=dialog], [role=menu], [role=listbox]')]
    return [document.documentElement, ...boxes]
      .filter((box) => {
        const { left, right } = box.getBoundingClientRect()
        return box.scrollWidth > box.clientWidth + 1 || left < -0.5 || right > innerWidth + 0.5
      })
      .map((box) => box.getAttribute('aria-label') ?? box.textContent?.slice(0, 40) ?? '')
  })
