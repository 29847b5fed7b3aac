import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { useStore } from 'zustand'
import { guestInfoQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { notify } from '../../shared/ui/index.ts'
import type { ChatPaths } from './chat-paths.ts'
import { Composer, type ComposerHandle, type Gate } from './composer/composer.tsx'
import type { DraftStore } from './composer/draft-store.ts'
import { GuestBanner } from './composer/guest-banner.tsx'
import type { ChatSession } from './thread/chat-session.ts'
import type { ChatActions } from './use-actions.ts'

interface Props {
  readonly composer: RefObject<ComposerHandle | null>
  readonly session: ChatSession
  readonly drafts: DraftStore
  readonly actions: ChatActions
  /** Whether there is a model that can answer. */
  readonly gate: Gate
  readonly meter: ReactNode
  readonly noCredits: ReactNode
  readonly paths: ChatPaths
}

/** What stands below the thread and never moves: notices and the composer. */
export function ChatDock({ composer, session, drafts, actions, gate, meter, noCredits, paths }: Props) {
  const { t } = useText()
  const guest = useSession((state) => state.token === null)
  const { data: allowance } = useQuery({ ...guestInfoQuery, enabled: guest })
  const chatId = useStore(session.store, (state) => state.chatId)
  const busy = useStore(session.store, (state) => state.live !== null)
  const stopping = useStore(session.store, (state) => state.live?.stopping ?? false)
  const started = useStore(session.store, (state) => state.messages.length > 0)
  const blocked = useStore(session.store, (state) => state.blocked?.code ?? null)
  useReturnedText(session, composer)
  useEffect(() => {
    // A touch keyboard that opens by itself would hide the thread.
    if (matchMedia('(pointer: fine)').matches && session.key) composer.current?.focus()
  }, [session.key, composer])
  const send = (text: string) => {
    const result = actions.send(text)
    if (result === 'duplicate') {
      notify.info(t('chat.composer.duplicate'), {
        id: 'duplicate',
        action: { label: t('chat.composer.sendAnyway'), onClick: () => sendAnyway(text) },
      })
    }
    return result
  }
  const sendAnyway = (text: string) => {
    if (actions.send(text, true) === 'sent') composer.current?.clear()
  }
  return (
    <div className="shrink-0 px-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] md:px-6 md:pb-4">
      <div className="mx-auto max-w-dock">
        {guest && allowance && (
          <GuestBanner
            guest={allowance}
            refused={blocked === 'guest_limit_reached'}
            signInHref={paths.signIn}
            registerHref={paths.register}
          />
        )}
        {blocked === 'insufficient_credits' && <div className="mb-2">{noCredits}</div>}
        <Composer
          ref={composer}
          chatId={chatId}
          drafts={drafts}
          placeholder={t(
            gate !== 'closed'
              ? started
                ? 'chat.composer.followUp'
                : 'chat.composer.placeholder'
              : 'chat.composer.noModel',
          )}
          busy={busy}
          stopping={stopping}
          gate={gate}
          meter={meter}
          onSend={send}
          onStop={actions.stop}
        />
      </div>
      <p className="mt-2 hidden text-center text-2xs text-ink-3 md:block">{t('chat.composer.hint')}</p>
    </div>
  )
}

/** Puts a text that could not be sent back into the composer. */
function useReturnedText(session: ChatSession, composer: RefObject<ComposerHandle | null>): void {
  useEffect(
    () =>
      session.store.subscribe(({ returned }, before) => {
        if (returned && returned !== before.returned) composer.current?.insert(returned.text)
      }),
    [session, composer],
  )
}
