import { apiFetch, endpoints, pathOf } from '../api/index.ts'
import { saveResponse } from '../save-file.ts'

/** Markdown of the visible content, or JSON of everything. */
export type ExportFormat = 'md' | 'json'

/** Downloads a chat as a file. Throws ApiError when the server refuses. */
export async function exportChat(chatId: string, format: ExportFormat): Promise<void> {
  const path = pathOf(endpoints.exportChat, { params: { id: chatId }, query: { format } })
  await saveResponse(await apiFetch(path, { timeoutMs: 60_000 }), `chat.${format}`)
}
