import { readCode } from './split-blocks.ts'

/** The level of the footnotes' heading in a text without headings. */
const withoutHeading = 2

/** Level of the first heading in the blocks, from 1; ignores code. */
export function topLevelOf(blocks: readonly string[]): number {
  for (const block of blocks) {
    const marks = readCode(block) ? null : /^ {0,3}(#{1,6})\s/m.exec(block)
    if (marks?.[1]) return marks[1].length
  }
  return withoutHeading
}
