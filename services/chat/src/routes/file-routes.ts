import { chatRoutes } from '@parley/contracts'
import { actingUser, bodyLimitOf, mount, mountStream, validationFailed } from '@parley/kit'
import { encodeExtended } from 'content-disposition'
import type { IRouter, Response } from 'express'
import { userOf } from '../callers.ts'
import { maxFileBytes, tooLargeFile } from '../files/attachment-rules.ts'
import { cleanFileName } from '../files/file-name.ts'
import { listFiles } from '../files/own-files.ts'
import { createBodySlots, type SlotCounts } from './body-slots.ts'
import { createDownloads } from './downloads.ts'
import type { RouteParts } from './route-parts.ts'

/** Uploads that come at once, and how many may wait. */
const uploads: SlotCounts = { all: [48, 200], network: [12, 200], user: [2, 100] }

/** Uploading one's files, listing them and getting them back. */
export function addFileRoutes(router: IRouter, { files, stores, bodies, downloadMemory }: RouteParts): void {
  const slots = createBodySlots(uploads, bodies)
  const downloads = createDownloads(downloadMemory)
  mountStream(router, chatRoutes.upload, async ({ principal, headers }, response, request) => {
    const { ownerId } = userOf(principal)
    const name = readFileName(headers['x-file-name'])
    const body = {
      request,
      limit: maxFileBytes,
      drainLimit: bodyLimitOf(chatRoutes.upload),
      tooLarge: () => tooLargeFile(name),
    }
    const attachment = await slots.run(actingUser(principal), body, (bytes) => files.upload(ownerId, { name, bytes }))
    response.status(201).json({ attachment })
  })
  mount(router, chatRoutes.files, async ({ principal, query }) => {
    return { body: await listFiles(stores.files, userOf(principal).ownerId, query) }
  })
  mountStream(router, chatRoutes.file, async ({ principal, params, query, headers }, response) => {
    const file = await files.read(userOf(principal).ownerId, params.id, query.size)
    const etag = `"${params.id}-${query.size}"`
    if (headers['if-none-match'] === etag) {
      response.status(304).set(cacheHeaders(etag)).end()
      return
    }
    const write = (bytes: Uint8Array) => writeFile(response, { ...file, bytes }, etag)
    if (query.size === 'thumb') write(await file.bytes())
    else await downloads.send(actingUser(principal), file, response, write)
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
    'content-disposition': `${how}; filename*=${encodeExtended(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(bytes)
}
