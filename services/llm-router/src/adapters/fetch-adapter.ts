import type { Adapter } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { readStream } from './openai-stream.ts'
import { postJson } from './post-json.ts'

/** Chat completions by plain HTTP, for servers that an SDK's extra headers upset. */
export const fetchAdapter: Adapter = async (target, prompt, signal) => {
  const body = chatBody(target, prompt)
  const answer = await postJson(target, 'chat/completions', { body, accept: 'text/event-stream', signal })
  return readStream(answer.body)
}
