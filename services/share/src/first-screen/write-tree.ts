import { type HastNode, safeLink } from '@parley/markdown'
import { type Attributes, type ElementName, elementHtml, type Html, joined, textHtml } from './html.ts'
import { writeCode } from './write-code.ts'
import { writeFormula } from './write-formula.ts'

/** Elements that stand for themselves. */
const plain: ReadonlySet<string> = new Set([
  ...['br', 'del', 'em', 'hr', 'li', 'p', 'section', 'strong', 'sup', 'tbody', 'td', 'th', 'thead', 'tr'],
])
/** Blocks whose direction is that of their text. */
const directed: ReadonlySet<string> = new Set(['blockquote', 'ol', 'ul'])
/** Elements between whose rows and cells no text may stand. */
const tableParts: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tr'])
/** Classes that styles know. */
const styled: ReadonlySet<string> = new Set(['contains-task-list', 'footnotes', 'sr-only', 'task-list-item'])
const elsewhere = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const

/** Writes a parsed document as the page of the link draws it, without what needs a script or a text in the visitor's language. */
export function writeTree(root: HastNode, topLevel: number): Html {
  const writeAll = ({ children = [], tagName = '' }: HastNode): Html =>
    joined(children.filter((child) => !(tableParts.has(tagName) && isBlank(child))).map(write))

  const write = (node: HastNode): Html => {
    const { type, tagName = '', value = '' } = node
    // Raw HTML is shown as it was written.
    if (type === 'text' || type === 'raw') return textHtml(value)
    if (type !== 'element') return joined([])
    if (tagName === 'a') return writeLink(node, writeAll(node))
    if (tagName === 'code') return elementHtml('code', { dir: 'ltr' }, writeAll(node))
    if (tagName === 'cite') return textHtml(`[${textOf(node)}]`)
    if (tagName === 'img') return writeImage(node)
    if (tagName === 'input') return writeMark(node)
    if (tagName === 'pre') return writeFence(node)
    // Nothing but formulas has such elements.
    if (tagName === 'span') return writeFormula(node)
    if (tagName === 'table') return writeTable(writeAll(node))
    const heading = /^h([1-6])$/.exec(tagName)?.[1]
    if (heading !== undefined) return writeHeading(node, Number(heading), topLevel, writeAll(node))
    if (directed.has(tagName)) {
      return elementHtml(tagName as ElementName, { dir: 'auto', ...attributesOf(node) }, writeAll(node))
    }
    return plain.has(tagName) ? elementHtml(tagName as ElementName, attributesOf(node), writeAll(node)) : writeAll(node)
  }
  return writeAll(root)
}

const isBlank = ({ type, value = '' }: HastNode): boolean => type === 'text' && value.trim() === ''

const textOf = ({ value = '', children = [] }: HastNode): string => value + children.map(textOf).join('')

/** Without ids, by which a text could pass for a part of the page. */
function attributesOf({ properties = {} }: HastNode): Attributes {
  const { align, className, start } = properties
  const known = Array.isArray(className) ? className.filter((name) => styled.has(name)) : []
  return {
    ...(known.length > 0 && { class: known.join(' ') }),
    ...(typeof start === 'number' && { start }),
    ...((align === 'left' || align === 'center' || align === 'right') && { style: `text-align: ${align}` }),
  }
}

/** Headings begin at level 3, below that of their message. */
function writeHeading(node: HastNode, level: number, topLevel: number, children: Html): Html {
  const name = `h${Math.min(6, 3 + Math.max(0, level - topLevel))}` as 'h3'
  return elementHtml(name, { dir: 'auto', ...attributesOf(node), 'data-size': level }, children)
}

function writeLink({ properties = {} }: HastNode, children: Html): Html {
  const href = String(properties.href ?? '')
  // To a footnote, of which the script knows the name.
  if (href.startsWith('#')) return elementHtml('a', {}, children)
  const safe = safeLink(href)
  return safe === '' ? children : elementHtml('a', { href: safe, ...elsewhere }, children)
}

/** An image of another host is a link, with room for its sign. */
function writeImage({ properties = {} }: HastNode): Html {
  const [src, alt] = [safeLink(String(properties.src ?? '')), String(properties.alt ?? '')]
  if (src === '') return textHtml(alt)
  const sign = elementHtml('span', { class: 'size-4 shrink-0' })
  const { host } = new URL(src)
  return elementHtml('span', { class: 'image-link' }, sign, textHtml(alt === '' ? host : `${alt} (${host})`))
}

const writeMark = ({ properties = {} }: HastNode): Html =>
  elementHtml('span', { class: 'task-mark', 'data-done': properties.checked === true ? 'true' : undefined })

function writeFence({ children: [code] = [] }: HastNode): Html {
  const className = code?.properties?.className
  const language = Array.isArray(className) ? /^language-(\S+)/.exec(String(className[0]))?.[1] : undefined
  return writeCode(code === undefined ? '' : textOf(code).replace(/\n$/, ''), language ?? '')
}

const writeTable = (rows: Html): Html =>
  elementHtml(
    'div',
    { class: 'table-frame', dir: 'auto' },
    elementHtml('div', { class: 'table-box', tabindex: 0 }, elementHtml('table', {}, rows)),
    elementHtml('div', { class: 'table-tools' }),
  )
