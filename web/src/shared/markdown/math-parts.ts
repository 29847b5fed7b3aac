import 'katex/dist/katex.min.css'
import { mathFromMarkdown } from 'mdast-util-math'
import { math } from 'micromark-extension-math'
import rehypeKatex from 'rehype-katex'
import type { HastNode } from './hast-tree.ts'
import { type MarkedMath, markMath } from './math-marks.ts'

/** Formulas are set without links, images and styles of their own, and within bounds; what cannot be set shows as it was written. */
const setFormulas = rehypeKatex({
  trust: false,
  strict: 'ignore',
  // Ems, and steps: a formula can neither cover the page nor keep it busy.
  maxSize: 20,
  maxExpand: 300,
  errorColor: 'inherit',
})

type SetFormulas = typeof setFormulas

/** What a parser of Markdown is extended by to read formulas, and to set them. */
export interface MathParts {
  /** Marks every formula in the way that is read. */
  readonly mark: (text: string) => MarkedMath
  readonly syntax: ReturnType<typeof math>
  readonly fromMarkdown: ReturnType<typeof mathFromMarkdown>
  readonly set: (root: HastNode) => void
}

/** Takes what is said of formulas that cannot be set, which show as they were written. */
const unheard = { message: () => undefined } as unknown as Parameters<SetFormulas>[1]

export const mathParts: MathParts = {
  mark: markMath,
  syntax: math({ singleDollarTextMath: false }),
  fromMarkdown: mathFromMarkdown(),
  set: (root) => setFormulas(root as Parameters<SetFormulas>[0], unheard),
}
