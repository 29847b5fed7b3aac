import { isApiError } from '../../../shared/api/index.ts'

/** The present state if another admin saved first (409); undefined for any other error. */
export const conflictOf = <Thing extends { version: number }>(error: unknown): Thing | undefined =>
  isApiError(error) && error.status === 409 && typeof error.current === 'object' && error.current !== null
    ? (error.current as Thing)
    : undefined
