import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { NoteNames } from './footnotes.ts'
import { type HastNode, limitDepth, markCitations } from './hast-tree.ts'
import type { MathParts } from './math-parts.ts'
import { toElements } from './to-elements.ts'

/** What a Markdown text says, as elements of HTML. Throws a RangeError when a parser is led too deep. */
export function parseMarkdown(text: string, names: NoteNames, math: MathParts | null): HastNode {
  const document = fromMarkdown(text, {
    extensions: [gfm(), ...(math ? [math.syntax] : [])],
    mdastExtensions: [gfmFromMarkdown(), ...(math ? [math.fromMarkdown] : [])],
  })
  const root = toElements(document, names)
  limitDepth(root)
  markCitations(root)
  math?.set(root)
  return root
}
