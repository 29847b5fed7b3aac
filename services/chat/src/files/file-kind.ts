import { fileTypeFromBuffer } from 'file-type'

/** The kind of a file, decided by its content. */
export type FileKind = 'png' | 'jpeg' | 'webp' | 'gif' | 'pdf'

const kinds: Readonly<Record<string, FileKind>> = {
  'image/png': 'png',
  'image/apng': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
}

/** More is never needed to detect a kind, and the detection cannot unpack much from less. */
const head = 4_100
const zipEnd = Buffer.from('PK\u0005\u0006', 'latin1')
/** How far before the end of a ZIP archive its directory's end can be. */
const zipTail = 65_557
const pdfTail = 1_024

/** The kind of a file by its content; undefined for everything that is not taken, and for a PDF that is an archive, too. */
export async function fileKindOf(content: Uint8Array): Promise<FileKind | undefined> {
  const found = await fileTypeFromBuffer(content.subarray(0, head))
  const kind = found && kinds[found.mime]
  if (kind === 'pdf' && !isPlainPdf(Buffer.from(content.buffer, content.byteOffset, content.byteLength)))
    return undefined
  return kind
}

/** A PDF begins with its name and ends with its mark: what stands around one makes it something else to another reader. */
function isPlainPdf(content: Buffer): boolean {
  if (content.subarray(0, 5).toString('latin1') !== '%PDF-') return false
  let end = content.length
  while (end > 0 && isPadding(content[end - 1])) end -= 1
  if (content.subarray(Math.max(0, end - pdfTail), end).lastIndexOf('%%EOF') === -1) return false
  return content.subarray(-zipTail).lastIndexOf(zipEnd) === -1
}

const isPadding = (byte: number | undefined): boolean =>
  byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32
