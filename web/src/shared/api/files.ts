import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpoints } from './endpoints.ts'
import { apiFetch, pathOf } from './http.ts'

type FileSize = 'full' | 'thumb'

/** Timeout in milliseconds for a file of up to 10 MB. */
const timeoutMs = 60_000
/** Milliseconds for which a file is cached after the last row that showed it is gone. */
const cachedMs = 5 * 60_000

/** Downloads one of the user's own files, which requires the token. Throws ApiError. */
export async function readFile(id: string, size: FileSize = 'full', signal?: AbortSignal): Promise<Blob> {
  const path = pathOf(endpoints.file, { params: { id }, query: size === 'thumb' ? { size } : {} })
  return (await apiFetch(path, { timeoutMs, ...(signal && { signal }) })).blob()
}

const fileQuery = (id: string, size: FileSize) =>
  queryOptions({
    queryKey: ['file', id, size],
    queryFn: ({ signal }) => readFile(id, size, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: cachedMs,
  })

/** A `blob:` URL for the user's own file while the component is mounted; null until it is loaded. An empty `id` loads nothing. */
export function useFileUrl(id: string, size: FileSize = 'full'): { url: string | null; failed: boolean } {
  const { data, isError } = useQuery({ ...fileQuery(id, size), enabled: id !== '' })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [data])
  return { url, failed: isError }
}

/** Returns a function that downloads the user's own file, once while it is cached. It throws ApiError. */
export function useFileLoader(id: string): () => Promise<Blob> {
  const client = useQueryClient()
  return () => client.fetchQuery(fileQuery(id, 'full'))
}
