/** A message to the user's other tabs: the list of chats, or this chat, has changed. */
export interface ChatsChanged {
  readonly userId: string
  /** Null when no chat's messages have changed. */
  readonly chatId: string | null
}

const name = 'parley:chats'

/** Notifies the other tabs of this browser. */
export function notifyTabs(change: ChatsChanged): void {
  if (!('BroadcastChannel' in globalThis)) return
  const channel = new BroadcastChannel(name)
  channel.postMessage(change)
  channel.close()
}

const isChange = (value: unknown): value is ChatsChanged =>
  typeof value === 'object' && value !== null && typeof (value as ChatsChanged).userId === 'string'

/** Calls `listener` with messages of other tabs, of the same user or another. Returns a function that unsubscribes. */
export function subscribeToTabs(listener: (change: ChatsChanged) => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => undefined
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    // A tab opened before an update may use another format.
    if (isChange(data)) listener(data)
  }
  return () => channel.close()
}
