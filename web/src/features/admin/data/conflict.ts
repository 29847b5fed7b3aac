import { isApiError } from '../../../shared/api/index.ts'

/** What stands in the place of what was to be saved, when somebody else was first; undefined for any other failure. */
export const conflictOf = <Thing extends { version: number }>(error: unknown): Thing | undefined =>
  isApiError(error) && error.status === 409 && typeof error.current === 'object' && error.current !== null
    ? (error.current as Thing)
    : undefined
