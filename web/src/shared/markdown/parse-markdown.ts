import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { NoteNames } from './footnotes.ts'
import { type HastNode, limitDepth, markCitations } from './hast-tree.ts'
import type { MathParts } from './math-parts.ts'
import { toElements } from './to-elements.ts'

const syntax = gfm()

/** Without addresses of mail that are written as they are: to look for one at each word is more than half of the work, and most texts have none. */
const syntaxWithoutMail: typeof syntax = {
  ...syntax,
  text: Object.fromEntries(
    Object.entries(syntax.text ?? {}).map(([code, constructs]) => [
      code,
      [constructs ?? []].flat().filter(({ name }) => name !== 'emailAutolink'),
    ]),
  ),
}

/** What a Markdown text says, as elements of HTML. Throws a RangeError when a parser is led too deep. */
export function parseMarkdown(text: string, names: NoteNames, math: MathParts | null): HastNode {
  const document = fromMarkdown(text, {
    extensions: [text.includes('@') ? syntax : syntaxWithoutMail, ...(math ? [math.syntax] : [])],
    mdastExtensions: [gfmFromMarkdown(), ...(math ? [math.fromMarkdown] : [])],
  })
  const root = toElements(document, names)
  limitDepth(root)
  markCitations(root)
  math?.set(root)
  return root
}
