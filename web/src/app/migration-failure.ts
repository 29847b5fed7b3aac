import { isApiError } from '../shared/api/index.ts'

const mayPass: readonly number[] = [401, 408, 429]

/** What to do about a guest's chat that could not be migrated: retry, or discard because the result would be the same. */
export const afterFailure = (error: unknown): 'retry' | 'discard' =>
  isApiError(error) && error.status >= 400 && error.status < 500 && !mayPass.includes(error.status)
    ? 'discard'
    : 'retry'
