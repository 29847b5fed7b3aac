import {
  boundBlock,
  markMath,
  mayHaveMath,
  mergeBlocks,
  parseMarkdown,
  readCode,
  splitBlocks,
  topLevelOf,
} from '@parley/markdown'
import type { MathParts } from '@parley/markdown/math'
import { elementHtml, type Html, joined } from './html.ts'
import { beginningOf, roomOf } from './measure-text.ts'
import { writeCode, writePlain } from './write-code.ts'
import { writeTree } from './write-tree.ts'

/** UTF-16 units of an answer that are looked at. */
const mostRead = 40_000
/** Blocks in an element, and the number of elements from which on those out of sight are not laid out; as the page's script has them. */
const partSize = 12
const manyParts = 4
/** The weight of the formulas that are set in one block: each unit becomes some dozens of HTML. */
const mostFormulas = 1_500

/** Whether an answer has formulas among its first units. */
export const hasFormulas = (content: string): boolean =>
  mayHaveMath(content) && markMath(content.slice(0, mostRead)).weight > 0

/**
 * Writes the blocks at the beginning of an answer, the last of them being the one that fills the room that is left, or ends before a block with too many
 * formulas. Formulas are set by `math`; without it they stay as they were written.
 */
export function writeAnswer(content: string, room: number, math: MathParts | null): Html {
  const pieces = splitBlocks(content.slice(0, mostRead)).blocks
  const blocks = mergeBlocks(pieces)
  const topLevel = topLevelOf(pieces)
  const parts = Math.ceil(blocks.length / partSize)
  const written = firstOf(blocks, room).map((block) => writeBlock(block, topLevel, math))
  const shown = Math.ceil(written.length / partSize)
  return elementHtml(
    'div',
    { class: 'markdown' },
    ...Array.from({ length: shown }, (_, nth) => {
      const isDistant = parts >= manyParts && nth < parts - 1
      return elementHtml(
        'div',
        { class: `markdown-part${nth === shown - 1 ? ' markdown-last' : ''}${isDistant ? ' markdown-distant' : ''}` },
        ...written.slice(nth * partSize, (nth + 1) * partSize),
      )
    }),
  )
}

function firstOf(blocks: readonly string[], room: number): readonly string[] {
  const first: string[] = []
  let left = room
  for (const block of blocks) {
    if (left <= 0) break
    const bound = boundFormulas(block)
    if (bound !== '') first.push(bound)
    if (bound !== block) break
    left -= roomOf(block) + 2 * formulasOf(block)
  }
  return first
}

const formulasOf = (block: string): number => (mayHaveMath(block) ? markMath(block).weight : 0)

/** A block, or the beginning of those that it was merged of. */
function boundFormulas(block: string): string {
  if (formulasOf(block) <= mostFormulas) return block
  const pieces = splitBlocks(block).blocks
  let weight = 0
  const end = pieces.findIndex((piece) => {
    weight += formulasOf(piece)
    return weight > mostFormulas
  })
  return pieces.slice(0, end).join('\n\n')
}

function writeBlock(block: string, topLevel: number, math: MathParts | null): Html {
  const code = readCode(block)
  if (code) return writeCode(beginningOf(code.code), code.language)
  const { markdown, rest } = boundBlock(beginningOf(block))
  return joined([
    ...(markdown === '' ? [] : [writeMarkdown(markdown, topLevel, math)]),
    ...(rest === '' ? [] : [writePlain(rest, 'plain-rest')]),
  ])
}

function writeMarkdown(markdown: string, topLevel: number, math: MathParts | null): Html {
  const marked = math?.mark(markdown) ?? { text: markdown, weight: 0 }
  try {
    const names = { prefix: '', footnotesLabel: '' }
    return writeTree(parseMarkdown(marked.text, names, marked.weight > 0 ? math : null), topLevel)
  } catch (error) {
    // The parser recursed too deeply; the text is readable without it.
    if (error instanceof RangeError) return writePlain(markdown)
    throw error
  }
}
