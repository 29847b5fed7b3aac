import sharp, { type Metadata, type Sharp } from 'sharp'
import type { ProcessedFile } from '../store/file-store.ts'
import { unusableFile } from './attachment-rules.ts'
import type { FileKind } from './file-kind.ts'

const maxPixels = 50_000_000
/** Bytes of one image, which is held in memory as a whole where it cannot be decoded line by line. */
const maxHeldBytes = 100_000_000
const maxFrames = 1_000
const longSide = 2_048
const thumbSide = 512
/** Providers take images up to about this size. */
const maxStoredBytes = 3_500_000
const seconds = 20

/**
 * Makes an image harmless and small: its first frame, upright, without anything that is no picture, as PNG or JPEG.
 * @throws AppError unsupported_media when it is damaged or beyond the caps
 */
export async function readImage(
  content: Uint8Array,
  kind: Exclude<FileKind, 'pdf'>,
  name: string,
): Promise<ProcessedFile> {
  const open = (): Sharp =>
    sharp(content, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, pages: 1 })
  try {
    const found = await open().metadata()
    refuseBeyondCaps(found, kind, name)
    const upright = open().autoOrient().timeout({ seconds })
    const inside = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const
    const picture = upright.resize(inside(longSide))
    const { data, info } = await encode(picture, isDrawn(found, kind))
    const thumb = await sharp(data).resize(inside(thumbSide)).webp({ quality: 80 }).timeout({ seconds }).toBuffer()
    const mimeType = info.format === 'png' ? 'image/png' : 'image/jpeg'
    return { mimeType, bytes: data, thumb, text: null, width: info.width, height: info.height, pages: null }
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error
    const isHuge = error instanceof Error && /pixel limit|timeout|too large/i.test(error.message)
    throw unusableFile(name, isHuge ? tooManyPixels : 'is damaged and can’t be read.', error)
  }
}

const tooManyPixels =
  'is too large an image. At most 50 megapixels can be read, 25 of a GIF or WebP, and fewer of a progressive image.'

function refuseBeyondCaps(found: Metadata, kind: FileKind, name: string): void {
  if (found.format !== kind) throw unusableFile(name, 'is damaged and can’t be read.')
  if ((found.pages ?? 1) > maxFrames) throw unusableFile(name, `has more than ${maxFrames} frames.`)
  if (heldBytes(found, kind) > maxHeldBytes) throw unusableFile(name, tooManyPixels)
}

/** Bytes that decoding an image holds at once, about; 0 for one that is read line by line. */
export function heldBytes(
  found: Pick<
    Metadata,
    'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'orientation' | 'chromaSubsampling'
  >,
  kind: FileKind,
): number {
  const pixels = found.width * found.height
  const channels = found.channels ?? 4
  // Coefficients of all passes at two bytes each; colour channels mostly have half as many.
  if (kind === 'jpeg')
    return found.isProgressive ? pixels * (found.chromaSubsampling === '4:2:0' ? 3 : 2 * channels) : 0
  // Their decoders draw the whole picture in four channels.
  if (kind === 'gif' || kind === 'webp') return pixels * 4
  const isTurned = (found.orientation ?? 1) > 1
  return found.isProgressive || isTurned ? pixels * channels * (found.depth === 'ushort' ? 2 : 1) : 0
}

/** True for what JPEG would spoil: see-through parts, and the sharp edges of what PNG and GIF are used for. */
const isDrawn = ({ hasAlpha }: Metadata, kind: FileKind): boolean =>
  hasAlpha === true || kind === 'png' || kind === 'gif'

async function encode(picture: Sharp, asPng: boolean) {
  const png = asPng ? await picture.clone().png().toBuffer({ resolveWithObject: true }) : undefined
  if (png !== undefined && png.data.byteLength <= maxStoredBytes) return png
  const onWhite = picture.flatten({ background: '#ffffff' })
  const fine = await onWhite.clone().jpeg({ quality: 90 }).toBuffer({ resolveWithObject: true })
  return fine.data.byteLength <= maxStoredBytes
    ? fine
    : await onWhite.jpeg({ quality: 70 }).toBuffer({ resolveWithObject: true })
}
