import { create } from 'zustand'

/** Mounts the toaster when the first toast has loaded its code. */
export const useToaster = create<{ wanted: boolean }>(() => ({ wanted: false }))

interface ToastOptions {
  readonly action?: { readonly label: string; readonly onClick: () => void }
  /** Milliseconds; 5000 by default. */
  readonly duration?: number
  /** A toast with the same id replaces the earlier one. */
  readonly id?: string
}

/**
 * The library's id of the last toast by our id. Each toast is a new one to the library: an update of a toast that is being closed, by its button or
 * its timeout, would be closed with it.
 */
const latest = new Map<string, string | number>()

async function dismiss(id: string): Promise<void> {
  const shown = latest.get(id)
  if (shown === undefined) return
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast.dismiss(shown)
}

async function show(kind: 'message' | 'success' | 'error', text: string, options: ToastOptions): Promise<void> {
  // Without the server the code may not load: the toast is dropped, while the page still shows the state it is about.
  const loaded = await import('sonner').catch(() => null)
  if (loaded === null) return
  useToaster.setState({ wanted: true })
  const { id, ...rest } = options
  const earlier = id === undefined ? undefined : latest.get(id)
  if (earlier !== undefined) loaded.toast.dismiss(earlier)
  const shown = loaded.toast[kind](text, { duration: 5000, closeButton: true, ...rest })
  if (id !== undefined) latest.set(id, shown)
}

/** Short messages at the edge of the page, announced politely and dismissible. */
export const notify = {
  info: (text: string, options: ToastOptions = {}) => void show('message', text, options),
  success: (text: string, options: ToastOptions = {}) => void show('success', text, options),
  error: (text: string, options: ToastOptions = {}) => void show('error', text, options),
  /** Removes a toast that is no longer relevant. */
  dismiss: (id: string) => void dismiss(id),
}
