import { encodeExtended } from 'content-disposition'

const longest = 80

/** Characters that may not be in a name: separators and others with a meaning to some system, invisible ones, and those that change the direction of writing. */
const forbidden = /[\\/:*?"<>|%\p{C}\u2028\u2029]+/gu

/** A `content-disposition` header that offers a file under a title, in any script. */
export function offeredAs(title: string, extension: string): string {
  const safe = title
    .toWellFormed()
    .replace(forbidden, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const name = `${[...safe].slice(0, longest).join('').trim() || 'chat'}.${extension}`
  const plain = name.replace(/[^\x20-\x7e]/g, '_')
  return `attachment; filename="${plain}"; filename*=${encodeExtended(name)}`
}

/** Letters, digits and marks of any script; what a data export allows in a path. */
const notInZip = /[^\p{L}\p{M}\p{N}_.-]+/gu
const longestInZip = 40

/** A title or a name as a part of a path in a ZIP, which every system can unpack: of any script, without spaces, at most 160 bytes. */
export function nameInZip(title: string): string {
  const safe = title
    .toWellFormed()
    .normalize('NFC')
    .replace(notInZip, '-')
    .replace(/\.{2,}/g, '.')
  // The end counts: of a file it is the extension.
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/su.exec(safe) ?? []
  const cut = [...stem]
    .slice(0, longestInZip)
    .join('')
    .replace(/^[-.]+|[-.]+$/g, '')
  return `${cut || 'untitled'}${extension}`
}
