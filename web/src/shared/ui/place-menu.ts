/** Position of a floating panel, as CSS lengths relative to the window. */
export interface Place {
  readonly top?: number
  readonly bottom?: number
  readonly left?: number
  readonly right?: number
  readonly maxHeight: number
}

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

const gap = 6
/** Maximum width of a menu. */
const widest = 288
/** Height of the longest menu with the targets of a touch screen. */
const highest = 420

/** Places a panel below the anchor, or above it if it may not fit below and there is more room; at the chosen edge, mirrored in right-to-left pages. */
export function placeBox(anchor: Box, width: number, height: number, align: 'start' | 'end', rtl: boolean): Place {
  const below = height - anchor.bottom
  const vertical =
    below >= anchor.top || below > highest
      ? { top: anchor.bottom + gap, maxHeight: below - 2 * gap }
      : { bottom: height - anchor.top + gap, maxHeight: anchor.top - 2 * gap }
  const within = (edge: number) => Math.max(gap, Math.min(edge, width - widest - gap))
  const horizontal =
    (align === 'start') === !rtl ? { left: within(anchor.left) } : { right: within(width - anchor.right) }
  return { ...vertical, ...horizontal }
}

/** `placeBox` for an element at its current position. */
export const placeMenu = (element: HTMLElement, align: 'start' | 'end'): Place =>
  placeBox(
    element.getBoundingClientRect(),
    document.documentElement.clientWidth,
    document.documentElement.clientHeight,
    align,
    document.documentElement.dir === 'rtl',
  )
