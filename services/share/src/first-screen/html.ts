import { escapeHtml } from '@parley/kit'

declare const escaped: unique symbol
/** Markup made by the functions below alone, so that every text in it is escaped: whatever else is a string is no `Html`. */
export type Html = string & { readonly [escaped]: true }

/** A text as markup. A parser of HTML would drop NUL, or replace it, by where it stands. */
export const textHtml = (text: string): Html => escapeHtml(text.replaceAll('\0', '\uFFFD')) as Html

/** Markup one after the other. */
export const joined = (parts: readonly Html[]): Html => parts.join('') as Html

/** The elements of a formula besides `span`. */
export const formulaElements = [
  ...(['annotation', 'line', 'math', 'menclose', 'mfrac', 'mi', 'mn', 'mo', 'mover', 'mpadded', 'mphantom'] as const),
  ...(['mroot', 'mrow', 'mspace', 'msqrt', 'mstyle', 'msub', 'msubsup', 'msup', 'mtable', 'mtd', 'mtext'] as const),
  ...(['mtr', 'munder', 'munderover', 'path', 'semantics', 'span', 'svg'] as const),
] as const
export type FormulaElement = (typeof formulaElements)[number]

/** The elements of a first screen: none of them runs, frames, embeds or submits anything. */
export type ElementName =
  | FormulaElement
  | ('a' | 'article' | 'blockquote' | 'br' | 'code' | 'del' | 'div' | 'em' | 'h1' | 'h3' | 'h4' | 'h5' | 'h6' | 'hr')
  | ('img' | 'li' | 'ol' | 'p' | 'pre' | 'section' | 'span' | 'strong' | 'sup' | 'table' | 'tbody' | 'td' | 'th')
  | ('thead' | 'time' | 'tr' | 'ul')

/** The attributes that only elements of formulas have. */
export const formulaAttributes = [
  ...(['accent', 'accentunder', 'columnalign', 'columnlines', 'columnspacing', 'd', 'display'] as const),
  ...(['displaystyle', 'encoding', 'fence', 'linethickness', 'lspace', 'mathbackground', 'mathcolor'] as const),
  ...(['mathsize', 'mathvariant', 'maxsize', 'minsize', 'notation', 'preserveAspectRatio', 'rowlines'] as const),
  ...(['rowspacing', 'rspace', 'scriptlevel', 'separator', 'stretchy', 'stroke-width', 'title'] as const),
  ...(['viewBox', 'voffset', 'x1', 'x2', 'xmlns', 'y1', 'y2'] as const),
] as const

/** Their attributes; one that is undefined is left out. */
export type Attributes = {
  readonly [name in
    | ('alt' | 'aria-hidden' | 'class' | 'data-done' | 'data-size' | 'datetime' | 'dir' | 'height' | 'href' | 'loading')
    | ('rel' | 'src' | 'start' | 'style' | 'tabindex' | 'target' | 'width')
    | (typeof formulaAttributes)[number]]?: string | number | undefined
}

const withoutEnd: ReadonlySet<ElementName> = new Set(['br', 'hr', 'img'])

/** An element with its children. */
export function elementHtml(name: ElementName, attributes: Attributes, ...children: readonly Html[]): Html {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${textHtml(String(value))}"`)
  const start = `<${name}${written.join('')}>`
  return (withoutEnd.has(name) ? start : `${start}${children.join('')}</${name}>`) as Html
}
