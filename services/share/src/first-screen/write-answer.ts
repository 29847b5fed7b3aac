import { boundBlock, mergeBlocks, parseMarkdown, readCode, splitBlocks, topLevelOf } from '@parley/markdown'
import { elementHtml, type Html, joined } from './html.ts'
import { beginningOf, roomOf } from './measure-text.ts'
import { writeCode, writePlain } from './write-code.ts'
import { writeTree } from './write-tree.ts'

/** UTF-16 units of an answer that are looked at. */
const mostRead = 40_000
/** Blocks in an element, and the number of elements from which on those out of sight are not laid out; as the page's script has them. */
const partSize = 12
const manyParts = 4

/** Writes the blocks at the beginning of an answer, the last of them being the one that fills the room that is left. */
export function writeAnswer(content: string, room: number): Html {
  const pieces = splitBlocks(content.slice(0, mostRead)).blocks
  const blocks = mergeBlocks(pieces)
  const topLevel = topLevelOf(pieces)
  const parts = Math.ceil(blocks.length / partSize)
  const written = firstOf(blocks, room).map((block) => writeBlock(block, topLevel))
  return elementHtml(
    'div',
    { class: 'markdown' },
    ...Array.from({ length: Math.ceil(written.length / partSize) }, (_, nth) => {
      const isDistant = parts >= manyParts && nth < parts - 1
      return elementHtml(
        'div',
        { class: isDistant ? 'markdown-part markdown-distant' : 'markdown-part' },
        ...written.slice(nth * partSize, (nth + 1) * partSize),
      )
    }),
  )
}

function firstOf(blocks: readonly string[], room: number): readonly string[] {
  let taken = 0
  const end = blocks.findIndex((block) => {
    taken += roomOf(block)
    return taken >= room
  })
  return end < 0 ? blocks : blocks.slice(0, end + 1)
}

function writeBlock(block: string, topLevel: number): Html {
  const code = readCode(block)
  if (code) return writeCode(beginningOf(code.code), code.language)
  const { markdown, rest } = boundBlock(beginningOf(block))
  return joined([
    ...(markdown === '' ? [] : [writeMarkdown(markdown, topLevel)]),
    ...(rest === '' ? [] : [writePlain(rest, 'plain-rest')]),
  ])
}

function writeMarkdown(markdown: string, topLevel: number): Html {
  try {
    return writeTree(parseMarkdown(markdown, { prefix: '', footnotesLabel: '' }, null), topLevel)
  } catch (error) {
    // The parser recursed too deeply; the text is readable without it.
    if (error instanceof RangeError) return writePlain(markdown)
    throw error
  }
}
