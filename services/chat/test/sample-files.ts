import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A picture of one colour, as whatever kind. */
export const picture = async (
  kind: 'png' | 'jpeg' | 'webp' | 'gif',
  { width = 40, height = 20, colour = '#1090f0', alpha = 1 } = {},
): Promise<Buffer> =>
  await sharp({ create: { width, height, channels: 4, background: colour } })
    .ensureAlpha(alpha)
    .toFormat(kind)
    .toBuffer()

/** A photo that lies on its side and says where it was taken. */
export const sidewaysPhoto = async (): Promise<Buffer> =>
  await sharp({ create: { width: 40, height: 20, channels: 3, background: '#804020' } })
    .withExif({ IFD0: { Copyright: 'secret-place' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'secret-place' } } })
    .jpeg()
    .toBuffer()

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of any size in black and white, small as a file. */
export function plainPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** A GIF of one pixel that moves for so many frames. */
export function movingGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1')
  const control = '\x21\xf9\x04\x00\x01\x00\x00\x00'
  const frame = Buffer.from(`${control}\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00`, 'latin1')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

interface PdfParts {
  /** Objects 1, 2, …; LEN stands for the length of the object's stream. */
  readonly objects: readonly string[]
  /** Streams by the number of their object. */
  readonly streams?: Readonly<Record<number, Buffer>>
  readonly trailer?: string
}

/** A PDF of these objects, the first of which is its catalog. */
export function pdfOf({ objects, streams = {}, trailer = '' }: PdfParts): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const stream = streams[index + 1]
    const head = `${index + 1} 0 obj\n${object.replace('LEN', String(stream?.length))}\n`
    const body = stream === undefined ? [] : [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]
    const part = Buffer.concat([Buffer.from(head), ...body, Buffer.from('endobj\n')])
    offsets.push(at)
    at += part.length
    parts.push(part)
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\n`
  return Buffer.concat([...parts, Buffer.from(`${end}startxref\n${at}\n%%EOF\n`)])
}

const pageObjects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
]
const wordsOf = (words: string): Buffer => Buffer.from(`BT /F1 24 Tf 72 700 Td (${words}) Tj ET`)

/** A PDF of one page with this content. @param filter how the content is packed */
const pageWith = (content: Buffer, filter = ''): Buffer =>
  pdfOf({ objects: [...pageObjects, `<< /Length LEN ${filter}>>`], streams: { 5: content } })

/** A PDF that says this. */
export const pdfSaying = (words: string): Buffer => pageWith(wordsOf(words))

/** The same with so many bytes that no page needs. */
export const heavyPdf = (words: string, bytes: number): Buffer =>
  pdfOf({
    objects: [...pageObjects, '<< /Length LEN >>', '<< /Length LEN >>'],
    streams: { 5: wordsOf(words), 6: Buffer.alloc(bytes, words) },
  })

/** Takes a megabyte and becomes a thousand of them. */
export async function bombPdf(): Promise<Buffer> {
  const megabyte = Buffer.alloc(1024 * 1024, ' ')
  const packed = Readable.from(Array<Buffer>(1_000).fill(megabyte)).pipe(createDeflate({ level: 9 }))
  return pageWith(await buffer(packed), '/Filter /FlateDecode ')
}

/** Opens with a password only. */
export function lockedPdf(): Buffer {
  const key = `<${'00'.repeat(32)}>`
  const lock = `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${key} /U ${key} >>`
  return pdfOf({
    objects: ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'],
    trailer: `/Encrypt ${lock} /ID [<00> <00>] `,
  })
}

/** Of so many pages, all the same one. */
export const longPdf = (pages: number): Buffer =>
  pdfOf({
    objects: [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(pages)}] /Count ${pages} >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ],
  })

/** Claims to have so many pages, and has none. */
export const emptyPdf = (count: number): Buffer =>
  pdfOf({ objects: ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [] /Count ${count} >>`] })

/** Its table of contents leads to itself. */
export const endlessPdf = (): Buffer =>
  Buffer.from(
    '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF',
  )

/** Bytes as a data URL that claims this type. */
export const dataUrl = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`
