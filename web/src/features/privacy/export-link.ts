export interface ExportLink {
  readonly id: string
  readonly token: string
}

/** Parses the page's fragment; null when a part is missing. */
export function readExportLink(hash: string): ExportLink | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const [id, token] = ['id', 'token'].map((name) => parts.get(name)?.trim() ?? '')
  return id && token ? { id, token } : null
}
