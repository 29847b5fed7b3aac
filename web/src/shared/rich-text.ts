/** Controls and decorations, which mean nothing in another document. */
const furniture = 'button, svg, .code-bar, .table-tools, .katex-html, figure, [aria-hidden="true"]'
const kept = new Set(['href', 'src', 'alt', 'colspan', 'rowspan', 'start', 'dir', 'display'])

/** The first rendered Markdown below `root` as HTML for other programs: elements and links, without styles; null while it is incomplete. */
export function richTextOf(root: ParentNode): string | null {
  const drawn = root.querySelector('.markdown')
  if (!drawn || drawn.getAttribute('aria-busy') === 'true') return null
  const copy = drawn.cloneNode(true) as HTMLElement
  for (const mark of copy.querySelectorAll('.task-mark')) mark.replaceWith(mark.hasAttribute('data-done') ? '☑ ' : '☐ ')
  for (const element of copy.querySelectorAll(furniture)) element.remove()
  for (const element of copy.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name)
  }
  return copy.innerHTML
}
