import type { SdkType } from '@parley/contracts'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import type { Target } from './adapter.ts'
import { openaiClient } from './openai-client.ts'
import { postJson } from './post-json.ts'

/**
 * Asks one provider for one image. Makes exactly one call, never retries, and ends soon after `signal` aborts.
 * Resolves to the answer of a success, unread. Errors carry the provider's `status` and `headers` where it answered.
 */
export type ImageAdapter = (target: Target, prompt: string, signal: AbortSignal) => Promise<Response>

/** OpenAI's own way by its SDK, as xAI and Google offer it too. */
const askForImage: ImageAdapter = async (target, prompt, signal) =>
  (await openaiClient(target)).images.generate(imageBody(target, prompt), { signal }).asResponse()

/** The same by plain HTTP. */
const postForImage: ImageAdapter = (target, prompt, signal) =>
  postJson(target, 'images/generations', { body: imageBody(target, prompt), accept: 'application/json', signal })

/** OpenRouter makes images within chat completions only. */
const askInChat: ImageAdapter = async (target, prompt, signal) => {
  const body = {
    model: target.apiModelName,
    messages: [{ role: 'user', content: prompt }],
    modalities: ['image', 'text'],
  }
  // Its kind of output is not among those that the SDK knows.
  const asked = body as unknown as ChatCompletionCreateParamsNonStreaming
  return (await openaiClient(target)).chat.completions.create(asked, { signal }).asResponse()
}

/** Which adapter makes the images of a model's SDK type; none where the provider makes none. */
export const imageAdapters: Readonly<Record<SdkType, ImageAdapter | undefined>> = {
  'openai-sdk': askForImage,
  'xai-sdk': askForImage,
  openrouter: askInChat,
  'anthropic-sdk': undefined,
  fetch: postForImage,
}

function imageBody(target: Target, prompt: string) {
  const body = { model: target.apiModelName, prompt, n: 1 }
  return givesBytes(target) ? body : { ...body, response_format: 'b64_json' as const }
}

/** OpenAI's newer models give bytes always and refuse to be told so; everybody else gives an address unless told. */
export const givesBytes = ({ provider, apiModelName }: Target): boolean =>
  provider === 'openai' && !apiModelName.startsWith('dall-e')
