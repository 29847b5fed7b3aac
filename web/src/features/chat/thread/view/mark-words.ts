import { highlightParts } from '../../../../shared/chats/index.ts'

/** The name of the highlight in the style sheet. */
const mark = 'found-words'

/** Highlights the search words below `root` without changing its elements, which React owns. Returns the first match's element; null without one. */
export function markWords(root: HTMLElement, words: string): Element | null {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { at, text, hit } of highlightParts(node.nodeValue ?? '', words)) {
      if (hit) ranges.push(rangeOf(node, at, at + text.length))
    }
  }
  // Browsers without the Custom Highlight API at least scroll there.
  if ('highlights' in CSS) CSS.highlights.set(mark, new Highlight(...ranges))
  return ranges[0]?.startContainer.parentElement ?? null
}

export function unmarkWords(): void {
  if ('highlights' in CSS) CSS.highlights.delete(mark)
}

function rangeOf(node: Node, from: number, to: number): Range {
  const range = document.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return range
}
