import { type Examined, splitCode } from './split-code.ts'

/**
 * Cleans what a user wrote for the model: adjacent repeated words become one, a letter repeated three times or more is written twice,
 * `!!`, `??` and `,,` become one mark and `....` an ellipsis. Code, addresses, numbers and scripts that are not alphabets stay as they are.
 * Work is linear in the length of the text.
 */
export function cleanText(text: string, examined: Examined = () => undefined): string {
  return splitCode(text, examined)
    .map((stretch) => (stretch.code ? stretch.text : cleanProse(stretch.text, examined)))
    .join('')
}

function cleanProse(text: string, examined: Examined): string {
  const out: string[] = []
  let gap = ''
  let previous: string | undefined
  for (const [chunk] of text.matchAll(/\s+|\S+/g)) {
    examined(chunk.length)
    if (/^\s/.test(chunk)) {
      gap = chunk
      continue
    }
    const cleaned = cleanChunk(chunk)
    // Lines that repeat may be verse or data.
    const repeats = cleaned.word !== undefined && cleaned.word === previous && !gap.includes('\n')
    out.push(repeats ? cleaned.tail : gap + cleaned.text)
    previous = cleaned.tail === '' ? (cleaned.word ?? undefined) : undefined
    gap = ''
  }
  out.push(gap)
  return out.join('')
}

interface CleanedChunk {
  readonly text: string
  /** In lower case, when the chunk begins with one word and nothing but marks follow. */
  readonly word: string | undefined
  /** The marks after it. */
  readonly tail: string
}

const address = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/|mailto:|www\.)/i
const head = /^[([{"'“‘«¡¿*~]*/
const tailMarks = new Set('.,!?;:)]}"\'”’»*~…')
/** Words and the punctuation that may join them without a space; any other character makes the chunk a number, a program's name or the like. */
const wordy = /^[\p{L}\p{M}'’,!?;…-]+$/u
const word = /^(?=.*\p{L})[\p{L}\p{M}'’-]+$/u
const alphabets = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}`
const alphabetic = new RegExp(`^[${alphabets}\\p{M}'’-]+$`, 'u')
const alphabeticLetter = new RegExp(`[${alphabets}]`, 'u')
const repeated = /(.)\1{2,}/gu
/** Matches most words at a tenth of the cost of the Unicode properties. */
const plainWord = /^[A-Za-z]+$/
/** Roman numbers are numbers. */
const fixed = /^(?:[IVXLCDM]+|www)$/

function cleanChunk(chunk: string): CleanedChunk {
  if (address.test(chunk)) return { text: chunk, word: undefined, tail: '' }
  const start = head.exec(chunk)?.[0].length ?? 0
  const end = tailStart(chunk, start)
  const core = chunk.slice(start, end)
  const plain = plainWord.test(core)
  const cleanCore = plain ? squeezeLetters(core) : wordy.test(core) ? collapseMarks(squeezeLetters(core)) : core
  const tail = collapseMarks(chunk.slice(end))
  const single = start === 0 && (plain || (word.test(core) && alphabetic.test(core)))
  return {
    text: collapseMarks(chunk.slice(0, start)) + cleanCore + tail,
    word: single ? cleanCore.toLowerCase() : undefined,
    tail,
  }
}

/** Where the trailing punctuation begins; counted from the end, since a regular expression anchored there would be tried at every position. */
function tailStart(chunk: string, start: number): number {
  let end = chunk.length
  while (end > start && tailMarks.has(chunk[end - 1] ?? '')) end -= 1
  return end
}

const squeezeLetters = (core: string): string =>
  core.length < 3 || fixed.test(core)
    ? core
    : core.replace(repeated, (run, letter: string) => (alphabeticLetter.test(letter) ? letter + letter : run))

const collapseMarks = (marks: string): string =>
  marks.length < 2 ? marks : marks.replace(/([!?,])\1+/g, '$1').replace(/\.{4,}/g, '…')
