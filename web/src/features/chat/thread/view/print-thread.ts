import { retryImport } from '../../../../shared/lazy/index.ts'
import { notify } from '../../../../shared/ui/index.ts'
import type { ChatSession } from '../session/chat-session.ts'

/**
 * Prints a chat if it still `isShown` once all its messages have loaded; says so if they cannot be loaded, because what is missing is not noticed on
 * paper. The browser's own print command covers only loaded ones.
 */
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
  if (!isShown()) return
  const { loading, hasMore, hasNewer } = session.store.getState()
  if (loading !== 'none' || hasMore || hasNewer) {
    notify.error((now) => now('thread.print.failed'))
    return
  }
  const { printPage } = await retryImport(() => import('../../../../shared/print-page.ts'))
  await printPage(isShown)
}
