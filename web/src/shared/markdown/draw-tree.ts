import type { ComponentType, CSSProperties, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import type { HastNode } from './hast-tree.ts'

/** What draws an element instead of its name. */
export type Components = { readonly [name in keyof HTMLElementTagNameMap]?: ComponentType<PropsOf<name>> }
type PropsOf<Name> = Name extends keyof React.JSX.IntrinsicElements ? React.JSX.IntrinsicElements[Name] : never

interface DrawTreeOptions {
  readonly components: Components
  /** Decides what a link leads to and an image comes from. */
  readonly urlTransform: (url: string) => string
}

/** Draws a parsed document. HTML that somebody wrote in it is text. */
export function drawTree(root: HastNode, options: DrawTreeOptions): ReactNode {
  return element(Fragment, {}, root, options)
}

function drawNode(node: HastNode, key: string, options: DrawTreeOptions): ReactNode {
  const { type, tagName, value } = node
  if (type === 'text' || type === 'raw') return value
  if (type !== 'element' || tagName === undefined) return undefined
  const name = tagName as keyof Components
  const drawn = Object.hasOwn(options.components, name) ? options.components[name] : undefined
  return element((drawn ?? tagName) as 'div', propsOf(node, options), node, options, key)
}

function element(
  type: Parameters<typeof jsx>[0],
  props: Readonly<Record<string, unknown>>,
  node: HastNode,
  options: DrawTreeOptions,
  key?: string,
): ReactNode {
  const children = childrenOf(node, options)
  if (children.length > 1) return jsxs(type, { ...props, children }, key)
  return jsx(type, children.length === 1 ? { ...props, children: children[0] } : props, key)
}

/** Between rows and cells no text is allowed. */
const tableParts = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr'])

function childrenOf({ children = [], tagName = '' }: HastNode, options: DrawTreeOptions): ReactNode[] {
  // Named by what they are and which of these, so that an element stays itself when another one comes before it.
  const counts = new Map<string, number>()
  return children.flatMap((child) => {
    const name = child.tagName ?? ''
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    const drawn = drawNode(child, `${name}-${nth}`, options)
    const isLeftOut = typeof drawn === 'string' && tableParts.has(tagName) && drawn.trim() === ''
    return drawn === undefined || isLeftOut ? [] : [drawn]
  })
}

const addresses = new Set(['href', 'src'])

function propsOf({ tagName, properties = {} }: HastNode, { urlTransform }: DrawTreeOptions): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue
    const text = Array.isArray(value) ? value.join(' ') : value
    if (name === 'align' && (tagName === 'td' || tagName === 'th')) props.style = { textAlign: text }
    else if (name === 'style') props.style = styleOf(String(text))
    else props[attributeOf(name)] = addresses.has(name) ? urlTransform(String(text || '')) : text
  }
  return props
}

/** Of properties only these two families are written otherwise in elements: `ariaLabel` is `aria-label`. */
const attributeOf = (name: string): string =>
  /^(aria|data)[A-Z]/.test(name)
    ? name.replace(
        /(?!^)[A-Z]/g,
        (letter, at) => (name.startsWith('data') || at === 4 ? '-' : '') + letter.toLowerCase(),
      )
    : name

/** The declarations of a formula's style, which have neither quotes nor addresses in them. */
function styleOf(text: string): CSSProperties {
  const declarations = text.split(';').flatMap((declaration) => {
    const [name = '', value = ''] = declaration.split(':')
    return value === '' ? [] : [[name.trim().replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()), value.trim()]]
  })
  return Object.fromEntries(declarations) as CSSProperties
}
