import { refusedCall } from '../completion/failure.ts'
import type { Target } from './adapter.ts'

/** A request body and its deadline. */
interface Post {
  readonly body: unknown
  readonly accept: string
  readonly signal: AbortSignal
}

/** Posts to a path of the model's base URL over plain HTTP. @throws Error with the provider's `status` and `headers` when it refuses */
export async function postJson(target: Target, path: string, { body, accept, signal }: Post): Promise<Response> {
  const answer = await target.fetch(`${target.baseUrl.replace(/\/+$/, '')}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept,
      ...(target.apiKey !== undefined && { authorization: `Bearer ${target.apiKey}` }),
      ...target.headers,
    },
    body: JSON.stringify(body),
    signal,
  })
  if (answer.ok) return answer
  const refused = await refusedCall(answer, answer.body)
  await answer.body?.cancel()
  throw refused
}
