import type { SdkType } from '@parley/contracts'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import type { Target } from './adapter.ts'
import { openaiClient, openaiOptions } from './openai-client.ts'
import { postJson } from './post-json.ts'

/**
 * Requests one image from one provider. Makes exactly one call, never retries, and ends soon after `signal` aborts.
 * Resolves to an unread successful response. Errors carry the provider's `status` and `headers`, if any.
 */
export type ImageAdapter = (target: Target, prompt: string, signal: AbortSignal) => Promise<Response>

/** OpenAI's Images API through its SDK; also offered by xAI and Google. */
const askForImage: ImageAdapter = async (target, prompt, signal) =>
  (await openaiClient(target)).images.generate(imageBody(target, prompt), openaiOptions(target, signal)).asResponse()

/** The same over plain HTTP. */
const postForImage: ImageAdapter = (target, prompt, signal) =>
  postJson(target, 'images/generations', { body: imageBody(target, prompt), accept: 'application/json', signal })

/** OpenRouter generates images in chat completions only. */
const askInChat: ImageAdapter = async (target, prompt, signal) => {
  const body = {
    model: target.apiModelName,
    messages: [{ role: 'user', content: prompt }],
    modalities: ['image', 'text'],
  }
  // The SDK's types lack this modality.
  const asked = body as unknown as ChatCompletionCreateParamsNonStreaming
  return (await openaiClient(target)).chat.completions.create(asked, openaiOptions(target, signal)).asResponse()
}

/** The image adapter of each SDK type; undefined where the provider generates no images. */
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

/** OpenAI's newer models always return bytes and refuse the parameter; all others return a URL by default. */
export const givesBytes = ({ provider, apiModelName }: Target): boolean =>
  provider === 'openai' && !apiModelName.startsWith('dall-e')
