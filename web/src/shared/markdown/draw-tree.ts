import type { HastNode } from '@parley/markdown'
import type { ComponentType, CSSProperties, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

/** Components that replace elements, by element name. */
export type Components = { readonly [name in keyof HTMLElementTagNameMap]?: ComponentType<PropsOf<name>> }
type PropsOf<Name> = Name extends keyof React.JSX.IntrinsicElements ? React.JSX.IntrinsicElements[Name] : never

interface DrawTreeOptions {
  readonly components: Components
  /** Maps the URLs of links and images. */
  readonly urlTransform: (url: string) => string
}

/** Renders a parsed document. Raw HTML in it is shown as text. */
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

/** Elements that must not contain text between rows and cells. */
const tableParts = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr'])

function childrenOf({ children = [], tagName = '' }: HastNode, options: DrawTreeOptions): ReactNode[] {
  // Keyed by element type and index, so that an element keeps its identity when another type is inserted before it.
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

/** Only these two families of properties have other attribute names: `ariaLabel` is `aria-label`. */
const attributeOf = (name: string): string =>
  /^(aria|data)[A-Z]/.test(name)
    ? name.replace(
        /(?!^)[A-Z]/g,
        (letter, at) => (name.startsWith('data') || at === 4 ? '-' : '') + letter.toLowerCase(),
      )
    : name

/** Parses the style of a formula, which contains neither quotes nor URLs. */
function styleOf(text: string): CSSProperties {
  const declarations = text.split(';').flatMap((declaration) => {
    const [name = '', value = ''] = declaration.split(':')
    return value === '' ? [] : [[name.trim().replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()), value.trim()]]
  })
  return Object.fromEntries(declarations) as CSSProperties
}
