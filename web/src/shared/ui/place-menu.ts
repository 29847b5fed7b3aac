/** Where a floating panel stands, as CSS lengths in pixels of the window. */
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
/** As wide as a menu becomes. */
const widest = 288

/** Below the anchor, or above it where there is more room; at the chosen edge, mirrored in right-to-left pages. */
export function placeBox(anchor: Box, width: number, height: number, align: 'start' | 'end', rtl: boolean): Place {
  const below = height - anchor.bottom
  const vertical =
    below >= anchor.top || below > 320
      ? { top: anchor.bottom + gap, maxHeight: below - 2 * gap }
      : { bottom: height - anchor.top + gap, maxHeight: anchor.top - 2 * gap }
  const within = (edge: number) => Math.max(gap, Math.min(edge, width - widest - gap))
  const horizontal =
    (align === 'start') === !rtl ? { left: within(anchor.left) } : { right: within(width - anchor.right) }
  return { ...vertical, ...horizontal }
}

/** `placeBox` for an element of the page as it stands now. */
export const placeMenu = (element: HTMLElement, align: 'start' | 'end'): Place =>
  placeBox(
    element.getBoundingClientRect(),
    document.documentElement.clientWidth,
    document.documentElement.clientHeight,
    align,
    document.documentElement.dir === 'rtl',
  )
