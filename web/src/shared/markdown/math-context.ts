import { createContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { retryImport } from '../lazy/index.ts'
import type { MathParts } from './math-parts.ts'

/** Whether a text may hold a formula at all, which is quick to tell. */
export const mayHaveMath = (text: string): boolean => /\$|\\[([]/.test(text)

/** What sets formulas, once a text had one: the rows of a thread share it, so that one that scrolls into view is drawn with it at once. */
export interface MathLoader {
  readonly store: StoreApi<{ readonly parts: MathParts | null }>
  /** Loads it; does nothing when that has begun. */
  load(): void
}

/** A loader that has loaded nothing. */
export function createMathLoader(): MathLoader {
  const store = createStore<{ parts: MathParts | null }>(() => ({ parts: null }))
  let begun = false
  return {
    store,
    load: () => {
      if (begun) return
      begun = true
      retryImport(() => import('./math-parts.ts')).then(
        ({ mathParts }) => store.setState({ parts: mathParts }),
        // Without it formulas stay as they were written, and the next one tries again.
        () => {
          begun = false
        },
      )
    },
  }
}

/** The loader of the thread; outside of one formulas stay as they were written. */
export const MathContext = createContext<MathLoader>({
  store: createStore(() => ({ parts: null })),
  load: () => undefined,
})
