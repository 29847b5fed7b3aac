import { CircleAlert } from 'lucide-react'

/** An error about the whole form, announced immediately. */
export function FormAlert({ message }: { message: string | undefined }) {
  return (
    <div role="alert">
      {message && (
        <p className="mb-4 flex gap-2 rounded-card bg-danger-weak px-3 py-2.5 text-sm whitespace-pre-line text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          {message}
        </p>
      )}
    </div>
  )
}
