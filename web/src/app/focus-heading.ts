/**
 * Moves the focus to the heading of a new screen once that is rendered, if what had it is gone with the screen before. A screen that focuses a field itself
 * keeps that, as does a link of a sidebar that stays. @param left aborts when the screen is left
 */
export function focusHeading(left: AbortSignal): void {
  if (left.aborted) return
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  left.addEventListener('abort', () => observer.disconnect())
  look()

  function look() {
    const focused = document.activeElement
    // While a screen loads, the one before is still there, but hidden. A drawer gives the focus back to its button.
    const isLost = focused === document.body || !focused?.checkVisibility() || focused.matches('[data-toggle]')
    const heading = [...document.querySelectorAll('h1')].find((each) => each.checkVisibility())
    if (isLost && !heading) return
    observer.disconnect()
    if (!isLost || !heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
}
