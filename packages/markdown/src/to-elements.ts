import { normalizeUri } from 'micromark-util-sanitize-uri'
import { createFootnotes, type Footnotes, type NoteNames } from './footnotes.ts'
import { element, type HastNode, inLines, text } from './hast-tree.ts'
import { keyOf, type MarkdownNode } from './markdown-node.ts'

interface Document {
  /** Link and image definitions, by {@link keyOf}. */
  readonly definitions: ReadonlyMap<string, MarkdownNode>
  readonly notes: Footnotes
  readonly drawAll: (node: MarkdownNode) => HastNode[]
}

type Drawn = HastNode | HastNode[] | undefined

/** Converts a parsed text to HTML elements; raw HTML in it has the type `raw`, except line breaks. */
export function toElements(root: MarkdownNode, names: NoteNames): HastNode {
  const definitions = new Map<string, MarkdownNode>()
  const noteTexts = new Map<string, MarkdownNode>()
  collect(root, definitions, noteTexts)
  const drawAll = (parent: MarkdownNode): HastNode[] => {
    const nodes = parent.children ?? []
    return nodes.flatMap((node, at) => {
      const drawn = draw(node, document, parent)
      return at > 0 && nodes[at - 1]?.type === 'break' ? trimmed(drawn) : (drawn ?? [])
    })
  }
  const notes = createFootnotes(names, noteTexts, drawAll)
  const document: Document = { definitions, notes, drawAll }
  const children = inLines(drawAll(root), false)
  const list = notes.drawList()
  return { type: 'root', children: list ? [...children, text('\n'), list] : children }
}

/** The first definition of a label wins. */
function collect(node: MarkdownNode, links: Map<string, MarkdownNode>, notes: Map<string, MarkdownNode>): void {
  const kind = { definition: links, footnoteDefinition: notes }[node.type]
  if (kind && !kind.has(keyOf(node))) kind.set(keyOf(node), node)
  for (const child of node.children ?? []) collect(child, links, notes)
}

/** A line after a hard break does not start with spaces. */
function trimmed(drawn: Drawn): HastNode | HastNode[] {
  if (!drawn || Array.isArray(drawn)) return drawn ?? []
  const first = drawn.type === 'text' ? drawn : drawn.children?.[0]
  if (first?.type === 'text') first.value = first.value?.replace(/^[ \t]+/, '') ?? ''
  return drawn
}

type DrawNode = (node: MarkdownNode, document: Document, parent: MarkdownNode) => Drawn

const drawAs =
  (tagName: string): DrawNode =>
  (node, { drawAll }) =>
    element(tagName, drawAll(node))

const drawers: Readonly<Record<string, DrawNode>> = {
  blockquote: (node, { drawAll }) => element('blockquote', inLines(drawAll(node))),
  break: () => [element('br'), text('\n')],
  code: ({ value, lang }) => {
    const [language] = lang?.split(/\s+/) ?? []
    // The class `language-math` is that of formulas, which have limits; code is not set as one.
    const properties = language ? { className: [`language-${language === 'math' ? 'latex' : language}`] } : {}
    return element('pre', [element('code', [text(value ? `${value}\n` : '')], properties)])
  },
  delete: drawAs('del'),
  emphasis: drawAs('em'),
  footnoteReference: (node, { notes }) => notes.drawMark(node),
  heading: (node, { drawAll }) => element(`h${node.depth}`, drawAll(node)),
  // The only HTML that Markdown has no other word for: lines in a cell of a table.
  html: ({ value = '' }) => (/^<br\s*\/?>$/i.test(value) ? [element('br'), text('\n')] : { type: 'raw', value }),
  image: (node) => drawImage(node, node),
  imageReference: (node, { definitions }) => {
    const definition = definitions.get(keyOf(node))
    return definition ? drawImage(node, definition) : text(`![${node.alt}${endOf(node)}`)
  },
  inlineCode: ({ value = '' }) => element('code', [text(value.replace(/\r?\n|\r/g, ' '))]),
  link: (node, { drawAll }) => element('a', drawAll(node), { href: normalizeUri(node.url ?? ''), ...titleOf(node) }),
  linkReference: (node, { definitions, drawAll }) => {
    const definition = definitions.get(keyOf(node))
    const children = drawAll(node)
    if (!definition) return [text('['), ...children, text(endOf(node))]
    return element('a', children, { href: normalizeUri(definition.url ?? ''), ...titleOf(definition) })
  },
  list: drawList,
  listItem: drawItem,
  paragraph: drawAs('p'),
  strong: drawAs('strong'),
  table: drawTable,
  // A run of spaces is read from its start only, so that a long one takes linear time.
  text: ({ value = '' }) => text(value.replace(/(?<![ \t])[ \t]*(\r?\n|\r)[ \t]*/g, '$1')),
  thematicBreak: () => element('hr'),
}

