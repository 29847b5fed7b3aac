import { useEffect, useState } from 'react'

let note: () => void
const drawn = new Promise<void>((resolve) => {
  note = resolve
})

/** Hides the placeholder of `index.html` once the application draws something in `root` other than that it is loading. */
export function observeFirstContent(root: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (root.querySelector(':scope > :not([data-loading])') === null) return
    delete document.documentElement.dataset.firstPaint
    observer.disconnect()
  })
  observer.observe(root, { childList: true })
}

/** Rendered next to a screen's content: removes the placeholder of `index.html`. */
export function FirstScreen() {
  useEffect(() => {
    document.getElementById('first-paint')?.remove()
    note()
  }, [])
  return null
}

/** Runs an act once the first screen is usable, so that loading for it delays nothing. Returns a function that cancels it. */
export function afterFirstScreen(act: () => void): () => void {
  let isOff = false
  void drawn.then(() => {
    if (!isOff) act()
  })
  return () => {
    isOff = true
  }
}

/** Whether the first screen is usable, for content that may load later. */
export function useFirstScreen(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => afterFirstScreen(() => setDrawn(true)), [])
  return isDrawn
}
