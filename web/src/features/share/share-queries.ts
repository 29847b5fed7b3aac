import type { ShareBody } from '@parley/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { endpoints, request } from '../../shared/api/index.ts'

/** The links of the signed-in user, latest first. */
export const sharesQuery = infiniteQueryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal, pageParam }) =>
    request(endpoints.shares, { query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/** The link of a chat, however old; null without one. Renewed with the links of the user. */
export const chatShareQuery = (chatId: string) =>
  queryOptions({
    queryKey: [...sharesQuery.queryKey, chatId],
    queryFn: async ({ signal }) => {
      const { items } = await request(endpoints.shares, { query: { chatId }, signal })
      return items.find((item) => item.chatId === chatId) ?? null
    },
  })

/** A preview of what visitors would see; the previous one is shown until the next is loaded. */
export const sharePreviewQuery = (body: ShareBody) =>
  queryOptions({
    queryKey: ['share-preview', body],
    queryFn: ({ signal }) => request(endpoints.sharePreview, { body, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
