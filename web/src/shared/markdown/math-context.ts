import { createContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { retryImport } from '../lazy/index.ts'
import { drawBeforePrinting } from '../printing.ts'
import type { MathParts } from './math-parts.ts'

/** Loads the formula renderer once for all rows of a thread, so that a row scrolled into view is rendered with it immediately. */
export interface MathLoader {
  readonly store: StoreApi<{ readonly parts: MathParts | null }>
  /** Starts loading; idempotent. */
  load(): void
}

/** Null until loaded once. */
let loaded: MathParts | null = null

/** Loads the formula renderer for all loaders created later, so that formulas which are on the page already are not shown as source again. A failure is ignored. */
export async function prepareMath(): Promise<void> {
  loaded = await retryImport(() => import('./math-parts.ts')).then(
    ({ mathParts }) => mathParts,
    () => null,
  )
}

/** A loader in its initial state. */
export function createMathLoader(): MathLoader {
  const store = createStore<{ parts: MathParts | null }>(() => ({ parts: loaded }))
  let begun = false
  return {
    store,
    load: () => {
      if (begun) return
      begun = true
      const loading = retryImport(() => import('./math-parts.ts')).then(
        ({ mathParts }) => store.setState({ parts: mathParts }),
        // Formulas stay as source; the next one retries.
        () => {
          begun = false
        },
      )
      drawBeforePrinting(loading)
    },
  }
}

/** The loader of a thread, own or shared; outside of one formulas stay as source. */
export const MathContext = createContext<MathLoader>({
  store: createStore(() => ({ parts: null })),
  load: () => undefined,
})
