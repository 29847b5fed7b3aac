import { readCode } from './split-blocks.ts'

/** UTF-16 units: larger blocks are left alone, smaller ones are merged up to this size. */
const large = 1_000
const wanted = 2_000

/** Merges adjacent small blocks, because setting up a parser costs more than parsing a paragraph. Only for complete texts. */
export function mergeBlocks(blocks: readonly string[]): readonly string[] {
  const merged: string[] = []
  let current = ''
  const flush = () => {
    if (current !== '') merged.push(current)
    current = ''
  }
  for (const block of blocks) {
    if (block.length > large || readCode(block)) {
      flush()
      merged.push(block)
    } else {
      current = current === '' ? block : `${current}\n\n${block}`
      if (current.length >= wanted) flush()
    }
  }
  flush()
  return merged
}
