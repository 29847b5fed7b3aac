import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { guestInfoQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { lazyPart } from '../../../shared/lazy/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import type { ChatPaths } from '../chat-paths.ts'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import type { ComposerInput } from '../composer/composer-input.ts'
import { GuestBanner } from '../composer/guest-banner.tsx'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { SendOptions } from '../thread/session/session-core.ts'
import { editLast } from '../thread/view/edit-last.ts'
import { exportShown } from './chat-commands.ts'

const ContextMeter = lazyPart(async () => (await import('./context-meter.tsx')).ContextMeter)

/** What other features show around the composer. */
export interface CreditSlots {
  /** The remaining credits, with the price of the message; null if that is unknown. */
  readonly meter: (price: number | null) => ReactNode
  /** Shown when a message was refused for lack of credits. */
  readonly noCredits: ReactNode
  /** Shown above the composer when most credits are used and no message was refused; renders nothing without a warning. */
  readonly creditWarning: ReactNode
}

interface Props extends CreditSlots, Pick<ComposerInput, 'drafts' | 'models' | 'gate' | 'onMemory' | 'onHelp'> {
  readonly composer: RefObject<ComposerHandle | null>
  readonly session: ChatSession
  readonly paths: ChatPaths
}

/** The fixed area below the thread: notices and the composer. */
export function ChatDock({ composer, session, meter, noCredits, creditWarning, paths, ...input }: Props) {
  const { models, gate } = input
  const { t } = useText()
  const navigate = useNavigate()
  const guest = useSession((state) => state.token === null)
  const { data: allowance } = useQuery({ ...guestInfoQuery, enabled: guest })
  const chatId = useStore(session.store, (state) => state.chatId)
  const busy = useStore(session.store, (state) => state.live !== null)
  const stopping = useStore(session.store, (state) => state.live?.stopping ?? false)
  const started = useStore(session.store, (state) => state.messages.length > 0)
  const blocked = useStore(session.store, (state) => state.blocked?.code ?? null)
  useReturnedText(session, composer)
  useEffect(() => {
    // On touch devices the focus would open the keyboard and hide the thread.
    if (matchMedia('(pointer: fine)').matches && session.key) composer.current?.focus()
  }, [session.key, composer])
  const send = useGuardedSend(session, composer)
  const open = started ? 'chat.composer.followUp' : 'chat.composer.placeholder'
  return (
    <div className="shrink-0 px-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] md:px-6 md:pb-4 md:short:pb-2.5">
      <div className="mx-auto max-w-dock">
        {guest && allowance && (
          <GuestBanner
            guest={allowance}
            refused={blocked === 'guest_limit_reached'}
            signInHref={paths.signIn}
            registerHref={paths.register}
          />
        )}
        <div className="mb-2 empty:hidden">
          <Suspense>{blocked === 'insufficient_credits' ? noCredits : creditWarning}</Suspense>
        </div>
        <Composer
          {...input}
          ref={composer}
          chatId={chatId}
          guest={guest}
          placeholder={t(gate === 'closed' ? 'chat.composer.noModel' : open)}
          busy={busy}
          stopping={stopping}
          meter={(price) => (
            <span className="flex min-w-0 items-center gap-2.5">
              {started && models.text.model && (
                <Suspense>
                  <ContextMeter session={session} contextLength={models.text.model.contextLength} />
                </Suspense>
              )}
              {meter(price)}
            </span>
          )}
          onSend={send}
          onImage={session.makeImage}
          onStop={session.stop}
          onExport={(format) => void exportShown(session, format)}
          onEditLast={() => editLast(session)}
          onSignIn={() => void navigate(paths.signIn)}
        />
      </div>
      <p className="mt-2 hidden text-center text-2xs text-ink-3 md:not-short:block">{t('chat.composer.hint')}</p>
    </div>
  )
}

/** Sends a message, and asks first if the same text was sent a moment ago. */
function useGuardedSend({ key, send }: ChatSession, composer: RefObject<ComposerHandle | null>) {
  const question = `duplicate:${key}`
  // It is not asked in another chat.
  useEffect(() => () => notify.dismiss(question), [question])
  const sendAnyway = (text: string, options: SendOptions, draft: string | undefined) => {
    if (send(text, { ...options, force: true }) !== 'sent') return
    // What was written since stays.
    if (composer.current?.text() === draft) composer.current?.clear()
  }
  return (text: string, options: SendOptions) => {
    const result = send(text, options)
    if (result === 'duplicate') {
      const draft = composer.current?.text()
      notify.info((now) => now('chat.composer.duplicate'), {
        id: question,
        action: { label: (now) => now('chat.composer.sendAnyway'), onClick: () => sendAnyway(text, options, draft) },
      })
    }
    return result
  }
}

/** Returns a message that could not be sent to the composer, and reports a missing file. */
function useReturnedText(session: ChatSession, composer: RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    let { returned: taken } = session.store.getState()
    return session.store.subscribe(({ returned, blocked }) => {
      if (!returned || returned === taken) return
      taken = returned
      composer.current?.restore(returned)
      if (blocked?.code === 'not_found' && blocked.text.type === 'server') {
        // It names the file, in words that only the server has.
        const { text } = blocked.text
        notify.error(() => text, { id: 'lost-file', duration: 20_000 })
      }
    })
  }, [session, composer])
}
