import type { SplitText } from './split-blocks.ts'

/** Draws one block; `open` when it ends inside a code fence that is still being written. */
export type RenderBlock<Node> = (block: string, open: boolean, index: number) => Node

/**
 * Remembers what each block of one text was drawn as. Only blocks that changed since the last call are drawn again, and the others come
 * back as the same objects, which spares their parsing and lets React skip them.
 */
export function createBlockRenderer<Node>(render: RenderBlock<Node>): (split: SplitText) => Node[] {
  let drawn: readonly { block: string; open: boolean; node: Node }[] = []
  return ({ blocks, fenceOpen }) => {
    drawn = blocks.map((block, index) => {
      const open = fenceOpen && index === blocks.length - 1
      const before = drawn[index]
      return before?.block === block && before.open === open
        ? before
        : { block, open, node: render(block, open, index) }
    })
    return drawn.map(({ node }) => node)
  }
}
