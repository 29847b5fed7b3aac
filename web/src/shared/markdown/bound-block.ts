/** A block in the part that is worth parsing and the rest, which is shown as it was written. */
export interface BoundBlock {
  readonly markdown: string
  readonly rest: string
}

/** What a block may weigh; a parser takes some 50 ms for this much of the worst that it can be given. */
const maxWeight = 24_000
/** Quotes and lists in each other, and columns that a line may be set in by; deeper ones no reader can follow. */
const maxNesting = 24
const maxIndent = 80
/** What marks cost in addition to being characters: they are where parsers look back. */
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
const containerPattern = /^(?:[ \t]|>|[-+*](?=\s|$)|\d{1,9}[.)](?=\s|$))*/

/** Divides a block at the end of the last line that can be parsed without holding up the page, whatever somebody made a model write. */
export function boundBlock(block: string): BoundBlock {
  // Most blocks are short, and no short one is heavy.
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
  let weight = line.length
  for (const mark of line) weight += markWeights[mark] ?? 0
  return weight
}

function isDeep(text: string): boolean {
  return text.split('\n').some((line) => {
    const [containers = ''] = containerPattern.exec(line) ?? []
    if (containers.length <= maxNesting) return false
    const marks = containers.replace(/\s/g, '').length
    return marks > maxNesting || containers.length - marks > maxIndent
  })
}
