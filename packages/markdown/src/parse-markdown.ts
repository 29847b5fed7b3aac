import { fromMarkdown, type Options } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { NoteNames } from './footnotes.ts'
import { type HastNode, limitDepth, markCitations } from './hast-tree.ts'
import { toElements } from './to-elements.ts'

/** Parser extensions that read formulas and render them. */
export interface MathSyntax {
  readonly syntax: NonNullable<Options['extensions']>[number]
  readonly fromMarkdown: NonNullable<Options['mdastExtensions']>[number]
  readonly set: (root: HastNode) => void
}

const syntax = gfm()

/** Without autolinked e-mail addresses: checking each word for one is more than half of the work, and most texts have none. */
const syntaxWithoutMail: typeof syntax = {
  ...syntax,
  text: Object.fromEntries(
    Object.entries(syntax.text ?? {}).map(([code, constructs]) => [
      code,
      [constructs ?? []].flat().filter(({ name }) => name !== 'emailAutolink'),
    ]),
  ),
}

/** Parses Markdown to HTML elements. Throws a RangeError when the parser recurses too deeply. */
export function parseMarkdown(text: string, names: NoteNames, math: MathSyntax | null): HastNode {
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
