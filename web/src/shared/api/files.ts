import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpoints } from './endpoints.ts'
import { apiFetch, pathOf } from './http.ts'

/** How large a picture is wanted. */
type FileSize = 'full' | 'thumb'

/** Milliseconds that a file of up to 10 MB may take. */
const timeoutMs = 60_000
/** Milliseconds that the bytes of a file are kept after the last row that showed it is gone. */
const keptMs = 5 * 60_000

/** The bytes of one's own file, which only a call with the token gives. Throws ApiError. */
export async function readFile(id: string, size: FileSize = 'full', signal?: AbortSignal): Promise<Blob> {
  const path = pathOf(endpoints.file, { params: { id }, query: size === 'thumb' ? { size } : {} })
  return (await apiFetch(path, { timeoutMs, ...(signal && { signal }) })).blob()
}

const fileQuery = (id: string, size: FileSize) =>
  queryOptions({
    queryKey: ['file', id, size],
    queryFn: ({ signal }) => readFile(id, size, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  })

/** A `blob:` address for one's own file while the component is mounted; null until its bytes are here. An empty `id` asks for nothing. */
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
