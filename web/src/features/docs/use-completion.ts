import { useEffect, useRef, useState } from 'react'
import { type CompletionPiece, streamCompletion } from './stream-completion.ts'

type Ending = Exclude<CompletionPiece, { type: 'text' }> | { readonly type: 'stopped' } | { readonly type: 'failed' }

/** One answer by key at a time: its text so far, whether it is running, and how it ended. */
export function useCompletion() {
  const [text, setText] = useState('')
  const [ending, setEnding] = useState<Ending | null>(null)
  const [running, setRunning] = useState(false)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const stop = () => abort.current?.abort()
  const begin = async (asked: { origin: string; apiKey: string; model: string; prompt: string }) => {
    const controller = new AbortController()
    abort.current = controller
    setText('')
    setEnding(null)
    setRunning(true)
    try {
      for await (const piece of streamCompletion({ ...asked, signal: controller.signal })) {
        if (piece.type === 'text') setText((before) => before + piece.text)
        else setEnding(piece)
      }
    } catch {
      // The browser does not disclose more than that there was no response.
      setEnding({ type: controller.signal.aborted ? 'stopped' : 'failed' })
    } finally {
      setRunning(false)
    }
  }
  return { text, ending, running, begin, stop }
}
