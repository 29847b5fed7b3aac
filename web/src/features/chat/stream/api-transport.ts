import { apiFetch, endpoints, pathOf } from '../../../shared/api/index.ts'
import type { AnswerTransport } from './read-answer.ts'

/** Streams over the product's API; `onAnswer` gets the headers of every stream. */
export function createApiTransport(onAnswer: (headers: Headers) => void): AnswerTransport {
  const open = async (path: string, init: Parameters<typeof apiFetch>[1]): Promise<Response> => {
    const response = await apiFetch(path, { ...init, timeoutMs: 0 })
    onAnswer(response.headers)
    return response
  }
  return {
    send: (body, signal) =>
      open(pathOf(endpoints.send, {}), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(body),
        signal,
      }),
    resume: (id, after, signal) =>
      open(pathOf(endpoints.resume, { params: { id } }), {
        headers: { accept: 'text/event-stream', ...(after > 0 && { 'last-event-id': String(after) }) },
        signal,
      }),
  }
}
