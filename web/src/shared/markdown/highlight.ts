import { retryImport } from '../lazy/index.ts'
import type { Highlighter } from './highlighter-context.ts'

/** A highlighter that loads its engine with the first code. */
export function createHighlighter(): Highlighter {
  let colouring: Promise<Highlighter> | null = null
  return {
    highlight: async (code, language) => {
      colouring ??= retryImport(async () => (await import('./colour-code.ts')).createColouring()).catch(
        (error: unknown) => {
          // The next code retries.
          colouring = null
          throw error
        },
      )
      return (await colouring).highlight(code, language)
    },
  }
}
