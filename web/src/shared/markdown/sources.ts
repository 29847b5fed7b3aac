import type { SearchResult } from '@parley/contracts'
import { safeLink } from '@parley/markdown'
import { createContext } from 'react'

/** The pages found for an answer, numbered from 1. */
export const SourcesContext = createContext<readonly SearchResult[]>([])

/** Whether an answer may cite a page: it was actually read, and its URL is safe. */
export const isCitable = ({ summary, url }: SearchResult): boolean => summary !== undefined && safeLink(url) !== ''
