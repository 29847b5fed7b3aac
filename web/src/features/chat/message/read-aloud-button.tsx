import { Square, Volume2 } from 'lucide-react'
import { useContext } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import { type Reader, ReaderContext } from './read-aloud.ts'

/** Reads a message aloud, or stops; renders nothing without speech synthesis. */
export function ReadAloudButton({ id, text }: { id: string; text: string }) {
  const reader = useContext(ReaderContext)
  return reader && <VoiceButton reader={reader} id={id} text={text} />
}

function VoiceButton({ reader, id, text }: { reader: Reader; id: string; text: string }) {
  const { t, locale } = useText()
  const reading = useStore(reader.store, ({ key }) => key === id)
  const Icon = reading ? Square : Volume2
  return (
    <IconButton
      label={t(reading ? 'thread.aloud.stop' : 'thread.aloud.read')}
      aria-pressed={reading}
      onClick={() => (reading ? reader.stop() : reader.read(id, text, locale))}
      className="size-8 text-ink-3"
    >
      <Icon className="size-4" />
    </IconButton>
  )
}
