import type { Adapter } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { readStream } from './openai-stream.ts'

/** Chat completions by plain HTTP, for servers that an SDK's extra headers upset. */
export const fetchAdapter: Adapter = async function* (target, messages, signal) {
  const answer = await target.fetch(`${target.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(target.apiKey !== undefined && { authorization: `Bearer ${target.apiKey}` }),
      ...target.headers,
    },
    body: JSON.stringify(chatBody(target, messages)),
    signal,
  })
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel()
    throw Object.assign(new Error('The provider refused the call'), { status: answer.status, headers: answer.headers })
  }
  yield* readStream(answer.body)
}
