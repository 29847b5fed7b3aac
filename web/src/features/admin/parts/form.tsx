import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../../shared/ui/index.ts'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: (values: FormData) => void
}

/** A form that names its own faults, instead of the browser, and does not load a page. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
      {...props}
    />
  )
}

interface DialogFormProps {
  readonly submit: string
  readonly look?: 'primary' | 'danger'
  readonly busy: boolean
  readonly onSubmit: (values: FormData) => void
  readonly children: ReactNode
}

/** The form of a dialog, with one button. */
export function DialogForm({ submit, look = 'primary', busy, onSubmit, children }: DialogFormProps) {
  return (
    <Form onSubmit={onSubmit}>
      {children}
      <div className="mt-5 flex justify-end">
        <Button type="submit" look={look} busy={busy}>
          {submit}
        </Button>
      </div>
    </Form>
  )
}
