import type { Adapter } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { openaiClient, openaiOptions } from './openai-client.ts'
import { readStream } from './openai-stream.ts'

/** Chat completions through the openai SDK, for OpenAI and compatible providers. */
export const openaiAdapter: Adapter = (target, prompt) => {
  const body = chatBody(target, prompt)
  return async (signal) => {
    const client = await openaiClient(target)
    // The SDK's own stream decoding takes several times as long per token.
    const answer = await client.chat.completions.create(body, openaiOptions(target, signal)).asResponse()
    return readStream(answer.body)
  }
}
