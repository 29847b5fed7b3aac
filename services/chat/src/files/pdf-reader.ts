import { Worker } from 'node:worker_threads'
import type { ProcessedFile } from '../store/file-store.ts'
import { unusableFile } from './attachment-rules.ts'

/** A request to the worker thread. Text is counted in UTF-16 units. */
export interface PdfQuestion {
  readonly content: Uint8Array
  readonly maxPages: number
  readonly maxText: number
}
/** The worker's answer. */
export type PdfAnswer =
  | { readonly kind: 'read'; readonly pages: number; readonly text: string }
  | { readonly kind: 'encrypted' | 'damaged' | 'too-many-pages' | 'too-much' }

/**
 * The bounds on reading one PDF; `heapMb` are megabytes of objects, and `buffersMb` of buffers beside them. The memory is that of one thread, which the
 * container's limit in `deploy` takes into account.
 */
export const pdfCaps = { timeoutMs: 20_000, maxPages: 200, maxText: 400_000, heapMb: 128, buffersMb: 64 }
type PdfCaps = Readonly<typeof pdfCaps>

/** Buffers are no part of a thread's heap limit, so they are looked at this often, in milliseconds. */
const lookMs = 10

/**
 * Reads the text of a PDF in a thread of its own, which ends with it. The PDF itself is kept as it is.
 * @throws AppError unsupported_media when it is encrypted, damaged or beyond the caps
 */
export async function readPdf(
  content: Uint8Array,
  name: string,
  caps: PdfCaps,
  signal: AbortSignal,
): Promise<ProcessedFile> {
  const answer = await ask({ content, maxPages: caps.maxPages, maxText: caps.maxText }, caps, signal)
  if (answer.kind !== 'read') throw unusableFile(name, reasons(caps)[answer.kind])
  const { text, pages } = answer
  return { mimeType: 'application/pdf', bytes: content, thumb: null, text, width: null, height: null, pages }
}

const reasons = ({ maxPages }: PdfCaps) => ({
  encrypted: 'is protected by a password. Please remove the protection first.',
  damaged: 'is damaged and can’t be read.',
  'too-many-pages': `has too many pages. At most ${maxPages} can be read.`,
  'too-much': 'is too complex to read. Please use a smaller PDF.',
})

function ask(question: PdfQuestion, { heapMb, buffersMb, timeoutMs }: PdfCaps, stop: AbortSignal): Promise<PdfAnswer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const left = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  return new Promise<PdfAnswer>((resolve) => {
    const giveUp = (): void => resolve({ kind: 'too-much' })
    left.addEventListener('abort', giveUp, { once: true })
    const look = setInterval(() => {
      worker.getHeapStatistics().then(
        ({ external_memory: buffers }) => buffers > buffersMb * 1024 * 1024 && giveUp(),
        // The thread has ended already, and its own events say how.
        () => undefined,
      )
    }, lookMs)
    worker.once('message', resolve)
    // Out of memory, or a fault of the reader.
    worker.once('error', giveUp)
    worker.once('exit', () => {
      clearInterval(look)
      giveUp()
    })
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}
