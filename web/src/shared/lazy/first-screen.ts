import { useEffect, useState } from 'react'

let note: () => void
const drawn = new Promise<void>((resolve) => {
  note = resolve
})

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
