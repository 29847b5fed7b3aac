import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/index.ts'
import { formatCost } from '../money/money-days.ts'
import { answerCost } from './answer-price.ts'
import { type ModelValues, modelOf } from './model-values.ts'

const tokensOf = (text: string): number => Math.max(0, Number.parseInt(text, 10) || 0)

/** Shows what an example answer costs at the provider and what is charged, by the values in the form. Nothing is called. */
export function PricePreview() {
  const { t, locale } = useText()
  const { watch } = useFormContext<ModelValues>()
  const [input, setInput] = useState('1000')
  const [output, setOutput] = useState('500')
  const { creditsPerMessage, ...prices } = modelOf(watch())
  const cost = answerCost(prices, tokensOf(input), tokensOf(output))
  const credits = creditsPerMessage || 0
  return (
    <div className="mt-5 grid gap-4 border-t border-line pt-4 md:grid-cols-2 lg:grid-cols-3">
      <TextField
        label={t('registry.preview.input')}
        value={input}
        onChange={({ target }) => setInput(target.value)}
        inputMode="numeric"
      />
      <TextField
        label={t('registry.preview.output')}
        value={output}
        onChange={({ target }) => setOutput(target.value)}
        inputMode="numeric"
      />
      <p role="status" className="self-end pb-2.5 text-sm text-ink-2 max-lg:md:col-span-2">
        {cost !== null && Number.isFinite(cost)
          ? t('registry.preview.cost', { cost: formatCost(cost, locale), credits })
          : t('registry.preview.unknown')}
      </p>
    </div>
  )
}
