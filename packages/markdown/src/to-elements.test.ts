import { expect, it } from 'vitest'
import type { HastNode } from './hast-tree.ts'
import { parseMarkdown } from './parse-markdown.ts'

const parse = (text: string) => parseMarkdown(text, { prefix: 'n-', footnotesLabel: 'Notes' }, null)

function elementsOf(node: HastNode, tagName: string): HastNode[] {
  const own = node.tagName === tagName ? [node] : []
  return [...own, ...(node.children ?? []).flatMap((child) => elementsOf(child, tagName))]
}

it('a wide head over many short rows makes no more cells than were written, and a thousand', () => {
  const [columns, rows] = [400, 400]
  const table = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'b\n'.repeat(rows)}`
  expect(elementsOf(parse(table), 'td')).toHaveLength(rows + 1_000)
})

it('a row of a table has no more cells than its head', () => {
  expect(elementsOf(parse('|a|\n|-|\n|b|c|d|'), 'td')).toHaveLength(1)
})

it('a long run of spaces within a line is kept', () => {
  const text = `a${' '.repeat(100_000)}b`
  expect(elementsOf(parse(text), 'p')[0]?.children).toEqual([{ type: 'text', value: text }])
})

it('spaces around a line end are left out, also written as entities', () => {
  expect(elementsOf(parse('a&#32;&#9;\n&#32;b'), 'p')[0]?.children).toEqual([{ type: 'text', value: 'a\nb' }])
})

it('code in the language “math” is not of the class of formulas, whose limits it has not', () => {
  const [code] = elementsOf(parse('- a\n  ```math\n  x\n  ```'), 'code')
  expect(code?.properties).toEqual({ className: ['language-latex'] })
})
