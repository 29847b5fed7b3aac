import { mathFromMarkdown } from 'mdast-util-math'
import { math } from 'micromark-extension-math'
import rehypeKatex from 'rehype-katex'
import { type MarkedMath, markMath } from './math-marks.ts'
import type { MathSyntax } from './parse-markdown.ts'

/** Formulas are rendered without links, images and own styles, and within limits; invalid ones are shown as source. */
const setFormulas = rehypeKatex({
  trust: false,
  strict: 'ignore',
  // In em, and a number of macro steps: a formula can neither cover the page nor block it.
  maxSize: 20,
  maxExpand: 300,
  errorColor: 'inherit',
})

type SetFormulas = typeof setFormulas

/** Markdown parser extensions that read formulas and render them. */
export interface MathParts extends MathSyntax {
  /** Normalises the delimiters of all formulas. */
  readonly mark: (text: string) => MarkedMath
}

/** Ignores warnings about invalid formulas, which are shown as source. */
const unheard = { message: () => undefined } as unknown as Parameters<SetFormulas>[1]

export const mathParts: MathParts = {
  mark: markMath,
  syntax: math({ singleDollarTextMath: false }),
  fromMarkdown: mathFromMarkdown(),
  set: (root) => setFormulas(root as Parameters<SetFormulas>[0], unheard),
}
