import type { ChatSession } from './chat-session.ts'

/** Prints a chat from its first message to its last, if it `isShown` still once they are here. The browser's own print command has only what is loaded. */
export async function printThread(
  session: Pick<ChatSession, 'store' | 'open' | 'loadOlder' | 'showLatest'>,
  isShown: () => boolean,
): Promise<void> {
  await session.open()
  await session.showLatest()
  for (let known = -1; session.store.getState().hasMore; ) {
    const { length } = session.store.getState().messages
    // A page that did not come would not come the next time either.
    if (length === known) break
    known = length
    await session.loadOlder()
  }
  if (isShown()) window.print()
}
