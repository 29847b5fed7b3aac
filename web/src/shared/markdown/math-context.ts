import { createContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { retryImport } from '../lazy/index.ts'
import type { MarkdownPlugins } from './math-plugins.ts'

/** What sets formulas, once a text had one: the rows of a thread share it, so that one that scrolls into view is drawn with it at once. */
export interface MathLoader {
  readonly store: StoreApi<{ readonly plugins: MarkdownPlugins | null }>
  /** Loads it; does nothing when that has begun. */
  load(): void
}

/** A loader that has loaded nothing. */
export function createMathLoader(): MathLoader {
  const store = createStore<{ plugins: MarkdownPlugins | null }>(() => ({ plugins: null }))
  let begun = false
  return {
    store,
    load: () => {
      if (begun) return
      begun = true
      retryImport(() => import('./math-plugins.ts')).then(
        ({ mathPlugins }) => store.setState({ plugins: mathPlugins }),
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
  store: createStore(() => ({ plugins: null })),
  load: () => undefined,
})
