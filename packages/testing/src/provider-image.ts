import type { ScriptedImage } from './provider-script.ts'

/** A PNG of one pixel, as base64. */
export const tinyPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** OpenAI's answer to a call that makes an image. */
export function imageAnswer(image: ScriptedImage = { base64: tinyPng }): unknown {
  const created = 1_700_000_000
  if (image === 'none') return { created, data: [] }
  return { created, data: ['url' in image ? { url: image.url } : { b64_json: image.base64 }] }
}

/** The same within a chat completion, as OpenRouter does it. */
export function imageOfMessage(image: ScriptedImage): object {
  if (image === 'none') return {}
  const url = 'url' in image ? image.url : `data:image/png;base64,${image.base64}`
  return { images: [{ type: 'image_url', image_url: { url } }] }
}
