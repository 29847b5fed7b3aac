import { createContext } from 'react'
import type { Highlighter } from './highlight.ts'

/** The highlighter of the page; without one code stays plain. */
export const HighlighterContext = createContext<Highlighter | null>(null)
