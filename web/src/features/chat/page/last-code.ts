/** The code of the last closed fence in a Markdown text; null without one. */
export function lastCodeOf(markdown: string): string | null {
  const blocks = [...markdown.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n? {0,3}\1[`~]*[ \t]*$/gm)]
  return blocks.at(-1)?.[2] ?? null
}
