import { highlightParts } from '../../../shared/chats/index.ts'

/** The name by which the style sheet knows what was searched for. */
const mark = 'found-words'

/** Marks the words of a search below `root` without touching its elements, which others draw. Answers the element of the first one; null without any. */
export function markWords(root: HTMLElement, words: string): Element | null {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { at, text, hit } of highlightParts(node.nodeValue ?? '', words)) {
      if (hit) ranges.push(rangeOf(node, at, at + text.length))
    }
  }
  // Browsers without custom highlights are led there all the same.
  if ('highlights' in CSS) CSS.highlights.set(mark, new Highlight(...ranges))
  return ranges[0]?.startContainer.parentElement ?? null
}

/** Takes the marks away. */
export function unmarkWords(): void {
  if ('highlights' in CSS) CSS.highlights.delete(mark)
}

function rangeOf(node: Node, from: number, to: number): Range {
  const range = document.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  return range
}
