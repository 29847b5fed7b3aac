import type { Adapter } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { openaiClient } from './openai-client.ts'
import { readStream } from './openai-stream.ts'

/** Chat completions by the openai SDK, for OpenAI and everybody who speaks like it. */
export const openaiAdapter: Adapter = async (target, prompt, signal) => {
  const client = await openaiClient(target)
  // The SDK's own decoding of the stream takes several times as long for each token.
  const answer = await client.chat.completions.create(chatBody(target, prompt), { signal }).asResponse()
  return readStream(answer.body)
}
