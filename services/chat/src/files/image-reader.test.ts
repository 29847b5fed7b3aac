import { expect, it } from 'vitest'
import { heldBytes } from './image-reader.ts'

const found = { width: 1_000, height: 1_000, channels: 3, depth: 'uchar', isProgressive: false } as const

it.each([
  ['a JPEG that is read line by line', {}, 'jpeg', 0],
  ['a progressive JPEG', { isProgressive: true }, 'jpeg', 6_000_000],
  ['a progressive JPEG with half the colour', { isProgressive: true, chromaSubsampling: '4:2:0' }, 'jpeg', 3_000_000],
  ['a PNG that is read line by line', {}, 'png', 0],
  ['an interlaced PNG of 16 bits', { isProgressive: true, channels: 4, depth: 'ushort' }, 'png', 8_000_000],
  ['a PNG that lies on its side', { orientation: 6 }, 'png', 3_000_000],
  ['a GIF', {}, 'gif', 4_000_000],
  ['a WebP', {}, 'webp', 4_000_000],
] as const)('decoding %s of a megapixel is budgeted with its bytes in memory', (_what, more, kind, bytes) => {
  expect(heldBytes({ ...found, ...more }, kind)).toBe(bytes)
})
