/** A Markdown text in independently parsable pieces. */
export interface SplitText {
  /** In order; joined by blank lines they are equivalent to the text. */
  readonly blocks: readonly string[]
  /** The last block ends inside a code fence. */
  readonly fenceOpen: boolean
}

const fencePattern = /^(\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)*)(`{3,}|~{3,})(.*)$/
const listPattern = /^\s{0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const itemPattern = /^\s*(?:[-+*]|\d{1,9}[.)])(?:\s+|$)/
const definitionPattern = /^ {0,3}\[(?!\^)([^\]]+)\]:\s+\S/
const footnotePattern = /^ {0,3}\[\^[^\]]+\]:/
/** Maximum UTF-16 units of a text with footnotes that is kept whole, and of texts in which link definitions are resolved across blocks. */
const maxWhole = 20_000
const maxLinked = 200_000
const maxDefinitions = 100

/** `createBlockSplitter` for a complete text. */
export const splitBlocks = (text: string): SplitText => createBlockSplitter()(text)

/**
 * Splits a Markdown text between top-level blocks, where nothing before can affect what follows. A finished block stays the same when text is
 * appended, so a growing answer need not be parsed again. If the text only grew, lines seen by the last call are skipped, which makes the
 * total work linear.
 */
export function createBlockSplitter(): (text: string) => SplitText {
  let lines = createLines()
  let seen = ''
  return (text) => {
    if (!text.startsWith(seen)) {
      lines = createLines()
      seen = ''
    }
    let at = seen.length
    for (let end = text.indexOf('\n', at); end >= 0; end = text.indexOf('\n', at)) {
      lines.take(text.slice(at, end))
      at = end + 1
    }
    seen = text.slice(0, at)
    const { blocks, fenceOpen, definitions, footnotes } = lines.endingWith(text.slice(at))
    // A footnote and its mention may be in different blocks, and its number depends on everything before.
    if (footnotes && text.length <= maxWhole) return { blocks: [text], fenceOpen }
    const linked = definitions.size > 0 && definitions.size <= maxDefinitions && text.length <= maxLinked
    return { blocks: linked ? withDefinitions(blocks, definitions) : blocks, fenceOpen }
  }
}

/** State after some lines: the current block, and the completed ones. */
interface Gathered {
  readonly blocks: string[]
  readonly definitions: Map<string, string>
  current: string
  /** The current block's first non-blank line. */
  first: string
  /** Columns before the text of the block's last list item; 0 without one. */
  itemIndent: number
  fence: Fence | null
  blankBefore: boolean
  footnotes: boolean
}

function createLines() {
  const gathered: Gathered = {
    blocks: [],
    definitions: new Map(),
    current: '',
    first: '',
    itemIndent: 0,
    fence: null,
    blankBefore: false,
    footnotes: false,
  }
  return {
    take: (line: string) => takeLine(gathered, line),
    /** The pieces if this were the last line; it may still grow, so nothing of it is kept. */
    endingWith: (line: string) => {
      const { blocks, definitions, ...rest } = gathered
      const copy: Gathered = { ...rest, blocks: [], definitions: new Map(definitions) }
      takeLine(copy, line)
      cut(copy)
      return { ...copy, blocks: [...blocks, ...copy.blocks], fenceOpen: copy.fence !== null }
    },
  }
}

function cut(gathered: Gathered): void {
  const block = withoutEmptyEnd(gathered.current)
  if (gathered.first !== '') gathered.blocks.push(block)
  gathered.current = ''
  gathered.first = ''
  gathered.itemIndent = 0
  gathered.blankBefore = false
}

function takeLine(gathered: Gathered, line: string): void {
  const { fence } = gathered
  if (fence && !leaves(line, fence)) {
    append(gathered, line)
    if (!closes(line, fence)) return
    gathered.fence = null
    if (fence.topLevel) cut(gathered)
    return
  }
  const opening = readFence(line, gathered.itemIndent)
  if (opening?.topLevel || (gathered.blankBefore && startsBlock(line, gathered.itemIndent))) cut(gathered)
  gathered.fence = opening
  if (footnotePattern.test(line)) gathered.footnotes = true
  const definition = definitionPattern.exec(line)
  if (definition?.[1]) gathered.definitions.set(definition[1].toLowerCase(), line)
  gathered.itemIndent = itemPattern.exec(line)?.[0].length ?? gathered.itemIndent
  gathered.blankBefore = line.trim() === ''
  append(gathered, line)
}

function append(gathered: Gathered, line: string): void {
  if (gathered.first === '' && line.trim() !== '') gathered.first = line
  gathered.current += `${line}\n`
}

function withoutEmptyEnd(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

interface Fence {
  readonly mark: string
  /** At the margin. */
  readonly topLevel: boolean
  /** Columns before the text of the list item that it belongs to; 0 if it belongs to none. */
  readonly itemIndent: number
}

function readFence(line: string, itemIndent = 0): Fence | null {
  const [, before = '', mark = '', info = ''] = fencePattern.exec(line) ?? []
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null
  const indent = columnsOf(before)
  const ofItem = before.trim() === '' ? itemIndent : indent
  if (ofItem > 0 && indent >= ofItem) return { mark, topLevel: false, itemIndent: ofItem }
  return indent < 4 ? { mark, topLevel: before === '', itemIndent: 0 } : null
}

const columnsOf = (before: string): number => before.replaceAll('\t', '    ').length

const indentOf = (line: string): number => columnsOf(line.slice(0, line.length - line.trimStart().length))

/** A fence ends with its list item, closed or not. */
const leaves = (line: string, { itemIndent }: Fence): boolean => line.trim() !== '' && indentOf(line) < itemIndent

/** Indented by four columns more than the opening, the marks are code. */
function closes(line: string, { mark, itemIndent }: Fence): boolean {
  const trimmed = line.trim()
  const isCode = indentOf(line) > itemIndent + 3
  return !isCode && trimmed.length >= mark.length && trimmed === mark.charAt(0).repeat(trimmed.length)
}

/** Whether a line after a blank one starts a new block: an indented one continues a list or code, and an item continues its list. */
function startsBlock(line: string, itemIndent: number): boolean {
  if (line.trim() === '' || /^\s/.test(line)) return false
  return !(itemIndent > 0 && listPattern.test(line))
}

/** Recognises a block that consists of one fence at the margin, which needs no parser; null for any other. */
export function readCode(block: string): { code: string; language: string } | null {
  const lineEnd = block.indexOf('\n')
  const opening = readFence(lineEnd < 0 ? block : block.slice(0, lineEnd))
  if (!opening?.topLevel) return null
  const info = block.slice(opening.mark.length, lineEnd < 0 ? block.length : lineEnd)
  const inside = lineEnd < 0 ? '' : block.slice(lineEnd + 1)
  const lastLine = inside.lastIndexOf('\n') + 1
  const closed = closes(inside.slice(lastLine), opening)
  const code = closed ? inside.slice(0, Math.max(0, lastLine - 1)) : inside
  return { code, language: info.trim().split(/\s+/)[0] ?? '' }
}

/** Adds to each block the link definitions that it uses from other blocks. */
function withDefinitions(blocks: readonly string[], definitions: ReadonlyMap<string, string>): string[] {
  return blocks.map((block) => {
    if (!block.includes('[') || readCode(block)) return block
    const lower = block.toLowerCase()
    const needed = [...definitions].filter(([label, line]) => lower.includes(`[${label}]`) && !block.includes(line))
    return needed.length > 0 ? `${block}\n\n${needed.map(([, line]) => line).join('\n')}` : block
  })
}
