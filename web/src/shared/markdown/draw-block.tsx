import { Fragment, type ReactNode } from 'react'
import Markdown, { type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { RenderBlock } from './block-renderer.ts'
import { boundBlock } from './bound-block.ts'
import { limitDepth, markCitations } from './hast-tree.ts'
import { safeLink } from './link-policy.ts'
import { Fence, markdownComponents } from './markdown-components.tsx'
import { markMath } from './math-marks.ts'
import type { MarkdownPlugins } from './math-plugins.ts'
import { PlainParts } from './plain-parts.tsx'
import { readCode } from './split-blocks.ts'

/** What the blocks of one text share. */
export interface DrawOptions {
  /** Begins the ids of this text's footnotes, so that those of two answers differ. */
  readonly prefix: string
  readonly footnotesLabel: string
  /** Level of the text's first heading, from 1. */
  readonly topLevel: number
  /** Null while no formula has been seen, or their renderer is on its way. */
  readonly math: MarkdownPlugins | null
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

function createDrawMarkdown({ prefix, footnotesLabel, topLevel, math }: DrawOptions) {
  const whenOpen = markdownComponents(true, topLevel)
  const whenClosed = markdownComponents(false, topLevel)
  const urlTransform = (url: string) => (url.startsWith(`#${prefix}`) ? url : safeLink(url))
  const shared: Options = {
    urlTransform,
    remarkRehypeOptions: { clobberPrefix: prefix, footnoteLabel: footnotesLabel },
  }
  const settings = (withMath: boolean): Options => ({
    ...shared,
    remarkPlugins: [remarkGfm, ...(withMath && math ? math.remark : [])],
    rehypePlugins: [limitDepth, markCitations, ...(withMath && math ? math.rehype : [])],
  })
  return (block: string, open: boolean): ReactNode => {
    const marked = math ? markMath(block) : { text: block, found: false }
    try {
      // Called as the function it is, as an element would be parsed again with every rendering of its parent.
      return Markdown({ children: marked.text, ...settings(marked.found), components: open ? whenOpen : whenClosed })
    } catch (error) {
      // A parser that was led too deep; the text can be read without it.
      if (error instanceof RangeError) return <PlainParts text={block} />
      throw error
    }
  }
}
