import type { ScriptedImage } from './script.ts'

/** A PNG of one pixel, in base64. */
export const tinyPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** An image response in OpenAI's format. */
export function imageAnswer(image: ScriptedImage = { base64: tinyPng }): unknown {
  const created = 1_700_000_000
  if (image === 'none') return { created, data: [] }
  if ('url' in image) return { created, data: [{ url: image.url }] }
  const { base64, revisedPrompt } = image
  return { created, data: [{ b64_json: base64, ...(revisedPrompt && { revised_prompt: revisedPrompt }) }] }
}

/** The image in a chat completion, in OpenRouter's format. */
export function imageOfMessage(image: ScriptedImage): object {
  if (image === 'none') return {}
  const url = 'url' in image ? image.url : `data:image/png;base64,${image.base64}`
  return { images: [{ type: 'image_url', image_url: { url } }] }
}
