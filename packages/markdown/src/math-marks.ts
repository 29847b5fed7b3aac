/** Maximum UTF-16 units of a formula; a longer one is shown as source. */
const maxFormula = 4_000
/**
 * Commands that define macros, and the internal ones of KaTeX. Its limit counts the uses of a macro, not what they become, so a short formula
 * with a macro of its own can take minutes; it is shown as source.
 */
const internals = /\\(?:[egx]?def|let|futurelet|(?:new|renew|provide)command)(?![a-zA-Z])|\\[a-zA-Z]*@/
/** What a formula takes besides its units. */
const weightOfEach = 16

/** A text whose formulas are all delimited by two dollar signs, and how much there is to set: 0 without formulas. */
export interface MarkedMath {
  readonly text: string
  /** UTF-16 units of its formulas, and some for each. */
  readonly weight: number
}

interface Formula {
  readonly source: string
  readonly display: boolean
  /** Offset after the formula. */
  readonly end: number
}

/**
 * Normalises `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. Only closed formulas count, and a dollar sign before an amount is money: an opening
 * one is not followed by a space, a closing one is not preceded by a space or followed by a digit. Code is skipped.
 */
export function markMath(block: string): MarkedMath {
  const find = createFinder(block)
  let text = ''
  let weight = 0
  let lineStart = 0
  for (let at = 0; at < block.length; ) {
    const skipped = endOfCode(block, at)
    const formula = skipped > at ? null : readFormula(block, at, find)
    const end = formula?.end ?? (skipped > at ? skipped : endOfPlain(block, at))
    if (formula && !internals.test(formula.source)) {
      const before = block.slice(lineStart, at)
      text += formula.display ? displayed(formula, before, block.slice(end)) : `$$${inOneLine(formula.source)}$$`
      weight += formula.source.length + weightOfEach
    } else {
      const plain = block.slice(at, end)
      // Escaped, so that the parser does not take the delimiter of no formula for an opening one.
      text += skipped > at ? plain : plain.replaceAll('$$', () => '\\$\\$')
    }
    const lineEnd = block.slice(at, end).lastIndexOf('\n')
    if (lineEnd >= 0) lineStart = at + lineEnd + 1
    at = end
  }
  return { text: weight > 0 ? text : block, weight }
}

function endOfPlain(block: string, at: number): number {
  if (block[at] === '\\') return Math.min(block.length, at + 2)
  return block.startsWith('$$', at) ? at + 2 : at + 1
}

/** The end of code that starts here, either a span or a fence inside a list; `at` if there is none. */
function endOfCode(block: string, at: number): number {
  if (block[at] !== '`') return at
  let run = at
  while (block[run] === '`') run += 1
  const marks = block.slice(at, run)
  const end = block.indexOf(marks, run)
  if (end < 0) return run
  let after = end + marks.length
  while (block[after] === '`') after += 1
  return after
}

/** The offset of the next occurrence of a text, or infinity. For growing offsets the block is searched once. */
type Find = (searched: string, from: number) => number

function createFinder(block: string): Find {
  const found = new Map<string, number>()
  return (searched, from) => {
    const last = found.get(searched) ?? -1
    if (last >= from) return last
    const at = block.indexOf(searched, from)
    const next = at < 0 ? Number.POSITIVE_INFINITY : at
    found.set(searched, next)
    return next
  }
}

function readFormula(block: string, at: number, find: Find): Formula | null {
  const between = (closing: string, display: boolean): Formula | null => {
    const close = find(closing, at + 2)
    const end = close + closing.length
    const source = end > at + 2 + maxFormula ? '' : block.slice(at + 2, close)
    return source.trim() === '' || source.includes('\n\n') ? null : { source, display, end }
  }
  if (block.startsWith('\\(', at)) return between('\\)', false)
  if (block.startsWith('\\[', at)) return between('\\]', true)
  if (block.startsWith('$$', at)) return between('$$', true)
  return block[at] === '$' ? readDollars(block, at) : null
}

function readDollars(block: string, at: number): Formula | null {
  const [, source = ''] = /^((?:\\[\s\S]|[^\\$])*)\$/.exec(block.slice(at + 1, at + 2 + maxFormula)) ?? []
  const end = at + source.length + 2
  if (source === '' || /^\s|\s$|\n\n/.test(source) || /\d/.test(block[end] ?? '')) return null
  const isAmount = /^\d[\d.,]*\s+[A-Za-z]/.test(source) && !/[\\^_={}]/.test(source)
  return isAmount ? null : { source, display: false, end }
}

const inOneLine = (source: string): string => source.trim().replace(/\s*\n\s*/g, ' ')

/**
 * A display formula: on its own lines if it is alone, inline in display style otherwise.
 * @param indent what its line has before it
 */
function displayed({ source }: Formula, indent: string, after: string): string {
  if (indent.trim() !== '' || !/^[ \t]*(?:\n|$)/.test(after)) return `$$\\displaystyle ${inOneLine(source)}$$`
  const lines = source.trim().split('\n')
  return `$$\n${lines.map((line) => indent + line.trim()).join('\n')}\n${indent}$$`
}
