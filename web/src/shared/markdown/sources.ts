import type { SearchResult } from '@parley/contracts'
import { createContext } from 'react'
import { safeLink } from './link-policy.ts'

/** The pages that were found for an answer, the first of them as 1. */
export const SourcesContext = createContext<readonly SearchResult[]>([])

/** Whether an answer may cite a page: it was really read, and its address may be opened. */
export const isCitable = ({ summary, url }: SearchResult): boolean => summary !== undefined && safeLink(url) !== ''
