import { apiFetch, endpoints, pathOf } from '../api/index.ts'

/** Markdown of what is shown, or JSON of everything. */
export type ExportFormat = 'md' | 'json'

/** Milliseconds after which a file that was handed to the browser is let go. */
const releaseMs = 60_000

/** Saves a chat as a file of the person's. Throws ApiError when the server refuses. */
export async function exportChat(chatId: string, format: ExportFormat): Promise<void> {
  const path = pathOf(endpoints.exportChat, { params: { id: chatId }, query: { format } })
  const response = await apiFetch(path, { timeoutMs: 60_000 })
  saveFile(await response.blob(), nameOf(response) ?? `chat.${format}`)
}

/** The name that the server gives the file; null when it gives none that can be read. */
function nameOf(response: Response): string | null {
  const disposition = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1]
  try {
    return encoded ? decodeURIComponent(encoded) : (plain ?? null)
  } catch {
    return plain ?? null
  }
}

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), releaseMs)
}
