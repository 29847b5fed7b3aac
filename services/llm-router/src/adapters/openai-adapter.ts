import type { Adapter } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { openaiClient, openaiOptions } from './openai-client.ts'
import { readStream } from './openai-stream.ts'

/** Chat completions through the openai SDK, for OpenAI and compatible providers. */
export const openaiAdapter: Adapter = async (target, prompt, signal) => {
  const client = await openaiClient(target)
  // The SDK's own stream decoding takes several times as long per token.
  const answer = await client.chat.completions
    .create(chatBody(target, prompt), openaiOptions(target, signal))
    .asResponse()
  return readStream(answer.body)
}
