import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { create } from 'zustand'

const usePrint = create(() => ({ printing: false }))
const setPrinting = (printing: boolean): void => usePrint.setState({ printing })

/** What is still being drawn. */
const drawing = new Set<Promise<unknown>>()
/** Milliseconds that paper waits for it at most. */
const patienceMs = 10_000

/** Whether the page is being printed, for what is drawn on paper only. */
export function usePrinting(): boolean {
  useEffect(() => {
    // Synchronous, because the browser takes its snapshot right after the event.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return usePrint((state) => state.printing)
}

/** Says that a part of the page is not as it should be printed until `work` settles, and the page has been drawn again. */
export function drawBeforePrinting(work: Promise<unknown>): void {
  drawing.add(work)
  void work.catch(() => undefined).then(() => drawing.delete(work))
}

/** Prints the page once it is drawn, with what is drawn on paper only. The browser's own command prints it as it is. */
export async function printPage(): Promise<void> {
  flushSync(() => setPrinting(true))
  const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([drawn(), tooLong])
  window.print()
}

async function drawn(): Promise<void> {
  while (drawing.size > 0) await Promise.allSettled(drawing)
  // What was drawn is in the document after the next frame; an image has to be decoded, too.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  await Promise.allSettled(
    Array.from(document.querySelectorAll<HTMLImageElement>('.printed img'), (image) => image.decode()),
  )
}
