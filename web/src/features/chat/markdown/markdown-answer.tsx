import { Fragment, type ReactNode, useState } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import completeMarkdown from 'remend'
import { createBlockRenderer } from './block-renderer.ts'
import { safeLink } from './link-policy.ts'
import './markdown.css'
import { markdownComponents } from './markdown-components.tsx'
import { splitBlocks } from './split-blocks.ts'

const plugins = [remarkGfm]
const whenOpen = markdownComponents(true)
const whenClosed = markdownComponents(false)

/** An answer's text drawn as Markdown. While `growing`, marks that are not closed yet are closed for the eye. */
export function MarkdownAnswer({ text, growing }: { text: string; growing: boolean }) {
  const [draw] = useState(() => createBlockRenderer(drawBlock))
  const { blocks, fenceOpen } = splitBlocks(text)
  const last = blocks.length - 1
  const shown = growing ? blocks.map((block, index) => (index === last ? complete(block) : block)) : blocks
  return (
    <div className="markdown" dir="auto">
      {draw({ blocks: shown, fenceOpen: growing && fenceOpen })}
    </div>
  )
}

const complete = (block: string) => completeMarkdown(block, { linkMode: 'text-only' })

function drawBlock(block: string, open: boolean, index: number): ReactNode {
  // Called as the function it is, as an element would be parsed again with every rendering of its parent.
  return (
    <Fragment key={index}>
      {Markdown({
        children: block,
        remarkPlugins: plugins,
        urlTransform: safeLink,
        components: open ? whenOpen : whenClosed,
      })}
    </Fragment>
  )
}
