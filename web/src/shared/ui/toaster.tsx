import { Suspense } from 'react'
import { lazyPart } from '../lazy/index.ts'
import { useToaster } from './toast.tsx'

const ToastList = lazyPart(async () => (await import('./toast-list.tsx')).ToastList)

/** The container of toasts, from the first one on. */
export function Toaster() {
  const wanted = useToaster((state) => state.wanted)
  return (
    wanted && (
      <Suspense>
        <ToastList />
      </Suspense>
    )
  )
}
