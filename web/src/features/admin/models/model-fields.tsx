import type { Model } from '@parley/contracts'
import type { ComponentProps } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, SelectField, TextField } from '../../../shared/ui/index.ts'
import { fieldErrorText } from '../data/field-error.ts'
import { Panel } from '../frame/page.tsx'
import { CheckField } from '../parts/fields.tsx'
import { BreakerLine } from './breaker-line.tsx'
import { FallbackOrder } from './fallback-order.tsx'
import { HeaderFields } from './header-fields.tsx'
import {
  abilities,
  type ModelValues,
  modelTypes,
  providerNames,
  providerPrices,
  providers,
  sdkTypes,
} from './model-values.ts'
import { PricePreview } from './price-preview.tsx'

const texts = ['name', 'group', 'description', 'apiEndpoint', 'apiModelName'] as const
const limits = ['contextLength', 'maxTokens', 'temperature'] as const
const prices = ['creditsPerMessage', 'requestsPerMinute', 'tokensPerMinute', ...providerPrices] as const
const decimals: readonly string[] = ['temperature', ...providerPrices]
const grid = 'grid gap-4 md:grid-cols-2 lg:grid-cols-3'

/** The fields of a model in groups, within its form. */
export function ModelFields({ isNew, models }: { isNew: boolean; models: readonly Model[] }) {
  const { t } = useText()
  const { register, control, formState, watch } = useFormContext<ModelValues>()
  const { errors } = formState
  const field = (name: (typeof texts)[number] | (typeof limits)[number] | (typeof prices)[number], hint?: string) => (
    <TextField
      key={name}
      {...register(name)}
      label={t(`registry.field.${name}`)}
      error={fieldErrorText(errors[name], t)}
      {...(hint && { hint })}
      {...(!texts.some((text) => text === name) && { inputMode: decimals.includes(name) ? 'decimal' : 'numeric' })}
    />
  )
  const choice = (
    name: 'modelType' | 'provider' | 'sdkType',
    label: string,
    options: ComponentProps<typeof SelectField>['options'],
  ) => (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange } }) => <SelectField {...{ label, options, value, onChange }} />}
    />
  )
  return (
    <div className="flex flex-col gap-7">
      <Panel title={t('registry.group.identity')}>
        <Box>
          <div className={grid}>
            <TextField
              {...register('id')}
              label={t('registry.field.id')}
              error={fieldErrorText(errors.id, t)}
              hint={t(isNew ? 'registry.hint.id' : 'registry.hint.fixedId')}
              readOnly={!isNew}
              spellCheck={false}
              autoCapitalize="none"
            />
            {field('name')}
            {field('group', t('registry.hint.group'))}
            <div className="md:col-span-2 lg:col-span-3">{field('description')}</div>
            {choice(
              'modelType',
              t('registry.field.modelType'),
              modelTypes.map((name) => ({ name, text: t(`registry.modelType.${name}`) })),
            )}
            <div className="self-end pb-3">
              <CheckField {...register('enabled')} label={t('registry.field.enabled')} />
            </div>
          </div>
        </Box>
      </Panel>
      <Panel title={t('registry.column.provider')}>
        <Box>
          {!isNew && <BreakerLine id={watch('id')} />}
          <div className={grid}>
            {choice(
              'provider',
              t('registry.column.provider'),
              providers.map((name) => ({ name, text: providerNames[name] })),
            )}
            {choice(
              'sdkType',
              t('registry.field.sdkType'),
              sdkTypes.map((name) => ({ name, text: t(`registry.sdk.${name}`) })),
            )}
            {field('apiModelName', t('registry.hint.apiModelName'))}
            <div className="md:col-span-2 lg:col-span-3">{field('apiEndpoint', t('registry.hint.apiEndpoint'))}</div>
          </div>
          <HeaderFields />
        </Box>
      </Panel>
      <Panel title={t('registry.group.abilities')}>
        <Box>
          <div className={grid}>{limits.map((name) => field(name, t(`registry.hint.${name}`)))}</div>
          <fieldset className="mt-4 grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            <legend className="sr-only">{t('registry.group.abilities')}</legend>
            {abilities.map((name) => (
              <CheckField key={name} {...register(name)} label={t(`registry.field.${name}`)} />
            ))}
          </fieldset>
        </Box>
      </Panel>
      <Panel
        title={t('registry.group.price')}
        lead={t('registry.priceLead', { credits: Number(watch('creditsPerMessage')) || 0 })}
      >
        <Box>
          <div className={grid}>{prices.map((name) => field(name, t(`registry.hint.${name}`)))}</div>
          <PricePreview />
        </Box>
      </Panel>
      <Panel title={t('registry.group.fallbacks')} lead={t('registry.fallbackLead')}>
        <Controller
          control={control}
          name="fallbackModels"
          render={({ field }) => (
            <FallbackOrder
              ids={field.value}
              models={models.filter(({ id, modelType }) => id !== watch('id') && modelType === watch('modelType'))}
              onChange={field.onChange}
            />
          )}
        />
      </Panel>
    </div>
  )
}
