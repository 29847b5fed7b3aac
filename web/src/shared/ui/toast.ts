import { create } from 'zustand'

/** Turns on the toaster, once its code has come with the first toast. */
export const useToaster = create<{ wanted: boolean }>(() => ({ wanted: false }))

interface ToastOptions {
  readonly action?: { readonly label: string; readonly onClick: () => void }
  /** Milliseconds; 5000 by default. */
  readonly duration?: number
  /** A toast with the same id takes the place of the earlier one. */
  readonly id?: string
}

/**
 * The library's id of the last toast with each id of ours. Each toast is a new one to the library: updating one that is being closed, by its button or
 * at its end, would close the update with it.
 */
const latest = new Map<string, string | number>()

async function dismiss(id: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  const shown = latest.get(id)
  if (shown !== undefined) loaded?.toast.dismiss(shown)
}

async function show(kind: 'message' | 'success' | 'error', text: string, options: ToastOptions): Promise<void> {
  // Without a server the code may not come: a toast less, while what it is about goes on being shown in its place.
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
  /** Takes a toast away that is about nothing any more. */
  dismiss: (id: string) => void dismiss(id),
}
