/** What a mailed link to a copy of one's data carries. */
export interface ExportLink {
  readonly id: string
  readonly token: string
}

/** Reads the fragment of the page; null when a part of the link is missing. */
export function readExportLink(hash: string): ExportLink | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const [id, token] = ['id', 'token'].map((name) => parts.get(name)?.trim() ?? '')
  return id && token ? { id, token } : null
}
