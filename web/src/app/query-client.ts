import { QueryClient } from '@tanstack/react-query'
import { isApiError } from '../shared/api/index.ts'

const maxRetries = 2

// A refusal stays one however often it is asked for; only the absence of an answer may pass.
const worthRetrying = (error: unknown): boolean => !isApiError(error) || error.status === 0 || error.status >= 502

/** A cache of server answers for one person. */
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
