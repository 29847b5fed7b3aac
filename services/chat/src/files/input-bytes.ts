import { type AttachmentInput, attachmentTypes } from '@parley/contracts'
import { isAppError, validationFailed } from '@parley/kit'
import type { PageFetcher } from '@parley/kit/egress'
import { maxFileBytes, tooLargeFile, unsupportedFile } from './attachment-rules.ts'
import { cleanFileName } from './file-name.ts'

/** A file as it came: its name for people, and its bytes. */
export interface NamedBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

const fetchMs = 15_000
/** Media types of servers that do not know better; the content decides anyway. */
const fetchedTypes = [...attachmentTypes, 'application/octet-stream', 'binary/octet-stream']
const ownUrl = /^\/api\/chat\/files\/([A-Za-z0-9_-]{1,64})$/
const idForm = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Reads what a sender attaches: bytes, or the id of a file that was uploaded before.
 * @throws AppError validation_failed, payload_too_large or unsupported_media
 */
export async function readInput(
  pages: PageFetcher,
  { id, dataUrl, url, name }: AttachmentInput,
): Promise<NamedBytes | { readonly id: string }> {
  const known = id ?? (url === undefined ? undefined : ownUrl.exec(url)?.[1])
  if (known !== undefined) {
    if (!idForm.test(known)) throw refused('Malformed file id')
    return { id: known }
  }
  if (dataUrl !== undefined) return decode(dataUrl, cleanFileName(name ?? 'file'))
  if (url === undefined || !/^https?:\/\//i.test(url))
    throw refused('An attachment has a dataUrl, an id or an http(s) url')
  return await fetchFile(pages, url, name)
}

/** @throws AppError */
function decode(dataUrl: string, name: string): NamedBytes {
  const comma = dataUrl.indexOf(',')
  if (!/^data:[^,]{0,200};base64$/i.test(dataUrl.slice(0, Math.min(comma, 300)))) {
    throw refused(`“${name}” has no base64 data URL`)
  }
  // Its length was checked before all are decoded.
  const bytes = Buffer.from(dataUrl.slice(comma + 1), 'base64')
  if (bytes.byteLength === 0) throw unsupportedFile(name)
  return { name, bytes }
}

async function fetchFile(pages: PageFetcher, url: string, given: string | undefined): Promise<NamedBytes> {
  const name = cleanFileName(given ?? nameIn(url))
  try {
    const page = await pages.fetch(url, { accept: fetchedTypes, maxBytes: maxFileBytes, timeoutMs: fetchMs })
    return { name, bytes: page.bytes }
  } catch (error) {
    if (isAppError(error, 'unsupported_media')) throw unsupportedFile(name)
    if (isAppError(error, 'payload_too_large')) throw tooLargeFile(name)
    throw isAppError(error, 'validation_failed') ? refused(`“${name}” couldn’t be fetched`) : error
  }
}

function nameIn(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    // A name that is not percent-encoded is shown unchanged.
    return last
  }
}

const refused = (message: string) => validationFailed([{ path: 'attachments', message }])
