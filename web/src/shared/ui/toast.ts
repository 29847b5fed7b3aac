import { create } from 'zustand'

/** Turns on the toaster, once its code has come with the first toast. */
export const useToaster = create<{ wanted: boolean }>(() => ({ wanted: false }))

interface ToastOptions {
  readonly action?: { readonly label: string; readonly onClick: () => void }
  /** Milliseconds; 5000 by default. */
  readonly duration?: number
  /** A toast with the same id replaces the earlier one. */
  readonly id?: string
}

async function dismiss(id: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast.dismiss(id)
}

async function show(kind: 'message' | 'success' | 'error', text: string, options: ToastOptions): Promise<void> {
  // Without a server the code may not come: a toast less, while what it is about goes on being shown in its place.
  const loaded = await import('sonner').catch(() => null)
  if (loaded === null) return
  useToaster.setState({ wanted: true })
  loaded.toast[kind](text, { duration: 5000, closeButton: true, ...options })
}

/** Short messages at the edge of the page, announced politely and dismissible. */
export const notify = {
  info: (text: string, options: ToastOptions = {}) => void show('message', text, options),
  success: (text: string, options: ToastOptions = {}) => void show('success', text, options),
  error: (text: string, options: ToastOptions = {}) => void show('error', text, options),
  /** Takes a toast away that is about nothing any more. */
  dismiss: (id: string) => void dismiss(id),
}
