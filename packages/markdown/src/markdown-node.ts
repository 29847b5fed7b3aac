/** The used part of a parser's node. */
export interface MarkdownNode {
  readonly type: string
  readonly children?: readonly MarkdownNode[]
  readonly value?: string
  readonly depth?: number
  readonly lang?: string | null
  readonly url?: string
  readonly title?: string | null
  readonly alt?: string | null
  readonly identifier?: string
  readonly label?: string | null
  readonly referenceType?: 'shortcut' | 'collapsed' | 'full'
  readonly ordered?: boolean | null
  readonly start?: number | null
  readonly spread?: boolean | null
  readonly checked?: boolean | null
  readonly align?: readonly (string | null)[] | null
  /** Rendering hints from a parser extension. */
  readonly data?: {
    readonly hName?: string
    readonly hProperties?: Readonly<Record<string, unknown>>
    readonly hChildren?: readonly unknown[]
  }
}

/** Labels are case-insensitive. */
export const keyOf = ({ identifier = '' }: MarkdownNode): string => identifier.toUpperCase()
