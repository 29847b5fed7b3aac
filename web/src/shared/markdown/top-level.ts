import { readCode } from './split-blocks.ts'

/** That of the name of the footnotes, where a text has no heading of its own. */
const withoutHeading = 2

/** Level of the first heading that the blocks of a text have, from 1; what looks like one in code is none. */
export function topLevelOf(blocks: readonly string[]): number {
  for (const block of blocks) {
    const marks = readCode(block) ? null : /^ {0,3}(#{1,6})\s/m.exec(block)
    if (marks?.[1]) return marks[1].length
  }
  return withoutHeading
}
