import { ImageUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { pastedFiles } from '../pasted-text.ts'

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere on the page, or pasted while no other field has the focus, and shows the drop target. */
export function FileDrop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useText()
  const dragged = useFileDrop(onFiles)
  if (!dragged) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-6">
      <p className="flex items-center gap-3 rounded-dock border-2 border-brand border-dashed bg-overlay px-8 py-6 font-semibold shadow-float">
        <ImageUp className="size-6 text-brand" />
        {t('composer.attachments.drop')}
      </p>
    </div>
  )
}

function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [dragged, setDragged] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      // Otherwise the browser would open the file instead of the page.
      event.preventDefault()
      setDragged(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false)
    }
    const drop = (event: DragEvent) => {
      setDragged(false)
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    const paste = (event: ClipboardEvent) => {
      const files = pastedFiles(event.clipboardData)
      if (files.length === 0 || isOtherField(event.target)) return
      event.preventDefault()
      latest.current(files)
    }
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop, paste }
    for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type, listener as EventListener)
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        window.removeEventListener(type, listener as EventListener)
      }
    }
  }, [])
  return dragged
}

/** Whether a field is not the composer, such as a chat's title. */
const isOtherField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, dialog, [role="dialog"]') !== null
