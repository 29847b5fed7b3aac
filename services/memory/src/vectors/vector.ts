import { endianness } from 'node:os'

/** The embedding of a text, a unit vector. */
export type Vector = Float32Array

/** Decodes little-endian 32-bit floats from base64. */
export function vectorOf(base64: string): Vector {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  const whole = bytes.length - (bytes.length % Float32Array.BYTES_PER_ELEMENT)
  if (isBigEndian) Buffer.from(bytes.buffer, 0, whole).swap32()
  return new Float32Array(bytes.buffer, 0, whole / Float32Array.BYTES_PER_ELEMENT)
}
const isBigEndian = endianness() === 'BE'

/** The cosine similarity of two unit vectors, -1 to 1; 0 for different lengths. */
export function similarity(one: Vector, other: Vector): number {
  const { length } = one
  if (length !== other.length) return 0
  // Four independent accumulators allow instruction-level parallelism; declaring them in one statement makes the loop four times slower.
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
