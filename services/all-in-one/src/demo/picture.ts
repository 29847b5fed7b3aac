import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const size = 512
/** The word DEMO as a bitmap. */
const word = ['##. ### #...# ###', '#.# #.. ##.## #.#', '#.# ##. #.#.# #.#', '#.# #.. #...# #.#', '##. ### #...# ###']
const square = 24
const [left, top] = [(size - 17 * square) / 2, (size - 5 * square) / 2]

/** A PNG for a description: a gradient of two colours derived from it behind the word DEMO. */
export function demoPicture(description: string): Buffer {
  const hash = createHash('sha256').update(description).digest()
  const [from, to] = [hash.subarray(0, 3), hash.subarray(3, 6)]
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size * 3)
    for (let x = 0; x < size; x += 1) {
      const share = (x + y) / (2 * size)
      const isLetter = word[Math.floor((y - top) / square)]?.[Math.floor((x - left) / square)] === '#'
      for (let part = 0; part < 3; part += 1) {
        const mixed = (from[part] ?? 0) * (1 - share) + (to[part] ?? 0) * share
        row[1 + x * 3 + part] = isLetter ? 255 : Math.round(mixed * 0.8)
      }
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const chunks = [
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${notice}`, 'latin1')),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

/** The notice in the file's metadata and in the answer. */
export const notice = 'A demo picture: no key of an image provider is configured, so no model has drawn it.'

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
