/** The used part of a node in a parsed document. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
}

export const text = (value: string): HastNode => ({ type: 'text', value })

export const element = (
  tagName: string,
  children: HastNode[] = [],
  properties: HastNode['properties'] = {},
): HastNode => ({
  type: 'element',
  tagName,
  properties,
  children,
})

/** Puts each block on a line of its own. */
export function inLines(blocks: readonly HastNode[], outside = true): HastNode[] {
  const lines = blocks.flatMap((block, at) => (at > 0 ? [text('\n'), block] : [block]))
  if (!outside) return lines
  return blocks.length > 0 ? [text('\n'), ...lines, text('\n')] : [text('\n')]
}

/** Maximum depth of rendered elements. */
const maxDepth = 64

/** Flattens elements nested deeper than any text needs, keeping their text, because browsers recurse. Iterative for the same reason. */
export function limitDepth(root: HastNode): void {
  const open: { node: HastNode; depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    if (depth >= maxDepth) node.children = [{ type: 'text', value: textOf(node) }]
    else for (const child of node.children ?? []) if (child.children) open.push({ node: child, depth: depth + 1 })
  }
}

function textOf(root: HastNode): string {
  const texts: string[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.value !== undefined) texts.push(node.value)
    if (node.children) open.push(...node.children.toReversed())
  }
  return texts.join('')
}

const untouched = new Set(['a', 'code', 'pre', 'math', 'cite'])
const citation = /\[(\d{1,3})\]/

/** Wraps every `[n]` outside of code and links in `<cite>`; the renderer checks whether such a source exists. */
export function markCitations(node: HastNode): void {
  if (!node.children || untouched.has(node.tagName ?? '')) return
  if (node.children.some(({ value = '' }) => citation.test(value))) {
    node.children = node.children.flatMap((child) => (child.type === 'text' ? splitText(child.value ?? '') : [child]))
  }
  for (const child of node.children) markCitations(child)
}

function splitText(value: string): HastNode[] {
  return value.split(/(\[\d{1,3}\])/).flatMap((part): HastNode[] => {
    const [, number] = new RegExp(`^${citation.source}$`).exec(part) ?? []
    if (number === undefined) return part === '' ? [] : [{ type: 'text', value: part }]
    return [{ type: 'element', tagName: 'cite', properties: {}, children: [{ type: 'text', value: number }] }]
  })
}
