import { apiFetch, endpoints, pathOf } from '../api/index.ts'
import { saveResponse } from '../save-file.ts'

/** Markdown of what is shown, or JSON of everything. */
export type ExportFormat = 'md' | 'json'

/** Saves a chat as a file of the person's. Throws ApiError when the server refuses. */
export async function exportChat(chatId: string, format: ExportFormat): Promise<void> {
  const path = pathOf(endpoints.exportChat, { params: { id: chatId }, query: { format } })
  await saveResponse(await apiFetch(path, { timeoutMs: 60_000 }), `chat.${format}`)
}
