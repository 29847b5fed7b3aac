import type { SplitText } from '@parley/markdown'

/** Renders one block; `open` when it ends inside an unfinished code fence. */
export type RenderBlock<Node> = (block: string, open: boolean, index: number) => Node

/**
 * Caches the rendered blocks of one text. Only blocks that changed since the last call are rendered again; the others are returned as the
 * same objects, which saves parsing and lets React skip them.
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
