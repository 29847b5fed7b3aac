/** The replacement of a redacted text, of constant length so that it reveals nothing. */
export const redacted = '█████'

/** Redacts every occurrence of these texts; occurrences that overlap are redacted as one. */
export function createRedaction(texts: readonly string[]): (text: string) => string {
  const wanted = [...new Set(texts)]
  if (wanted.length === 0) return (text) => text
  const lengthsIn = createSearch(wanted)
  return (text) => redactEnds(text, lengthsIn(text))
}

/** @param lengths of what is redacted, by the place of its last unit; 0 where nothing ends */
function redactEnds(text: string, lengths: Uint32Array): string {
  const parts: string[] = []
  let rest = text.length
  for (let end = text.length; end > 0; ) {
    let start = end - (lengths[end - 1] ?? 0)
    if (start === end) {
      end -= 1
      continue
    }
    for (let inner = end - 1; inner > start; inner -= 1) start = Math.min(start, inner - (lengths[inner - 1] ?? 0))
    parts.push(text.slice(end, rest), redacted)
    rest = start
    end = start
  }
  parts.push(text.slice(0, rest))
  return parts.reverse().join('')
}

/** UTF-16 units. */
const units = 0x1_0000

/**
 * Searches for all of the texts at once (Aho-Corasick). Its time depends on the lengths alone: a regular expression would compare each of the texts anew at
 * each place, for minutes with long texts that differ at their ends.
 * @returns the length of the longest text that ends at each unit, 0 for none
 */
function createSearch(texts: readonly string[]): (text: string) => Uint32Array {
  const edges = new Map<number, number>()
  const fallbacks = [0]
  const longest = [0]
  const step = (from: number, unit: number): number => {
    for (let node = from; ; node = fallbacks[node] ?? 0) {
      const next = edges.get(node * units + unit)
      if (next !== undefined || node === 0) return next ?? 0
    }
  }
  const add = (parent: number, unit: number): number => {
    const fallback = parent === 0 ? 0 : step(fallbacks[parent] ?? 0, unit)
    edges.set(parent * units + unit, fallbacks.length)
    longest.push(longest[fallback] ?? 0)
    return fallbacks.push(fallback) - 1
  }
  // Unit by unit of all texts, since a fallback leads to a node that is nearer to the root.
  let growing = texts.map((text) => ({ text, node: 0 }))
  for (let at = 0; growing.length > 0; at += 1) {
    growing = growing.flatMap(({ text, node }) => {
      const unit = text.charCodeAt(at)
      const next = edges.get(node * units + unit) ?? add(node, unit)
      if (text.length > at + 1) return [{ text, node: next }]
      longest[next] = text.length
      return []
    })
  }
  return (text) => {
    const lengths = new Uint32Array(text.length)
    let node = 0
    for (let at = 0; at < text.length; at += 1) {
      node = step(node, text.charCodeAt(at))
      lengths[at] = longest[node] ?? 0
    }
    return lengths
  }
}

/** Shorter beginnings reveal nothing. */
const leastBeginning = 3

/** Redacts these texts in a title, whose white space is collapsed, and the beginning of one at which the title was cut. */
export function redactTitle(title: string, asWritten: readonly string[]): string {
  const texts = [...asWritten, ...asWritten.map((text) => text.replace(/\s+/g, ' '))]
  const clean = createRedaction(texts.filter(({ length }) => length <= title.length))(title)
  const [, kept = '', ellipsis = ''] = /^(.*?)(\s*(?:…|\.\.\.))$/su.exec(clean) ?? []
  const cut = Math.max(0, ...texts.map((text) => beginningAtEnd(kept, text)))
  return cut < leastBeginning ? clean : kept.slice(0, -cut) + redacted + ellipsis
}

/** The length of the longest beginning of `text` with which `title` ends. */
function beginningAtEnd(title: string, text: string): number {
  for (let length = Math.min(title.length, text.length - 1); length > 0; length -= 1) {
    if (title.endsWith(text.slice(0, length))) return length
  }
  return 0
}
