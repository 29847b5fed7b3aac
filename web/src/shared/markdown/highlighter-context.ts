import { createContext } from 'react'
import type { ThemedToken } from 'shiki/core'

/** A piece of a highlighted line; the colour is a CSS variable that each theme fills. */
export type CodeToken = Pick<ThemedToken, 'content' | 'color' | 'fontStyle'>

/** Colours code. Answers null for a language it does not know or code too long to be worth it. */
export interface Highlighter {
  highlight(code: string, language: string): Promise<readonly (readonly CodeToken[])[] | null>
}

/** The highlighter of the page; without one code stays plain. */
export const HighlighterContext = createContext<Highlighter | null>(null)
