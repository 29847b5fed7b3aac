import type { Adapter } from './adapter.ts'
import { chatBody, readCompletion } from './openai-chunks.ts'
import { openaiClient, openaiOptions } from './openai-client.ts'

/** Chat completions through the openai SDK, for OpenAI and compatible providers. */
export const openaiAdapter: Adapter = (target, prompt) => {
  const body = chatBody(target, prompt)
  return async (signal) => {
    const client = await openaiClient(target)
    const answer = await client.chat.completions.create(body, openaiOptions(target, signal)).asResponse()
    return readCompletion(answer.body)
  }
}
