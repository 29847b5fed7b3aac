const longest = 255

/** Removes control, format and bidirectional characters, and unpaired surrogates, which UTF-8 cannot encode. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu

/** A name as it may be shown: the last part of a path, without what cannot be seen; `file` when nothing is left. */
export function cleanFileName(name: string): string {
  const last = name.replace(unseen, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  const short = Array.from(last).slice(0, longest).join('').slice(0, longest).replace(unseen, '')
  return /[^.\s]/u.test(short) ? short : 'file'
}
