import { QueryClient } from '@tanstack/react-query'
import { isApiError } from '../shared/api/index.ts'

const maxRetries = 2

// A refusal is final; only a missing response is worth a retry.
const worthRetrying = (error: unknown): boolean => !isApiError(error) || error.status === 0 || error.status >= 502

/** A cache of server responses for one user. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < maxRetries && worthRetrying(error),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  })
