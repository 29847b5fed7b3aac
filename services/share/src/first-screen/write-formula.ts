import type { HastNode } from '@parley/markdown'
import {
  type Attributes,
  elementHtml,
  type FormulaElement,
  formulaAttributes,
  formulaElements,
  type Html,
  joined,
  textHtml,
} from './html.ts'

const elements: ReadonlySet<string> = new Set(formulaElements)

/** Attributes of formulas whose names in HTML differ from those in the tree. */
const renamed: ReadonlyMap<string, keyof Attributes> = new Map([
  ['ariaHidden', 'aria-hidden'],
  ['className', 'class'],
  ['strokeWidth', 'stroke-width'],
])
const kept: ReadonlySet<string> = new Set<keyof Attributes>([...formulaAttributes, 'height', 'style', 'width'])

/** Writes a formula that is set already, of the elements and attributes that setting makes. */
export function writeFormula({ type, tagName = '', value = '', properties = {}, children = [] }: HastNode): Html {
  if (type === 'text') return textHtml(value)
  const written = joined(children.map(writeFormula))
  return elements.has(tagName) ? elementHtml(tagName as FormulaElement, attributesOf(properties), written) : written
}

function attributesOf(properties: NonNullable<HastNode['properties']>): Attributes {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([property, value]) => {
      const name = renamed.get(property) ?? property
      if (!kept.has(name) && !renamed.has(property)) return []
      return [[name, Array.isArray(value) ? value.join(' ') : String(value)]]
    }),
  )
}
