import { Fragment, type ReactNode } from 'react'
import type { RenderBlock } from './block-renderer.ts'
import { boundBlock } from './bound-block.ts'
import { drawTree } from './draw-tree.ts'
import type { NoteNames } from './footnotes.ts'
import { safeLink } from './link-policy.ts'
import { Fence, markdownComponents } from './markdown-components.tsx'
import type { MathParts } from './math-parts.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { PlainParts } from './plain-parts.tsx'
import { readCode } from './split-blocks.ts'

/** What the blocks of one text share. */
export interface DrawOptions extends NoteNames {
  /** Level of the text's first heading, from 1. */
  readonly topLevel: number
  /** Null while no formula has been seen, or their renderer is on its way. */
  readonly math: MathParts | null
}

/** How the blocks of a text are drawn: code without a parser, Markdown by one, and what no parser should be given as it was written. */
export function createDrawBlock(options: DrawOptions): RenderBlock<ReactNode> {
  const draw = createDrawMarkdown(options)
  return (block, open, index) => {
    const code = readCode(block)
    if (code) return <Fence key={index} {...code} open={open} />
    const { markdown, rest } = boundBlock(block)
    return (
      <Fragment key={index}>
        {markdown !== '' && draw(markdown, open)}
        {rest !== '' && <PlainParts text={rest} className="plain-rest" />}
      </Fragment>
    )
  }
}

function createDrawMarkdown({ topLevel, math, ...names }: DrawOptions) {
  const whenOpen = markdownComponents(true, topLevel)
  const whenClosed = markdownComponents(false, topLevel)
  const urlTransform = (url: string) => (url.startsWith(`#${names.prefix}`) ? url : safeLink(url))
  return (block: string, open: boolean): ReactNode => {
    const marked = math?.mark(block) ?? { text: block, found: false }
    try {
      const root = parseMarkdown(marked.text, names, marked.found ? math : null)
      return drawTree(root, { components: open ? whenOpen : whenClosed, urlTransform })
    } catch (error) {
      // A parser that was led too deep; the text can be read without it.
      if (error instanceof RangeError) return <PlainParts text={block} />
      throw error
    }
  }
}
