import { boundBlock, type NoteNames, parseMarkdown, readCode, safeLink } from '@parley/markdown'
import { Fragment, type ReactNode } from 'react'
import type { RenderBlock } from './block-renderer.ts'
import { drawTree } from './draw-tree.ts'
import { Fence, markdownComponents } from './markdown-components.tsx'
import type { MathParts } from './math-parts.ts'
import { PlainParts } from './plain-parts.tsx'

/** Options shared by the blocks of one text. */
export interface DrawOptions extends NoteNames {
  /** Level of the text's first heading, from 1. */
  readonly topLevel: number
  /** Null until a formula was seen and its renderer has loaded. */
  readonly math: MathParts | null
}

/** Renders a text's blocks: code without a parser, Markdown with one, and blocks unfit for parsing as plain text. */
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
    const marked = math?.mark(block) ?? { text: block, weight: 0 }
    try {
      const root = parseMarkdown(marked.text, names, marked.weight > 0 ? math : null)
      return drawTree(root, { components: open ? whenOpen : whenClosed, urlTransform })
    } catch (error) {
      // The parser recursed too deeply; the text is readable without it.
      if (error instanceof RangeError) return <PlainParts text={block} />
      throw error
    }
  }
}
