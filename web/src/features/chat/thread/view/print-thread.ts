import { retryImport } from '../../../../shared/lazy/index.ts'
import type { ChatSession } from '../session/chat-session.ts'

/** Prints a complete chat if it still `isShown` once all messages have loaded. The browser's own print command covers only loaded ones. */
export async function printThread(
  session: Pick<ChatSession, 'store' | 'open' | 'loadOlder' | 'showLatest'>,
  isShown: () => boolean,
): Promise<void> {
  await session.open()
  await session.showLatest()
  for (let known = -1; session.store.getState().hasMore; ) {
    const { length } = session.store.getState().messages
    // A page that failed to load would fail again.
    if (length === known) break
    known = length
    await session.loadOlder()
  }
  const { printPage } = await retryImport(() => import('../../../../shared/print-page.ts'))
  if (isShown()) await printPage()
}
