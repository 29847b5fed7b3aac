import type { Adapter } from './adapter.ts'
import { chatBody, readCompletion } from './openai-chunks.ts'
import { postJson } from './post-json.ts'

/** Chat completions over plain HTTP, for servers that do not accept an SDK's additional headers. */
export const fetchAdapter: Adapter = (target, prompt) => {
  const body = chatBody(target, prompt)
  return async (signal) => {
    const answer = await postJson(target, 'chat/completions', { body, accept: 'text/event-stream', signal })
    return readCompletion(answer.body)
  }
}
