import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { create } from 'zustand'

const usePrint = create(() => ({ printing: false }))

/** Draws what is on paper only, or no longer: synchronously, because the browser takes its snapshot right after it says so. */
export const setPrinting = (printing: boolean): void => flushSync(() => usePrint.setState({ printing }))
const begin = (): void => setPrinting(true)
const end = (): void => setPrinting(false)

/** Whether the page is being printed, for what is drawn on paper only. */
export function usePrinting(): boolean {
  useEffect(() => {
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return usePrint((state) => state.printing)
}

/** What `printPage` waits for: parts of the page that are not yet as they should be printed. */
export const drawing = new Set<Promise<unknown>>()

/** Has `printPage` wait for a part of the page. @param work never rejects */
export function drawBeforePrinting(work: Promise<unknown>): void {
  drawing.add(work)
  void work.then(() => drawing.delete(work))
}
