import { setImmediate as breathe } from 'node:timers/promises'
import type { Page } from '@parley/kit/egress'
import { type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'

/** Media types that have text for a model. */
export const readableTypes = ['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown'] as const

/** UTF-16 units of a page that are looked at, and of its text that are wanted. */
const looksAt = 2_000_000
const wantsLength = 6_000
/** UTF-16 units between two pauses, so that other answers can proceed. */
const stretch = 64 * 1024

/** The main text of a page, without markup, scripts and navigation; '' when there is none. */
export async function pageText({ contentType, charset, bytes }: Page): Promise<string> {
  const source = decode(bytes, charset).slice(0, looksAt)
  const text = contentType.includes('html') ? await textOfHtml(source) : source
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim()
    .slice(0, wantsLength)
    .toWellFormed()
}

function decode(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // An unknown entity.
    return new TextDecoder().decode(bytes)
  }
}

/** Elements whose content is not part of the text. */
const skipped = /^(?:head|nav|header|footer|aside|form|svg|template|button|select|noscript)$/
/** Elements whose content is not markup. */
const raw: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
}
const inline = /^(?:a|abbr|b|cite|code|em|i|mark|q|s|small|span|strong|sub|sup|u)$/

/** No tree is built: what a page nests costs nothing, however deep. */
async function textOfHtml(html: string): Promise<string> {
  const parts: string[] = []
  let length = 0
  const depths = new Map<string, number>()
  let hidden: string | undefined
  const say = (text: string): void => {
    if (hidden !== undefined || depths.size > 0) return
    parts.push(text)
    length += text.length
  }
  const handler: TokenHandler = {
    onStartTag({ tagName, selfClosing }) {
      const mode = raw[tagName]
      if (mode !== undefined) {
        hidden = tagName
        tokenizer.state = mode
      } else if (skipped.test(tagName) && !selfClosing) depths.set(tagName, (depths.get(tagName) ?? 0) + 1)
      // An element that is not closed ends where the main text begins.
      else if (tagName === 'body' || tagName === 'main' || tagName === 'article') depths.clear()
      else if (!inline.test(tagName)) say('\n')
    },
    onEndTag({ tagName }) {
      if (tagName === hidden) hidden = undefined
      const depth = depths.get(tagName)
      if (depth !== undefined && depth > 1) depths.set(tagName, depth - 1)
      else depths.delete(tagName)
      if (!inline.test(tagName)) say('\n')
    },
    onCharacter: ({ chars }) => say(chars),
    onWhitespaceCharacter: () => say(' '),
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => undefined,
    onEof: () => undefined,
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler)
  for (let at = 0; at < html.length && length < 2 * wantsLength; at += stretch) {
    tokenizer.write(html.slice(at, at + stretch), at + stretch >= html.length)
    await breathe()
  }
  return parts.join('')
}
