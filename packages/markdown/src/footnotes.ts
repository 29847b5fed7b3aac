import { normalizeUri } from 'micromark-util-sanitize-uri'
import { element, type HastNode, inLines, text } from './hast-tree.ts'
import { keyOf, type MarkdownNode } from './markdown-node.ts'

export interface NoteNames {
  /** Prefix of ids, so that those of two texts differ. */
  readonly prefix: string
  readonly footnotesLabel: string
}

/** The footnotes of one text, numbered in order of their first mention. */
export type Footnotes = ReturnType<typeof createFootnotes>

export function createFootnotes(
  { prefix, footnotesLabel }: NoteNames,
  definitions: ReadonlyMap<string, MarkdownNode>,
  drawAll: (node: MarkdownNode) => HastNode[],
) {
  /** Number of mentions of each note, in order of the first one. */
  const mentions = new Map<string, number>()
  const idOf = (key: string) => normalizeUri(key.toLowerCase())
  const nthOf = (nth: number) => (nth > 1 ? `-${nth}` : '')

  /** The number at a mention, linked to the note. */
  const drawMark = (mention: MarkdownNode): HastNode => {
    const key = keyOf(mention)
    const nth = (mentions.get(key) ?? 0) + 1
    mentions.set(key, nth)
    const number = [...mentions.keys()].indexOf(key) + 1
    const link = element('a', [text(String(number))], {
      href: `#${prefix}fn-${idOf(key)}`,
      id: `${prefix}fnref-${idOf(key)}${nthOf(nth)}`,
      dataFootnoteRef: true,
      ariaDescribedBy: ['footnote-label'],
    })
    return element('sup', [link])
  }

  /** Links back to each mention of the note. */
  const drawWaysBack = (key: string, number: number): HastNode[] =>
    Array.from({ length: mentions.get(key) ?? 0 }, (_, at) => at + 1).flatMap((nth) => {
      const sign = nth > 1 ? [text('↩'), element('sup', [text(String(nth))])] : [text('↩')]
      const way = element('a', sign, {
        href: `#${prefix}fnref-${idOf(key)}${nthOf(nth)}`,
        dataFootnoteBackref: '',
        ariaLabel: `Back to reference ${number}${nthOf(nth)}`,
        className: ['data-footnote-backref'],
      })
      return nth > 1 ? [text(' '), way] : [way]
    })

  /** The list of notes; undefined if there are none. Call it after `drawMark` for the whole text. */
  const drawList = (): HastNode | undefined => {
    const bodies = new Map<string, HastNode[]>()
    // A note may mention others, which are appended to the list.
    for (const key of mentions.keys()) {
      const definition = definitions.get(key)
      if (definition) bodies.set(key, drawAll(definition))
    }
    const numbers = [...mentions.keys()]
    const items = [...bodies].map(([key, body]) => {
      const ways = drawWaysBack(key, numbers.indexOf(key) + 1)
      return element('li', inLines(endingWith(body, ways)), { id: `${prefix}fn-${idOf(key)}` })
    })
    if (items.length === 0) return undefined
    const heading = element('h2', [text(footnotesLabel)], { className: ['sr-only'], id: 'footnote-label' })
    return element('section', [heading, text('\n'), element('ol', inLines(items)), text('\n')], {
      dataFootnotes: true,
      className: ['footnotes'],
    })
  }
  return { drawMark, drawList }
}

/** Appends nodes to the text of the last block. */
function endingWith(blocks: readonly HastNode[], end: readonly HastNode[]): HastNode[] {
  const last = blocks.at(-1)
  if (last?.tagName !== 'p') return [...blocks, ...end]
  return [...blocks.slice(0, -1), { ...last, children: [...(last.children ?? []), text(' '), ...end] }]
}
