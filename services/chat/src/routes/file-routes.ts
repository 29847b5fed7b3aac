import { chatRoutes } from '@parley/contracts'
import { AppError, mountStream, validationFailed } from '@parley/kit'
import type { IRouter, Request, Response } from 'express'
import { userOf } from '../callers.ts'
import { maxFileBytes, tooLargeFile } from '../files/attachment-rules.ts'
import { cleanFileName } from '../files/file-name.ts'
import type { Files } from '../files/files.ts'
import { createGate, createKeyedGate } from '../gate.ts'

/** What the routes of files use. */
export interface FileRoutesDeps {
  readonly files: Files
}

/** Uploads that are held in memory at once, and how many may wait. */
const uploadsAtOnce = 8
const uploadsWaiting = 200
/** The same of one user, who may be slow. */
const ownAtOnce = 2
const ownWaiting = 100
/** Milliseconds for the bytes of one upload. */
const uploadMs = 120_000

/** Uploading one's files and getting them back. */
export function addFileRoutes(router: IRouter, { files }: FileRoutesDeps): void {
  const gate = createGate(uploadsAtOnce, uploadsWaiting)
  const owners = createKeyedGate(ownAtOnce, ownWaiting)
  mountStream(router, chatRoutes.upload, async ({ principal, headers }, response, request) => {
    const { ownerId } = userOf(principal)
    const name = readFileName(headers['x-file-name'])
    const take = async () => files.upload(ownerId, { name, bytes: await readBytes(request, name) })
    const attachment = await owners.run(ownerId, () => gate.run(take))
    response.status(201).json({ attachment })
  })
  mountStream(router, chatRoutes.file, async ({ principal, params, query, headers }, response) => {
    const file = await files.read(userOf(principal).ownerId, params.id, query.size)
    const etag = `"${params.id}-${query.size}"`
    if (headers['if-none-match'] === etag) {
      response.status(304).set(cacheHeaders(etag)).end()
      return
    }
    writeFile(response, { ...file, bytes: await file.bytes() }, etag)
  })
}

/** A name is percent-encoded, as a header holds nothing but ASCII. @throws AppError validation_failed when it is not */
function readFileName(header: string | string[] | undefined): string {
  if (header === undefined) return 'file'
  try {
    return cleanFileName(decodeURIComponent(String(header)))
  } catch {
    throw validationFailed([{ path: 'x-file-name', message: 'The name must be percent-encoded' }])
  }
}

const { bodyLimit = maxFileBytes } = chatRoutes.upload

/**
 * The bytes of a body. One that is refused is let go by to its end, as far as the route takes any: its sender may be deaf until it has sent all.
 * @throws AppError payload_too_large, unsupported_media when it is packed, or validation_failed when the sender left or took too long
 */
async function readBytes(request: Request, name: string): Promise<Uint8Array> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers
  const isPacked = encoding !== 'identity'
  const chunks: Buffer[] = []
  let [size, isTooLarge] = [0, Number(length) > maxFileBytes]
  const late = setTimeout(() => request.destroy(), uploadMs)
  try {
    // Destroying the request would take the connection that the answer goes over.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      isTooLarge ||= size > maxFileBytes
      if (isTooLarge || isPacked) chunks.length = 0
      else chunks.push(chunk)
      if (size > bodyLimit) break
    }
  } catch (error) {
    if (request.destroyed && !request.complete) throw new AppError('validation_failed', 'The upload broke off')
    throw error
  } finally {
    clearTimeout(late)
  }
  if (isTooLarge) throw tooLargeFile(name)
  if (isPacked) throw new AppError('unsupported_media', 'The body must not be compressed')
  return Buffer.concat(chunks, size)
}

/** The bytes of a file never change; who may have them does. */
const cacheHeaders = (etag: string) => ({
  etag,
  'cache-control': 'private, max-age=31536000, immutable',
  vary: 'authorization',
})

function writeFile(
  response: Response,
  { name, mimeType, bytes }: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array },
  etag: string,
): void {
  const how = mimeType === 'application/pdf' ? 'attachment' : 'inline'
  response.set({
    ...cacheHeaders(etag),
    'content-type': mimeType,
    'content-length': String(bytes.byteLength),
    'content-disposition': `${how}; filename*=UTF-8''${encodeFileName(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(bytes)
}

/** What RFC 8187 wants encoded beyond what the platform encodes. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
