import type { ShareBody } from '@parley/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { endpoints, request } from '../../shared/api/index.ts'

/** The links of the signed-in user, the latest first. */
export const sharesQuery = infiniteQueryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal, pageParam }) =>
    request(endpoints.shares, { query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/** What strangers would see; the answer before stays until the next one is here. */
export const sharePreviewQuery = (body: ShareBody) =>
  queryOptions({
    queryKey: ['share-preview', body],
    queryFn: ({ signal }) => request(endpoints.sharePreview, { body, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
