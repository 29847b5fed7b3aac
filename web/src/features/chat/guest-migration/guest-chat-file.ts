import type { ThreadMessage } from '../thread/thread-message.ts'

/** A guest's chat in the form of an exported file, as far as an import reads it. */
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
 * The file of a guest's thread; null when nothing was said in it. Its ids are those of the thread's rows, so that importing it again leads to the same
 * chat.
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
