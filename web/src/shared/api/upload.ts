import type { Attachment } from '@parley/contracts'
import { getSession } from '../session/index.ts'
import { endpoints } from './endpoints.ts'
import { ApiError, readApiError } from './error.ts'
import { pathOf } from './http.ts'
import { apiOrigin } from './origin.ts'
import { refreshToken } from './refresh.ts'

/** Upload timeout in milliseconds, generous for slow connections. */
const uploadMs = 5 * 60_000

/**
 * Uploads a file and reports its progress from 0 to 1. An expired token is refreshed and the upload retried once.
 * Throws ApiError, and AbortError when `signal` aborts.
 */
export async function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const { token, user } = getSession()
  const first = await post(file, onProgress, signal)
  if (first.ok) return attachmentOf(first)
  const error = await readApiError(first)
  const expired = token !== null && ['token_expired', 'unauthenticated'].includes(error.code)
  if (!expired || !(await refreshToken(token, user?._id))) throw error
  const second = await post(file, onProgress, signal)
  if (second.ok) return attachmentOf(second)
  throw await readApiError(second)
}

const attachmentOf = async (response: Response): Promise<Attachment> =>
  ((await response.json()) as { attachment: Attachment }).attachment

/** Uses XMLHttpRequest because `fetch` does not report upload progress. */
async function post(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<Response> {
  const url = `${await apiOrigin()}/api${pathOf(endpoints.upload, {})}`
  const { token } = getSession()
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    const fail = (error: unknown) => () => reject(error)
    call.open('POST', url)
    call.withCredentials = true
    call.timeout = uploadMs
    call.setRequestHeader('content-type', file.type)
    call.setRequestHeader('x-file-name', encodeURIComponent(file.name.toWellFormed()))
    if (token) call.setRequestHeader('authorization', `Bearer ${token}`)
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    call.onload = () => resolve(new Response(call.responseText, { status: call.status }))
    call.onerror = fail(new ApiError({ status: 0, code: 'network' }))
    call.ontimeout = fail(new ApiError({ status: 0, code: 'timeout' }))
    call.onabort = fail(new DOMException('Cancelled', 'AbortError'))
    signal.addEventListener('abort', () => call.abort(), { once: true })
    if (signal.aborted) reject(new DOMException('Cancelled', 'AbortError'))
    else call.send(file)
  })
}
