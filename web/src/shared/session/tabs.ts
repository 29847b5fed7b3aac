/** What one tab tells the person's others: the list of chats changed, and what is in this one. */
export interface ChatsChanged {
  readonly userId: string
  /** Null when no chat's messages are concerned. */
  readonly chatId: string | null
}

const name = 'parley:chats'

/** Tells the other tabs of this browser. */
export function tellTabs(news: ChatsChanged): void {
  if (!('BroadcastChannel' in globalThis)) return
  const channel = new BroadcastChannel(name)
  channel.postMessage(news)
  channel.close()
}

const isNews = (value: unknown): value is ChatsChanged =>
  typeof value === 'object' && value !== null && typeof (value as ChatsChanged).userId === 'string'

/** Hears what other tabs tell, of the same person or another. Answers a function that ends it. */
export function hearTabs(listener: (news: ChatsChanged) => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => undefined
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    // A tab that was opened before an update may speak otherwise.
    if (isNews(data)) listener(data)
  }
  return () => channel.close()
}
