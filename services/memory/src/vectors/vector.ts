import { endianness } from 'node:os'

/** A text's meaning as a model sees it: of length 1. */
export type Vector = Float32Array

/** Reads little-endian 32-bit floats out of base64. */
export function vectorOf(base64: string): Vector {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  const whole = bytes.length - (bytes.length % Float32Array.BYTES_PER_ELEMENT)
  if (isBigEndian) Buffer.from(bytes.buffer, 0, whole).swap32()
  return new Float32Array(bytes.buffer, 0, whole / Float32Array.BYTES_PER_ELEMENT)
}
const isBigEndian = endianness() === 'BE'

/** How alike two texts are in meaning, -1 to 1: the cosine, as vectors are of length 1. 0 for those that cannot be compared. */
export function similarity(one: Vector, other: Vector): number {
  const { length } = one
  if (length !== other.length) return 0
  // Four sums at once, which do not wait for each other; each is declared by itself, or the loop takes four times as long.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const ofFours = length - (length % 4)
  for (let at = 0; at < ofFours; at += 4) {
    a += (one[at] as number) * (other[at] as number)
    b += (one[at + 1] as number) * (other[at + 1] as number)
    c += (one[at + 2] as number) * (other[at + 2] as number)
    d += (one[at + 3] as number) * (other[at + 3] as number)
  }
  for (let at = ofFours; at < length; at += 1) a += (one[at] as number) * (other[at] as number)
  return a + b + c + d
}