function draw(node: MarkdownNode, document: Document, parent: MarkdownNode): Drawn {
  const { hName, hProperties = {}, hChildren = [] } = node.data ?? {}
  if (hName !== undefined) return element(hName, [...hChildren] as HastNode[], { ...hProperties })
  return drawers[node.type]?.(node, document, parent)
}

const titleOf = ({ title }: MarkdownNode) => (typeof title === 'string' ? { title } : {})

const drawImage = ({ alt }: MarkdownNode, target: MarkdownNode): HastNode =>
  element('img', [], {
    src: normalizeUri(target.url ?? ''),
    ...(typeof alt === 'string' && { alt }),
    ...titleOf(target),
  })

/** The closing syntax of an unresolved reference, which is shown as source. */
function endOf({ referenceType, label, identifier }: MarkdownNode): string {
  if (referenceType === 'full') return `][${label || identifier}]`
  return referenceType === 'collapsed' ? '][]' : ']'
}

function drawList(node: MarkdownNode, { drawAll }: Document): HastNode {
  const hasTasks = node.children?.some(({ checked }) => typeof checked === 'boolean')
  return element(node.ordered ? 'ol' : 'ul', inLines(drawAll(node)), {
    ...(typeof node.start === 'number' && node.start !== 1 && { start: node.start }),
    ...(hasTasks && { className: ['contains-task-list'] }),
  })
}

const isLoose = ({ spread, children = [] }: MarkdownNode): boolean => spread ?? children.length > 1

function drawItem(node: MarkdownNode, { drawAll }: Document, list: MarkdownNode): HastNode {
  const loose = list.spread || (list.children ?? []).some(isLoose)
  const isTask = typeof node.checked === 'boolean'
  const blocks = isTask ? withMark(drawAll(node), node.checked) : drawAll(node)
  const children = blocks.flatMap((block, at) => {
    const isPlain = !loose && block.tagName === 'p'
    const drawn = isPlain ? (block.children ?? []) : [block]
    return at === 0 && isPlain ? drawn : [text('\n'), ...drawn]
  })
  const last = blocks.at(-1)
  if (last && (loose || last.tagName !== 'p')) children.push(text('\n'))
  return element('li', children, isTask ? { className: ['task-list-item'] } : {})
}

/** The blocks of a task item; the first starts with its checkbox. */
function withMark(blocks: readonly HastNode[], checked: boolean | null | undefined): HastNode[] {
  const mark = element('input', [], { type: 'checkbox', checked, disabled: true })
  const [first, ...others] = blocks
  if (first?.tagName !== 'p') return [element('p', [mark]), ...blocks]
  const words = first.children ?? []
  return [{ ...first, children: words.length > 0 ? [mark, text(' '), ...words] : [mark] }, ...others]
}

/** Maximum number of cells that a table is given beyond those written: a wide head over many short rows would make millions. */
const maxAddedCells = 1_000

function drawTable({ children = [], align }: MarkdownNode, { drawAll }: Document): HastNode {
  let added = 0
  const drawRow = ({ children: written = [] }: MarkdownNode, cellName: string): HastNode => {
    const columns = align?.length ?? written.length
    const missing = Math.min(Math.max(0, columns - written.length), maxAddedCells - added)
    added += missing
    const cells = Array.from({ length: Math.min(columns, written.length) + missing }, (_, at) => {
      const cell = written[at]
      return element(cellName, cell ? drawAll(cell) : [], align?.[at] ? { align: align[at] } : {})
    })
    return element('tr', inLines(cells))
  }
  const [head, ...body] = children
  const parts = head ? [element('thead', inLines([drawRow(head, 'th')]))] : []
  if (body.length > 0) parts.push(element('tbody', inLines(body.map((row) => drawRow(row, 'td')))))
  return element('table', inLines(parts))
}
