import type { ThreadMessage } from '../thread/state/thread-message.ts'

/** A guest's chat in the export format, with the fields that an import reads. */
export interface GuestChatFile {
  readonly format: 'parley-chat'
  readonly version: 1
  readonly chat: { readonly id: string; readonly title: string; readonly shown: string }
  readonly messages: readonly {
    readonly id: string
    readonly parentId: string | null
    readonly role: ThreadMessage['role']
    readonly content: string
    readonly reasoning: string
    readonly model: string | null
    readonly createdAt: string
  }[]
}

/**
 * The export file of a guest's thread; null for an empty one. Its ids are derived from the rows, so that repeated imports result in the
 * same chat.
 */
export function guestChatFile(thread: readonly ThreadMessage[]): GuestChatFile | null {
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
