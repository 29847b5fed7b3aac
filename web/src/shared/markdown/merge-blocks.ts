import { readCode } from './split-blocks.ts'

/** UTF-16 units of a block that is left alone, and of what small ones are put together to. */
const large = 1_000
const wanted = 2_000

/** Puts small blocks together that follow each other: a parser costs more to set up than to run over a paragraph. For a text that does not grow. */
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
