declare module 'virtual:catalog/*' {
  /** Compiled messages by id, as Lingui loads them. */
  export const messages: Record<string, string>
}
