declare module 'virtual:catalog/*' {
  /** Compiled messages by id, as Lingui loads them. */
  export const messages: Record<string, string>
}

declare module '@zxcvbn-ts/language-en/dist/*.json.mjs' {
  /** Words, the most frequent first. */
  const words: string[]

  // biome-ignore lint/style/noDefaultExport: this is how the library has it
  export { words as default }
}
