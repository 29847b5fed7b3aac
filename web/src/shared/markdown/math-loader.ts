import { create } from 'zustand'
import { retryImport } from '../lazy/index.ts'
import { drawBeforePrinting } from '../printing.ts'
import type { MathParts } from './math-parts.ts'

/** The formula renderer of the page; null until it is loaded, and formulas are shown as source. */
export const useMath = create<{ readonly parts: MathParts | null }>(() => ({ parts: null }))

let loading: Promise<void> | null = null

/** Loads the formula renderer; idempotent. Never rejects: after a failure formulas stay as source, and the next one retries. */
export function loadMath(): Promise<void> {
  if (loading) return loading
  loading = retryImport(() => import('./math-parts.ts')).then(
    ({ mathParts }) => useMath.setState({ parts: mathParts }),
    () => {
      loading = null
    },
  )
  drawBeforePrinting(loading)
  return loading
}
