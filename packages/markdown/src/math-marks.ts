/** Maximum UTF-16 units of a formula; a longer one is shown as source. */
const maxFormula = 4_000
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
  let text = ''
  let weight = 0
  for (let at = 0; at < block.length; ) {
    const skipped = endOfCode(block, at)
    const formula = skipped > at ? null : readFormula(block, at)
    if (formula) {
      text += formula.display ? displayed(formula, text, block.slice(formula.end)) : `$$${inOneLine(formula.source)}$$`
      weight += formula.source.length + weightOfEach
      at = formula.end
    } else {
      const end = skipped > at ? skipped : endOfPlain(block, at)
      // Escaped, so that the parser does not take an unclosed delimiter for an opening one.
      text += block.startsWith('$$', at) ? '\\$\\$' : block.slice(at, end)
      at = end
    }
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

function readFormula(block: string, at: number): Formula | null {
  if (block.startsWith('\\(', at)) return between(block, at + 2, '\\)', false)
  if (block.startsWith('\\[', at)) return between(block, at + 2, '\\]', true)
  if (block.startsWith('$$', at)) return between(block, at + 2, '$$', true)
  return block[at] === '$' ? readDollars(block, at) : null
}

function between(block: string, from: number, closing: string, display: boolean): Formula | null {
  const close = block.slice(from, from + maxFormula).indexOf(closing)
  const source = close < 0 ? '' : block.slice(from, from + close)
  if (source.trim() === '' || source.includes('\n\n')) return null
  return { source, display, end: from + close + closing.length }
}

function readDollars(block: string, at: number): Formula | null {
  const [, source = ''] = /^((?:\\[\s\S]|[^\\$])*)\$/.exec(block.slice(at + 1, at + 2 + maxFormula)) ?? []
  const end = at + source.length + 2
  if (source === '' || /^\s|\s$|\n\n/.test(source) || /\d/.test(block[end] ?? '')) return null
  const isAmount = /^\d[\d.,]*\s+[A-Za-z]/.test(source) && !/[\\^_={}]/.test(source)
  return isAmount ? null : { source, display: false, end }
}

const inOneLine = (source: string): string => source.trim().replace(/\s*\n\s*/g, ' ')

/** A display formula: on its own lines if it is alone, inline in display style otherwise. */
function displayed({ source }: Formula, before: string, after: string): string {
  const indent = before.slice(before.lastIndexOf('\n') + 1)
  if (indent.trim() !== '' || !/^[ \t]*(?:\n|$)/.test(after)) return `$$\\displaystyle ${inOneLine(source)}$$`
  const lines = source.trim().split('\n')
  return `$$\n${lines.map((line) => indent + line.trim()).join('\n')}\n${indent}$$`
}
