import { create } from 'zustand'
import { useText, type Wording } from '../i18n/index.ts'

/** Mounts the toaster when the first toast has loaded its code. */
export const useToaster = create<{ wanted: boolean }>(() => ({ wanted: false }))

interface ToastOptions {
  readonly action?: { readonly label: Wording; readonly onClick: () => void }
  /** Milliseconds; 5000 by default. */
  readonly duration?: number
  /** A toast with the same id replaces the earlier one. */
  readonly id?: string
  /** About the page rather than its user, whose departure it outlasts. */
  readonly isOfPage?: boolean
}

/**
 * The library's id of the last toast by our id. Each toast is a new one to the library: an update of a toast that is being closed, by its button or
 * its timeout, would be closed with it.
 */
const latest = new Map<string, string | number>()

async function dismiss(id: string): Promise<void> {
  const shown = latest.get(id)
  if (shown === undefined) return
  const loaded = await import('./toast-list.tsx').catch(() => null)
  loaded?.toast.dismiss(shown)
}

/** A toast is shown for seconds, in which the language may be changed, also by another tab. */
function Words({ of }: { of: Wording }) {
  const { t } = useText()
  return of(t)
}

async function show(kind: 'message' | 'success' | 'error', words: Wording, options: ToastOptions): Promise<void> {
  // Without the server the code may not load: the toast is dropped, while the page still shows the state it is about.
  const loaded = await import('./toast-list.tsx').catch(() => null)
  if (loaded === null) return
  useToaster.setState({ wanted: true })
  const { id, action, isOfPage, ...rest } = options
  const earlier = id === undefined ? undefined : latest.get(id)
  if (earlier !== undefined) loaded.toast.dismiss(earlier)
  const shown = loaded.toast[kind](<Words of={words} />, {
    ...{ duration: 5000, closeButton: true, ...rest },
    ...(action && { action: { ...action, label: <Words of={action.label} /> } }),
  })
  if (id !== undefined) latest.set(id, shown)
  if (isOfPage) loaded.ofPage.add(shown)
}

/** Short messages at the edge of the page, announced politely and dismissible; their words follow a change of the language. */
export const notify = {
  info: (words: Wording, options: ToastOptions = {}) => void show('message', words, options),
  success: (words: Wording, options: ToastOptions = {}) => void show('success', words, options),
  error: (words: Wording, options: ToastOptions = {}) => void show('error', words, options),
  /** Removes a toast that is no longer relevant. */
  dismiss: (id: string) => void dismiss(id),
}
