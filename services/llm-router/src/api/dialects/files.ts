import type { PromptPart } from '@parley/contracts'
import { AppError } from '@parley/kit'
import { imageFormat } from '../../images/image-format.ts'
import { maxImageBytes } from '../../images/read-image.ts'
import { readLimited } from '../../images/read-limited.ts'

/** Reads the files referenced by a prompt. */
export type PromptFiles = ReturnType<typeof createPromptFiles>

const wrong = (message: string): AppError =>
  new AppError('validation_failed', message, { details: [{ path: 'messages', message }] })

/** Bounds on the images that are fetched for one prompt, in the range of what providers accept; `ms` is for one of them. */
const fetched = { most: 100, bytes: 50 * 1024 * 1024, ms: 20_000 }

/** @param fetchOutside blocks private networks */
export function createPromptFiles(fetchOutside: typeof fetch, signal: AbortSignal) {
  let [images, bytesLeft] = [0, fetched.bytes]
  const bytesAt = async (url: string): Promise<Uint8Array> => {
    const base64 = dataOf(url, 'image/[a-z+.-]+')
    if (base64 !== undefined) return Buffer.from(base64, 'base64')
    if (!/^https?:/i.test(url)) throw wrong('An image is an http(s) address or a data URL')
    images += 1
    if (images > fetched.most) throw wrong(`At most ${fetched.most} images are fetched for a request`)
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(fetched.ms)])
      const answer = await fetchOutside(url, { headers: { accept: 'image/*' }, signal: inTime })
      if (answer.ok) {
        const bytes = await readLimited(answer.body, Math.min(maxImageBytes, bytesLeft))
        bytesLeft -= bytes.length
        return bytes
      }
      await answer.body?.cancel()
    } catch {
      // The reason is not disclosed, because it reveals facts about the network.
    }
    throw wrong('An image couldn’t be fetched')
  }
  return {
    /** @param url an http(s) URL, fetched without a key and not from private networks, or a data URL. @throws AppError validation_failed */
    async image(url: string, detail?: string): Promise<PromptPart> {
      const bytes = await bytesAt(url)
      const mimeType = imageFormat(bytes) ?? (isGif(bytes) ? 'image/gif' : undefined)
      if (mimeType === undefined) throw wrong('An image is none by its content')
      const level = detail === 'low' || detail === 'high' ? detail : 'auto'
      return { type: 'image', mimeType, data: Buffer.from(bytes).toString('base64'), detail: level }
    },
    /** @param url a data URL. @throws AppError validation_failed for an invalid PDF */
    file(url: string, name: string): PromptPart {
      const data = dataOf(url, 'application/pdf')
      if (data === undefined) throw wrong('A file is a data URL of a PDF')
      return { type: 'file', mimeType: 'application/pdf', data, name }
    },
  }
}

const isGif = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'GIF8'

function dataOf(url: string, type: string): string | undefined {
  const head = new RegExp(`^data:${type};base64,`, 'i').exec(url.slice(0, 100))?.[0]
  return head === undefined ? undefined : url.slice(head.length)
}
