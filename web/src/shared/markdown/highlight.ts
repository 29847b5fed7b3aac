import type { ThemedToken } from 'shiki/core'
import { retryImport } from '../lazy/index.ts'

/** A token of a highlighted line; its colour is a CSS variable defined by each theme. */
export type CodeToken = Pick<ThemedToken, 'content' | 'color' | 'fontStyle'>

/** Highlights code, with code that is loaded for the first one. Resolves to null for an unknown language or code that is too long. */
export async function highlight(code: string, language: string): Promise<readonly (readonly CodeToken[])[] | null> {
  const { colourCode } = await retryImport(() => import('./colour-code.ts'))
  return colourCode(code, language)
}
