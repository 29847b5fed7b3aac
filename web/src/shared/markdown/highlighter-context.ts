import { createContext } from 'react'
import type { ThemedToken } from 'shiki/core'

/** A token of a highlighted line; its colour is a CSS variable defined by each theme. */
export type CodeToken = Pick<ThemedToken, 'content' | 'color' | 'fontStyle'>

/** Highlights code. Resolves to null for an unknown language or code that is too long. */
export interface Highlighter {
  highlight(code: string, language: string): Promise<readonly (readonly CodeToken[])[] | null>
}

/** The page's highlighter; without one code stays plain. */
export const HighlighterContext = createContext<Highlighter | null>(null)
