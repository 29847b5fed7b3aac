/** A block split into the part to parse and the rest, which is shown as plain text. */
export interface BoundBlock {
  readonly markdown: string
  readonly rest: string
}

/** Maximum weight of a block; a parser takes about 50 ms for this much of its worst input. */
const maxWeight = 24_000
/** Maximum nesting of quotes and lists, and indentation in columns; no reader could follow deeper ones. */
const maxNesting = 24
const maxIndent = 80
/** Additional cost of markup characters: they are where parsers backtrack. */
const markWeights: Readonly<Record<string, number>> = {
  '!': 24,
  '[': 8,
  ']': 8,
  '*': 8,
  _: 8,
  '~': 8,
  '|': 8,
  '<': 8,
  '`': 4,
  $: 8,
}
/** Additional cost of a line that starts a list item. */
const itemWeight = 16
const itemPattern = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=\s|$)/
const footnotePattern = /\[\^[^\]\s]{1,999}\]:/g
const containerPattern = new RegExp(`^(?:[ \\t]|>|[-+*](?=\\s|$)|\\d{1,9}[.)](?=\\s|$)|${footnotePattern.source})*`)
/** Additional cost of a dot before an underscore: the end of a link without a scheme is searched for anew after each. */
const dottedMarkWeight = 64

/** Splits a block after the last line that can be parsed without blocking the page, whatever a model was made to write. */
export function boundBlock(block: string): BoundBlock {
  // Fast path: short blocks are never heavy.
  if (block.length < 400) return isDeep(block) ? { markdown: '', rest: block } : { markdown: block, rest: '' }
  let weight = 0
  for (let at = 0; at < block.length; ) {
    const lineEnd = block.indexOf('\n', at)
    const end = lineEnd < 0 ? block.length : lineEnd + 1
    const line = block.slice(at, Math.min(end, at + maxWeight + 1))
    weight += weightOf(line)
    if (weight > maxWeight || isDeep(line)) return { markdown: block.slice(0, at), rest: block.slice(at) }
    at = end
  }
  return { markdown: block, rest: '' }
}

function weightOf(line: string): number {
  let weight = line.length + (itemPattern.test(line) ? itemWeight : 0)
  for (const mark of line) weight += markWeights[mark] ?? 0
  return weight + dottedMarkWeight * (line.split('._').length - 1)
}

function isDeep(text: string): boolean {
  return text.split('\n').some((line) => {
    const [found = ''] = containerPattern.exec(line) ?? []
    const containers = found.replace(footnotePattern, '>')
    if (containers.length <= maxNesting) return false
    const marks = containers.replace(/\s/g, '').length
    return marks > maxNesting || containers.length - marks > maxIndent
  })
}
