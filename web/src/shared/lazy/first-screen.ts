import { useEffect, useState } from 'react'

let note: () => void
const drawn = new Promise<void>((resolve) => {
  note = resolve
})

/** Stands beside the content of a screen, which is there when this is: what `index.html` showed until then goes. */
export function FirstScreen() {
  useEffect(() => {
    document.getElementById('first-paint')?.remove()
    note()
  }, [])
  return null
}

/** Does something once a screen is there to be used, so that what is loaded for it holds up nothing. Answers what calls it off. */
export function afterFirstScreen(act: () => void): () => void {
  let isOff = false
  void drawn.then(() => {
    if (!isOff) act()
  })
  return () => {
    isOff = true
  }
}

/** Whether a screen is there to be used, for what may come after it. */
export function useFirstScreen(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => afterFirstScreen(() => setDrawn(true)), [])
  return isDrawn
}
