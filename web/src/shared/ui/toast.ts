import { create } from 'zustand'

/** Turns on the toaster, whose code is loaded with the first toast. */
export const useToaster = create<{ wanted: boolean }>(() => ({ wanted: false }))

interface ToastOptions {
  readonly action?: { readonly label: string; readonly onClick: () => void }
  /** Milliseconds; 5000 unless told. */
  readonly duration?: number
  /** A toast with the same id replaces the earlier one. */
  readonly id?: string
}

async function show(kind: 'message' | 'success' | 'error', text: string, options: ToastOptions): Promise<void> {
  useToaster.setState({ wanted: true })
  const { toast } = await import('sonner')
  toast[kind](text, { duration: 5000, closeButton: true, ...options })
}

/** Short messages at the edge of the page, announced politely and dismissible. */
export const notify = {
  info: (text: string, options: ToastOptions = {}) => void show('message', text, options),
  success: (text: string, options: ToastOptions = {}) => void show('success', text, options),
  error: (text: string, options: ToastOptions = {}) => void show('error', text, options),
}
