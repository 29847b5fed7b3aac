import type { ThreadMessage } from '../thread/state/thread-message.ts'

/**
 * A guest's thread in the export format, with the fields that an import reads; null for an empty one. Its ids are derived from the rows, so that repeated
 * imports result in the same chat.
 */
export function guestChatFile(thread: readonly ThreadMessage[]) {
  const said = thread.filter(({ content }) => content.trim() !== '')
  const [first, last] = [said[0], said.at(-1)]
  if (!first || !last) return null
  return {
    format: 'parley-chat',
    version: 1,
    chat: { id: `guest:${first.key}:${last.key}`, title: '', shown: last.key },
    messages: said.map(({ key, role, content, reasoning, model, createdAt }, index) => ({
      id: key,
      parentId: said[index - 1]?.key ?? null,
      role,
      content,
      reasoning,
      model,
      createdAt: new Date(createdAt).toISOString(),
    })),
  }
}
