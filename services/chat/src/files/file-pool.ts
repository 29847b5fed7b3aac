import { createLimiter } from '@parley/kit'
import type { ProcessedFile } from '../store/file-store.ts'
import { unsupportedFile } from './attachment-rules.ts'
import { fileKindOf } from './file-kind.ts'
import { readImage } from './image-reader.ts'
import { pdfCaps, readPdf } from './pdf-reader.ts'

/** Checks files by their content and makes them harmless, a few at a time, each within caps of memory and time. */
export type FilePool = ReturnType<typeof createFilePool>

/** Together with their caps these keep what is read at once below the memory that deploy gives chat; see the README. */
const pdfsAtOnce = 1
const imagesAtOnce = 2
const mostWaiting = 100

/** A pool that holds nothing until it is used. */
export function createFilePool() {
  const pdfs = createLimiter(pdfsAtOnce, mostWaiting)
  const images = createLimiter(imagesAtOnce, mostWaiting)
  const closing = new AbortController()
  return {
    /** @throws AppError unsupported_media with the name of the file, unavailable when too many wait */
    async process(content: Uint8Array, name: string): Promise<ProcessedFile> {
      const kind = await fileKindOf(content)
      if (kind === undefined) throw unsupportedFile(name)
      return kind === 'pdf'
        ? await pdfs.run(() => readPdf(content, name, pdfCaps, closing.signal))
        : await images.run(() => readImage(content, kind, name))
    },
    /** Ends what runs. Idempotent. */
    close: () => closing.abort(),
  }
}
