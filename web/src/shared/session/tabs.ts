/** What one tab reports to the person's others: the list of chats changed, and what is in this one. */
export interface ChatsChanged {
  readonly userId: string
  /** Null when no chat's messages are concerned. */
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

/** Calls `listener` with what other tabs report, of the same person or another. Answers a function that ends it. */
export function subscribeToTabs(listener: (change: ChatsChanged) => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => undefined
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    // A tab that was opened before an update may speak otherwise.
    if (isChange(data)) listener(data)
  }
  return () => channel.close()
}
