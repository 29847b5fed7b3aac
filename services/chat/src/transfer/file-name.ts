const longest = 80

/** What may not be in a name: what separates folders or has a meaning to some system, what cannot be seen, and what turns the direction of writing. */
const forbidden = /[\\/:*?"<>|%\p{C}\u2028\u2029]+/gu

/** A `content-disposition` that offers a file under a title, in whatever script that is. */
export function offeredAs(title: string, extension: string): string {
  const safe = title
    .toWellFormed()
    .replace(forbidden, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const name = `${[...safe].slice(0, longest).join('').trim() || 'chat'}.${extension}`
  const plain = name.replace(/[^\x20-\x7e]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`
}

/** Also those characters that a URL keeps and this header does not. */
const percentEncoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
