import { setImmediate as breathe } from 'node:timers/promises'
import type { ThreadMessage } from '../store/entities.ts'

/** Between the messages of a segment; no folded text has it. */
export const separator = '\u0001'

/** UTF-16 units of a segment. The number of its grams is bounded by it, so that every engine takes it. */
const segmentLength = 16_000
/** UTF-16 units that a part of a long text repeats of the part before it: more than any folded query has, so that none is missed at their border. */
const repeatedLength = 1_000

/** A message whose text is to be found. */
type SearchableMessage = Pick<ThreadMessage, 'id' | 'content'>

/** Some messages of a chat that follow each other, or a part of a long one, as they are searched. */
export interface Segment {
  readonly messageIds: readonly string[]
  /** Their folded texts, with separators between them. */
  readonly text: string
  /** Stand for every one, two and three characters in a row, for this owner only. */
  readonly grams: readonly number[]
}

/** A text as it is compared: in any case, and one way of writing the same character. */
export const fold = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/[\p{Cc}\s]+/gu, ' ')

/** UTF-16 units that are folded in a row. */
const sliceLength = 32_768
/** Characters that belong to the previous slice: low surrogates, combining marks, and white space, of which a run is folded into one. */
const belongsBefore = /[\p{M}\s\p{Cc}\u1160-\u11ff\udc00-\udfff]/u

/** Folds the text, with pauses for other work, however long it is. */
export async function foldSlowly(text: string): Promise<string> {
  let folded = ''
  for (let from = 0; from < text.length; ) {
    if (from > 0) await breathe()
    const to = endOfSlice(text, from)
    folded += fold(text.slice(from, to))
    from = to
  }
  return folded
}

/** Where a slice can end; a run of marks that is longer than any word is cut through. */
function endOfSlice(text: string, from: number): number {
  const wanted = from + sliceLength
  const latest = Math.min(text.length, wanted + sliceLength)
  for (let end = wanted; end < latest; end += 1)
    if (!belongsBefore.test(String.fromCodePoint(text.codePointAt(end) ?? 0))) return end
  return latest
}

/** Cuts messages of one chat into segments, with pauses in which others have their turn. */
export async function segmentsOf(ownerId: string, messages: readonly SearchableMessage[]): Promise<Segment[]> {
  const segments: Segment[] = []
  let ids: string[] = []
  let text = ''
  const close = async (): Promise<void> => {
    if (ids.length > 0) segments.push({ messageIds: ids, text, grams: await gramsOf(ownerId, text) })
    ids = []
    text = ''
  }
  for (const { id, content } of messages) {
    for (const part of partsOf(await foldSlowly(content))) {
      if (ids.length > 0 && text.length + part.length > segmentLength) await close()
      text = ids.length === 0 ? part : `${text}${separator}${part}`
      ids.push(id)
    }
  }
  await close()
  return segments
}

/** A text in parts that fit into a segment each. */
function* partsOf(folded: string): Generator<string> {
  for (let from = 0; ; ) {
    const to = betweenCharacters(folded, from + segmentLength)
    yield folded.slice(from, to)
    if (to >= folded.length) return
    from = betweenCharacters(folded, to - repeatedLength)
  }
}

/** This place, or the one before it where a character would be cut in half. */
const betweenCharacters = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at)

/** The grams that a segment must have to contain a folded text. */
export function gramsOfQuery(ownerId: string, folded: string): number[] {
  const size = Math.min(3, folded.length)
  const seed = hash(firstSeed, ownerId, 0, ownerId.length)
  const grams = new Set<number>()
  for (let at = 0; at + size <= folded.length; at += 1) grams.add(hash(seed, folded, at, at + size))
  return [...grams]
}

async function gramsOf(ownerId: string, text: string): Promise<number[]> {
  const seed = hash(firstSeed, ownerId, 0, ownerId.length)
  const grams = new Set<number>()
  for (let at = 0; at < text.length; at += 1) {
    if (at % segmentLength === 0) await breathe()
    for (let end = at + 1; end <= Math.min(at + 3, text.length); end += 1) grams.add(hash(seed, text, at, end))
  }
  return [...grams]
}

const firstSeed = 0x811c9dc5

/** FNV-1a over UTF-16 units, as a signed number of 32 bits. */
function hash(seed: number, text: string, from: number, to: number): number {
  let value = seed
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return Math.imul(value ^ (value >>> 15), 0x85ebca6b) | 0
}
