import { Plus, X } from 'lucide-react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton, TextField } from '../../../shared/ui/index.ts'
import type { ModelValues } from './model-values.ts'

const mostHeaders = 20

/** The extra headers of the model's requests, as pairs of name and value. */
export function HeaderFields() {
  const { t } = useText()
  const { control, register, formState } = useFormContext<ModelValues>()
  const { fields, append, remove } = useFieldArray({ control, name: 'customHeaders' })
  const message = formState.errors.customHeaders?.message ?? formState.errors.customHeaders?.root?.message
  return (
    <fieldset className="mt-5 border-t border-line pt-4">
      <legend className="sr-only">{t('registry.headers')}</legend>
      <div className="flex items-center justify-between gap-3">
        <p aria-hidden="true" className="text-sm font-medium">
          {t('registry.headers')}
        </p>
        <Button size="small" disabled={fields.length >= mostHeaders} onClick={() => append({ name: '', value: '' })}>
          <Plus className="size-4" />
          {t('registry.addHeader')}
        </Button>
      </div>
      {message && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {message}
        </p>
      )}
      {fields.map(({ id }, index) => (
        <div key={id} className="mt-3 flex items-end gap-2">
          <TextField
            {...register(`customHeaders.${index}.name`)}
            label={t('registry.headerName')}
            className="min-w-0 flex-1"
            spellCheck={false}
          />
          <TextField
            {...register(`customHeaders.${index}.value`)}
            label={t('registry.headerValue')}
            className="min-w-0 flex-2"
            spellCheck={false}
          />
          <IconButton
            label={t('registry.removeHeader', { number: index + 1 })}
            className="mb-1"
            onClick={() => remove(index)}
          >
            <X className="size-4.5" />
          </IconButton>
        </div>
      ))}
    </fieldset>
  )
}
