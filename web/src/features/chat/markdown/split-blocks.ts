/** A Markdown text in pieces that can be parsed apart. */
export interface SplitText {
  /** In order; joined by blank lines they mean what the text means. */
  readonly blocks: readonly string[]
  /** The last block ends inside a code fence. */
  readonly fenceOpen: boolean
}

const fencePattern = /^(\s*)(`{3,}|~{3,})(.*)$/
const listPattern = /^\s{0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const definitionPattern = /^ {0,3}\[(?!\^)([^\]]+)\]:\s+\S/
const footnotePattern = /^ {0,3}\[\^[^\]]+\]:/m

/**
 * Cuts a Markdown text at the places where nothing before can change what comes after: between top-level blocks. A block that has ended
 * stays the same text whatever is appended, so that it need not be parsed again while an answer grows.
 */
export function splitBlocks(text: string): SplitText {
  // A footnote's text and its mark may stand in any two blocks, and its number depends on all before.
  if (footnotePattern.test(text)) return { blocks: [text], fenceOpen: endsInFence(text) }
  const splitter = createSplitter()
  for (const line of text.split('\n')) splitter.take(line)
  const { blocks, fenceOpen, definitions } = splitter.end()
  return { blocks: definitions.size > 0 ? withDefinitions(blocks, definitions) : blocks, fenceOpen }
}

function createSplitter() {
  const blocks: string[] = []
  const definitions = new Map<string, string>()
  let current: string[] = []
  let fence: Fence | null = null
  let blankBefore = false

  const cut = () => {
    const block = current.join('\n').replace(/\n+$/, '')
    if (block.trim() !== '') blocks.push(block)
    current = []
    blankBefore = false
  }
  const takeInFence = (line: string, open: Fence) => {
    current.push(line)
    if (!closes(line, open)) return
    fence = null
    if (open.topLevel) cut()
  }
  const takeOutside = (line: string) => {
    const opening = readFence(line)
    if (opening?.topLevel || (blankBefore && startsBlock(line, current))) cut()
    fence = opening
    const definition = definitionPattern.exec(line)
    if (definition?.[1]) definitions.set(definition[1].toLowerCase(), line)
    blankBefore = line.trim() === ''
    current.push(line)
  }
  return {
    take: (line: string) => (fence ? takeInFence(line, fence) : takeOutside(line)),
    end: () => {
      cut()
      return { blocks, definitions, fenceOpen: fence !== null }
    },
  }
}

interface Fence {
  readonly mark: string
  /** It stands at the margin, so that it belongs to no list. */
  readonly topLevel: boolean
}

function readFence(line: string): Fence | null {
  const [, indent = '', mark = '', info = ''] = fencePattern.exec(line) ?? []
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null
  return { mark, topLevel: indent === '' }
}

function closes(line: string, { mark }: Fence): boolean {
  const trimmed = line.trim()
  return trimmed.length >= mark.length && trimmed === mark.charAt(0).repeat(trimmed.length)
}

/** Whether a line after a blank one begins something new: an indented one goes on with a list or code, and an item with its list. */
function startsBlock(line: string, current: readonly string[]): boolean {
  if (line.trim() === '' || /^\s/.test(line)) return false
  const first = current.find((earlier) => earlier.trim() !== '') ?? ''
  return !(listPattern.test(line) && listPattern.test(first))
}

function endsInFence(text: string): boolean {
  let fence: Fence | null = null
  for (const line of text.split('\n')) {
    if (fence === null) fence = readFence(line)
    else if (closes(line, fence)) fence = null
  }
  return fence !== null
}

/** Gives each block the link targets that it names but another block defines. */
function withDefinitions(blocks: readonly string[], definitions: ReadonlyMap<string, string>): string[] {
  return blocks.map((block) => {
    const lower = block.toLowerCase()
    const needed = [...definitions].filter(([label, line]) => lower.includes(`[${label}]`) && !block.includes(line))
    return needed.length > 0 ? `${block}\n\n${needed.map(([, line]) => line).join('\n')}` : block
  })
}
