import { isApiError } from '../shared/api/index.ts'

const mayPass: readonly number[] = [401, 408, 429]

/** What can be done about a guest's chat that was not taken: another try, or nothing, since the answer would stay the same. */
export const afterFailure = (error: unknown): 'retry' | 'discard' =>
  isApiError(error) && error.status >= 400 && error.status < 500 && !mayPass.includes(error.status)
    ? 'discard'
    : 'retry'
