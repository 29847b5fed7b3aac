import { createLimiter } from '@parley/kit'
import type { ProcessedFile } from '../store/file-store.ts'
import { unsupportedFile } from './attachment-rules.ts'
import { fileKindOf } from './file-kind.ts'
import { readImage } from './image-reader.ts'
import { type PdfCaps, pdfCaps, readPdf } from './pdf-reader.ts'

/** Checks files by their content and makes them harmless, a few at a time, each within caps of memory and time. */
export interface FilePool {
  /** @throws AppError unsupported_media with the name of the file, unavailable when too many wait */
  process(content: Uint8Array, name: string): Promise<ProcessedFile>
  /** Ends what runs. Idempotent. */
  close(): void
}

/** Together with their caps these keep what is read at once below the memory that deploy gives chat; see the README. */
const pdfsAtOnce = 1
const imagesAtOnce = 2
const mostWaiting = 100

/** A pool that holds nothing until it is used. */
export function createFilePool(caps: PdfCaps = pdfCaps): FilePool {
  const pdfs = createLimiter(pdfsAtOnce, mostWaiting)
  const images = createLimiter(imagesAtOnce, mostWaiting)
  const closing = new AbortController()
  return {
    async process(content, name) {
      const kind = await fileKindOf(content)
      if (kind === undefined) throw unsupportedFile(name)
      return kind === 'pdf'
        ? await pdfs.run(() => readPdf(content, name, caps, closing.signal))
        : await images.run(() => readImage(content, kind, name))
    },
    close: () => closing.abort(),
  }
}
