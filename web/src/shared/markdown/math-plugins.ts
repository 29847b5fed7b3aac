import 'katex/dist/katex.min.css'
import type { Options } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'

/** Formulas are set without links, images and styles of their own, and within bounds; what cannot be set shows as it was written. */
const settings = {
  trust: false,
  strict: 'ignore',
  // Ems, and steps: a formula can neither cover the page nor keep it busy.
  maxSize: 20,
  maxExpand: 300,
  errorColor: 'inherit',
} as const

/** What a parser of Markdown is extended by. */
export interface MarkdownPlugins {
  readonly remark: NonNullable<Options['remarkPlugins']>
  readonly rehype: NonNullable<Options['rehypePlugins']>
}

/** What the parser needs to read formulas marked by two dollar signs, and to set them. */
export const mathPlugins: MarkdownPlugins = {
  remark: [[remarkMath, { singleDollarTextMath: false }]],
  rehype: [[rehypeKatex, settings]],
}
