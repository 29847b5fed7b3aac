import type { ThemedToken } from 'shiki/core'
import { retryImport } from '../lazy/index.ts'

/** A piece of a highlighted line; the colour is a CSS variable that each theme fills. */
export type CodeToken = Pick<ThemedToken, 'content' | 'color' | 'fontStyle'>

/** Colours code. Answers null for a language it does not know or code too long to be worth it. */
export interface Highlighter {
  highlight(code: string, language: string): Promise<readonly (readonly CodeToken[])[] | null>
}

/** A highlighter that loads what colours with the first code. */
export function createHighlighter(): Highlighter {
  let colouring: Promise<Highlighter> | null = null
  return {
    highlight: async (code, language) => {
      colouring ??= retryImport(async () => (await import('./colour-code.ts')).createColouring()).catch(
        (error: unknown) => {
          // The next code asks for it anew.
          colouring = null
          throw error
        },
      )
      return (await colouring).highlight(code, language)
    },
  }
}
