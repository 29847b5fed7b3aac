import { useFormContext } from 'react-hook-form'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { type ModelValues, modelOf } from './model-values.ts'
import { TestOutcome, useModelTest } from './use-model-test.tsx'

/** Calls the model with the values in the form, saved or not, and shows the response or the error. */
export function TestConnection() {
  const { t } = useText()
  const { getValues } = useFormContext<ModelValues>()
  const { test, busy, outcome } = useModelTest()
  return (
    <>
      <Button busy={busy} onClick={() => void test({ model: modelOf(getValues()) })} className="me-auto">
        {t('registry.test')}
      </Button>
      <TestOutcome outcome={outcome} className="order-first w-full" />
    </>
  )
}
