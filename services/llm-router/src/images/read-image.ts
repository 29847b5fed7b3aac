import { z } from 'zod'
import { type ImageFormat, imageFormat } from './image-format.ts'
import { readLimited } from './read-limited.ts'

/** Maximum size of an image in bytes. */
export const maxImageBytes = 20 * 1024 * 1024
/** A response holds the image as base64, plus some metadata. */
const maxAnswerBytes = Math.ceil(maxImageBytes / 3) * 4 + 1024 * 1024

/** An image with the media type detected from its content. */
export interface Image {
  readonly mimeType: ImageFormat
  readonly bytes: Uint8Array
}

const answerSchema = z.object({
  data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })).nullish(),
  choices: z
    .array(
      z.object({
        message: z.object({ images: z.array(z.object({ image_url: z.object({ url: z.string() }) })).nullish() }),
      }),
    )
    .nullish(),
})

/**
 * Extracts the image from a provider's response; one that is returned as a URL is fetched, without a key.
 * @param fetchOutside for URLs returned by the provider: blocks private networks
 * @throws Error when the image is missing, invalid, too large or cannot be fetched
 */
export async function readImage(answer: Response, fetchOutside: typeof fetch, signal: AbortSignal): Promise<Image> {
  const text = await readLimited(answer.body, maxAnswerBytes)
  const { data, choices } = answerSchema.parse(JSON.parse(text.toString()))
  const base64 = data?.[0]?.b64_json
  const url = data?.[0]?.url ?? choices?.[0]?.message.images?.[0]?.image_url.url
  if (base64) return imageOf(Buffer.from(base64, 'base64'))
  if (!url) throw new Error('The answer has no image')
  return imageOf(await bytesAt(url, fetchOutside, signal))
}

async function bytesAt(url: string, fetchOutside: typeof fetch, signal: AbortSignal): Promise<Uint8Array> {
  const [, base64] = /^data:image\/[a-z+]+;base64,(.+)$/is.exec(url) ?? []
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  if (!/^https?:/i.test(url)) throw new Error('The address of the image is none')
  const answer = await fetchOutside(url, { headers: { accept: 'image/*' }, signal })
  if (answer.ok) return readLimited(answer.body, maxImageBytes)
  await answer.body?.cancel()
  throw new Error('The image could not be fetched')
}

function imageOf(bytes: Uint8Array): Image {
  const mimeType = imageFormat(bytes)
  if (mimeType === undefined || bytes.length > maxImageBytes) throw new Error('The content is no image, or too large')
  return { mimeType, bytes }
}
